/** Unknown tools, tools of MCP servers, skills and slash commands. */
import type { ToolCallContent } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { Output } from '../text/ansi.js'
import { countLines } from '../text/clamp.js'
import { Code } from '../text/code.js'
import { oneLine, textAt } from './fields.js'
import { Result, type ToolView } from './view.js'

/** Arguments as a table, the result as text or JSON. */
export const plain: ToolView = {
  summary: ({ input }) => oneLine(Object.values(input)[0] ?? ''),
  body: call => (
    <>
      <Arguments call={call} />
      <Result call={call} />
    </>
  ),
}

/** `mcp__server__tool`, shown as `server › tool`. */
export const mcp: ToolView = {
  ...plain,
  title: ({ name }) =>
    name
      .replace(/^mcp__/, '')
      .split('__')
      .join(' › '),
}

/** A skill or slash command that Claude called. */
export const skill: ToolView = {
  ...plain,
  summary: ({ input }) =>
    [textAt(input, 'skill', 'command', 'name'), textAt(input, 'args', 'arguments')].filter(Boolean).join(' '),
}

function Arguments({ call }: { call: ToolCallContent }): VNode | null {
  const entries = Object.entries(call.input)
  if (entries.length === 0) return null
  return (
    <dl class="arguments">
      {entries.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </>
      ))}
    </dl>
  )
}

function Value({ value }: { value: unknown }): VNode {
  const isText = typeof value === 'string'
  const text = isText ? value : (JSON.stringify(value, null, 2) ?? '')
  if (countLines(text) > 1)
    return isText ? <Output text={text} lines={12} /> : <Code text={text} language="json" lines={12} />
  return <span class="value">{text}</span>
}
