/** A tool call and its result in one card: a summary line, and the body below it. */

import { duration } from '@dagline/core/format'
import type { ToolCallContent, ToolResultContent } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { CopyIcon } from '../parts/copy.js'
import { oneLine } from './fields.js'
import { viewOf } from './index.js'
import './tools.css'

/** A link beside the line of a call. */
export interface ToolLink {
  readonly href: string
  readonly name: string
  readonly title: string
}

interface ToolCardProps {
  readonly call: ToolCallContent
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** The folder of the session, which is omitted from paths. */
  readonly folder: string | null
  /** The time of the call. */
  readonly time: number | null
  /** Pages about what it did. */
  readonly links?: readonly ToolLink[]
  /** Shown below the body where the input is truncated. */
  readonly more?: ComponentChildren
  /** The subagent it started, if any. */
  readonly children?: ComponentChildren
}

/** One tool call. */
export function ToolCard(props: ToolCardProps): VNode {
  const { call, isOpen, onToggle, folder, time, links = [], more, children } = props
  const view = viewOf(call)
  const copied = view.copied?.(call)
  const state = call.result?.state ?? 'none'
  return (
    <section class={`tool ${state}`} data-node={call.result?.node}>
      <div class="tool-head">
        <button type="button" class="tool-line" aria-expanded={isOpen} onClick={onToggle}>
          <span class="tool-name">{view.title?.(call) ?? call.name}</span>
          <span class="tool-summary">
            {within(folder, view.summary(call) || strayWords(call)).slice(0, 300)}
          </span>
          <span class="tool-outcome">{outcomeOf(call, view.outcome?.(call) ?? '', time)}</span>
        </button>
        {links.map(({ href, name, title }) => (
          <a key={href} class="tool-link" href={href} title={title}>
            {name}
          </a>
        ))}
        {copied !== undefined && copied.text !== '' && (
          <CopyIcon title={`Copy ${copied.name}`} text={() => copied.text} />
        )}
      </div>
      {isOpen && (
        <div class="tool-body">
          {view.body(call)}
          {more}
        </div>
      )}
      {children}
    </section>
  )
}

/** A result without its call is summarized by its own text. */
function strayWords({ input, result }: ToolCallContent): string {
  return Object.keys(input).length === 0 ? oneLine(result?.text.text.slice(0, 300)) : ''
}

function within(folder: string | null, text: string): string {
  return folder === null ? text : text.replaceAll(`${folder}/`, '')
}

const STATES: Readonly<Record<ToolResultContent['state'], string>> = {
  ok: '',
  error: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
  spilled: 'stored in a file',
}

/** Shorter times, in milliseconds, are not shown. */
const NOTABLE = 3000

function outcomeOf(
  { result, late }: ToolCallContent,
  outcome: string,
  time: number | null,
): ComponentChildren {
  if (result === null) return <span class="state">{late === undefined ? 'no result' : 'result below'}</span>
  const took = result.time !== null && time !== null ? result.time - time : 0
  const state = STATES[result.state]
  return (
    <>
      {outcome !== '' && outcome !== state && <span>{outcome}</span>}
      {took >= NOTABLE && <span>{duration(took)}</span>}
      {state !== '' && <span class="state">{state}</span>}
    </>
  )
}
