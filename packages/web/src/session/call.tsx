/** Tool calls in the conversation, with the subagents they started. */

import { commitsIn, missingIn } from '@dagline/core/content'
import { money, plural } from '@dagline/core/format'
import { type Block, FROM_PROGRESS, type ToolCallContent } from '@dagline/core/protocol'
import type { ComponentChildren, VNode } from 'preact'
import { pathWith } from '../app/api.js'
import { useWhole } from '../text/cut.js'
import { ToolCard, type ToolLink } from '../tools/card.js'
import { isFields, textAt } from '../tools/fields.js'
import { isOpenByDefault } from '../tools/index.js'
import { goToNode, type Session, toggleLine, useSession, useView } from './state.js'

interface CallProps {
  readonly call: ToolCallContent
  readonly row: number
  /** The uuid of the record, and the block in it. */
  readonly node: string
  readonly block: number
  readonly children?: ComponentChildren
}

/** A call, its result, and its subagent. */
export function CallView({ call, row, node, block, children }: CallProps): VNode {
  const session = useSession()
  const { sheet } = useView()
  const isOpen = isCallOpen(session, call)
  const { whole, more } = useWhole(node, block, missingIn(call.input))
  return (
    <ToolCard
      call={whole === null ? call : { ...call, input: inputOf(whole) ?? call.input }}
      more={more}
      time={sheet.rows.time[row] ?? null}
      folder={sheet.session.cwd}
      links={session.source.isServed ? linksOf(call, sheet.session.id) : []}
      isOpen={isOpen}
      onToggle={() => {
        session.opened(call.id).value = !isOpen
      }}
    >
      {call.late !== undefined && <JumpLine label="Go to the result ↓" node={call.late} />}
      {call.agent !== null && <AgentLine line={call.agent} row={row} />}
      {children}
    </ToolCard>
  )
}

/** What other pages tell about a call: who wrote the lines of its file, who is behind its commit. */
function linksOf({ name, input, result }: ToolCallContent, session: string): readonly ToolLink[] {
  if (result === null || result.state !== 'ok') return []
  const file = CHANGING.has(name) ? textAt(input, 'file_path', 'notebook_path') : ''
  const commits = name === 'Bash' ? commitsIn(result.text.text) : []
  return [
    ...(file === ''
      ? []
      : [
          {
            href: pathWith('/blame', { file }),
            name: 'Blame',
            title: 'Which prompts wrote the lines of this file',
          },
        ]),
    ...commits.map(rev => ({
      href: pathWith('/commits', { session, rev }),
      name: rev,
      title: 'The sessions behind this commit',
    })),
  ]
}

const CHANGING: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

/** A button that scrolls to another row of the session. */
function JumpLine({ label, node }: { label: string; node: string }): VNode {
  const session = useSession()
  return (
    <button type="button" class="plain-button jump-line" onClick={() => goToNode(session, node)}>
      {label}
    </button>
  )
}

function inputOf(text: string): ToolCallContent['input'] | null {
  const input: unknown = JSON.parse(text)
  return isFields(input) ? input : null
}

/** Whether a call is open: as the reader left it, else by default. */
function isCallOpen(session: Session, call: ToolCallContent): boolean {
  return session.opened(call.id).value ?? isOpenByDefault(call)
}

interface OwnResultProps {
  readonly block: Extract<Block, { readonly kind: 'result' }>
  readonly row: number
}

/** A result with a row of its own: a late one (T4), or one whose call is not above it. */
export function OwnResult({ block, row }: OwnResultProps): VNode {
  const { sheet, facts } = useView()
  const { kind: _, tool, ...result } = block
  const call = { id: result.node, name: tool ?? 'Result', input: {}, result, agent: null }
  const callRow = facts.late.get(row) ?? -1
  const callNode = sheet.rows.node[callRow]
  return (
    <CallView call={call} row={callRow} node={result.node} block={0}>
      {callNode !== undefined && <JumpLine label="Go to its call ↑" node={callNode} />}
    </CallView>
  )
}

/** The subagent of a call: its size, cost and state. A click opens it in place. */
export function AgentLine({ line, row }: { line: number; row: number }): VNode | null {
  const session = useSession()
  const { sheet, facts, choice } = useView()
  const agent = sheet.lines[line]
  if (agent === undefined) return null
  const isOpen = choice.open.has(line)
  const words = [
    plural(facts.messages[line] ?? 0, 'message'),
    facts.costs[line] == null ? '' : money(facts.costs[line] ?? null),
    agent.agent?.state ?? '',
    agent.agent?.step ?? '',
    agent.agent?.source === 'progress' ? FROM_PROGRESS : '',
  ]
  return (
    <button
      type="button"
      class={`agent-line ${agent.agent?.state ?? ''}`}
      aria-expanded={isOpen}
      onClick={() => toggleLine(session, line, row)}
    >
      <span class="agent-name">{agent.agent?.name ?? 'subagent'}</span>
      <span class="agent-facts">{words.filter(Boolean).join(' · ')}</span>
      <span class="agent-open">{isOpen ? 'Close' : 'Open'}</span>
    </button>
  )
}
