/** Task and Agent: what an agent was told, and what it answered. */
import type { ToolCallContent } from '@dagline/core'
import type { VNode } from 'preact'
import { Cut } from '../text/cut.js'
import { Markdown } from '../text/markdown.js'
import { textAt } from './fields.js'
import { missingResult } from './result.js'
import type { ToolView } from './view.js'

/** An agent that was started. */
export const agent: ToolView = {
  title: ({ name }) => (name === 'Task' ? 'Agent' : name),
  summary: ({ input }) => textAt(input, 'description', 'name') || textAt(input, 'prompt', 'message'),
  outcome: ({ input, agent: line }) => (line === null ? textAt(input, 'subagent_type', 'agentType') : ''),
  body: call => <AgentBody call={call} />,
}

function AgentBody({ call }: { call: ToolCallContent }): VNode {
  const { result } = call
  return (
    <>
      <h4 class="label">Told</h4>
      <Markdown text={textAt(call.input, 'prompt', 'message', 'content')} />
      <h4 class="label">Answered</h4>
      {result === null ? (
        <p class="faint">{missingResult(call)}</p>
      ) : (
        <Cut text={result.text} node={result.node} block={call.id}>
          {text => <Markdown text={text} />}
        </Cut>
      )}
    </>
  )
}
