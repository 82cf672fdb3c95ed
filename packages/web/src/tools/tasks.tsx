/** To-do lists, tasks, and calls of subagents. */
import type { ToolCallContent } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { Markdown } from '../text/markdown.js'
import { isFields, listAt, textAt } from './fields.js'
import { Result, type ToolView } from './view.js'

interface Item {
  readonly text: string
  readonly state: string
}

/** The whole to-do list. */
export const todo: ToolView = {
  title: () => 'Todos',
  summary: call => {
    const items = itemsOf(call)
    const active = items.find(item => item.state === 'in_progress')
    return active?.text ?? items.find(item => item.state === 'pending')?.text ?? ''
  },
  outcome: call => {
    const items = itemsOf(call)
    return `${items.filter(item => item.state === 'completed').length}/${items.length} done`
  },
  lines: call => itemsOf(call).length,
  body: call => <Checklist items={itemsOf(call)} />,
}

/** One task: created, changed or read. */
export const task: ToolView = {
  summary: ({ input }) =>
    [textAt(input, 'taskId', 'task_id', 'id'), textAt(input, 'subject', 'activeForm')]
      .filter(Boolean)
      .join(' · '),
  outcome: ({ input }) => textAt(input, 'status').replace('_', ' '),
  body: call => (
    <>
      {textAt(call.input, 'description') !== '' && <p>{textAt(call.input, 'description')}</p>}
      <Result call={call} />
    </>
  ),
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['completed', '☑'],
  ['in_progress', '◐'],
  ['pending', '☐'],
])

function Checklist({ items }: { items: readonly Item[] }): VNode {
  return (
    <ul class="checklist">
      {items.map(({ text, state }) => (
        <li class={state.replace('_', '-')}>
          <span role="img" aria-label={state.replace('_', ' ')}>
            {SYMBOLS.get(state) ?? '☐'}
          </span>
          {text}
        </li>
      ))}
    </ul>
  )
}

function itemsOf({ input }: ToolCallContent): readonly Item[] {
  return listAt(input, 'todos')
    .filter(isFields)
    .map(item => ({ text: textAt(item, 'content', 'subject', 'activeForm'), state: textAt(item, 'status') }))
}

/** A subagent that was started, or a message to one. */
export const agent: ToolView = {
  title: ({ name }) => (name === 'Task' ? 'Agent' : name),
  summary: ({ input }) => textAt(input, 'description', 'name') || textAt(input, 'prompt', 'message'),
  outcome: ({ input, agent: line }) => (line === null ? textAt(input, 'subagent_type', 'agentType') : ''),
  body: call => (
    <>
      <p class="label">Prompt</p>
      <Markdown text={textAt(call.input, 'prompt', 'message', 'content')} />
      <p class="label">Answer</p>
      <Result call={call} isMarkdown />
    </>
  ),
}
