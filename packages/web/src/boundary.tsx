import { Component, type ComponentChildren, type JSX } from 'preact'
import { sentenceOf } from './app/api.js'

interface BoundaryProps {
  readonly children: ComponentChildren
}

interface BoundaryState {
  readonly error: unknown
  readonly failed: boolean
}

/** Keeps a fault of one page from taking the whole viewer with it. Another `key` begins afresh. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, failed: false }

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    return { error, failed: true }
  }

  override render(): ComponentChildren {
    return this.state.failed ? <Fault error={this.state.error} /> : this.props.children
  }
}

function Fault({ error }: { readonly error: unknown }): JSX.Element {
  return (
    <div class="empty failure" role="alert">
      <h2>This page has a fault</h2>
      <p>It is dagline's own; your sessions are as they were. The other pages go on working.</p>
      <p>
        <code>{sentenceOf(error)}</code>
      </p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Try again
      </button>
    </div>
  )
}
