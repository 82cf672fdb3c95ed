/** Dialogs about a row: why it is here, and its raw record. */
import type { Why } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { Code } from '../text/code.js'
import { prettyJson } from '../tools/fields.js'
import { useSession } from './state.js'

/** The open dialog, if any. */
export function RowDialogs(): VNode | null {
  const { dialog, source } = useSession()
  const open = dialog.value
  if (open === null) return null
  const close = (): void => {
    dialog.value = null
  }
  const isWhy = open.kind === 'why'
  return (
    <Dialog title={isWhy ? 'Why this row is here' : 'Raw record'} onClose={close}>
      {isWhy
        ? source.why !== null && (
            <Loaded load={source.why} node={open.node} show={why => <WhyText why={why} />} />
          )
        : source.raw !== null && (
            <Loaded load={source.raw} node={open.node} show={text => <RawText text={text} />} />
          )}
    </Dialog>
  )
}

interface LoadedProps<T> {
  readonly load: (node: string) => Promise<T>
  readonly node: string
  readonly show: (answer: T) => VNode
}

function Loaded<T>({ load, node, show }: LoadedProps<T>): VNode {
  const [answer, setAnswer] = useState<{ readonly value: T } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    load(node).then(value => setAnswer({ value }), setFailure)
  }, [load, node])
  if (failure !== null) return <Failure isPart error={failure} />
  return answer === null ? <Spinner /> : show(answer.value)
}

function WhyText({ why }: { why: Why }): VNode {
  return (
    <div class="why">
      <p>
        <strong>{why.live ? 'In context' : 'Not in context'}</strong>
        {why.live ? ': the next request carries it.' : ': the next request does not carry it.'}
      </p>
      <dl>
        {why.because.map(({ rule, evidence }) => (
          <>
            <dt>{rule}</dt>
            <dd>{evidence}</dd>
          </>
        ))}
      </dl>
      <p class="faint">
        {why.file}, row {why.row}
      </p>
    </div>
  )
}

function RawText({ text }: { text: string }): VNode {
  return (
    <div class="raw">
      <Code text={prettyJson(text) ?? text} language="json" lines={400} />
    </div>
  )
}
