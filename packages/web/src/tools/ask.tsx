/** Questions and plans of Claude, and the answers of the user. */
import type { ToolCallContent } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { Markdown } from '../text/markdown.js'
import { type Fields, fieldsAt, isFields, listAt, textAt } from './fields.js'
import { Result, type ToolView } from './view.js'

/** Questions with options. */
export const ask: ToolView = {
  title: () => 'Question',
  summary: call => textAt(questionsOf(call)[0], 'question'),
  outcome: call => Object.values(answersOf(call)).filter(isText).join(', '),
  lines: () => 6,
  body: call => (
    <>
      {questionsOf(call).map(question => (
        <Question question={question} answer={textAt(answersOf(call), textAt(question, 'question'))} />
      ))}
      {Object.keys(answersOf(call)).length === 0 && <Result call={call} />}
    </>
  ),
}

/** A plan for the user to approve. */
export const plan: ToolView = {
  title: () => 'Plan',
  summary: ({ input }) => (textAt(input, 'plan').split('\n')[0] ?? '').replace(/^#+\s*/, ''),
  outcome: ({ result }) => (result === null ? '' : result.state === 'ok' ? 'approved' : 'not approved'),
  lines: () => 6,
  body: call => (
    <>
      <Markdown text={textAt(call.input, 'plan') || textAt(call.result?.facts, 'plan')} />
      {call.result !== null && call.result.state !== 'ok' && <Result call={call} />}
    </>
  ),
}

function Question({ question, answer }: { question: Fields; answer: string }): VNode {
  const options = listAt(question, 'options').filter(isFields)
  return (
    <div class="question">
      <p>{textAt(question, 'question')}</p>
      <ul>
        {options.map(option => (
          <li class={answer.includes(textAt(option, 'label')) ? 'chosen' : undefined}>
            {textAt(option, 'label')} <span class="faint">{textAt(option, 'description')}</span>
          </li>
        ))}
      </ul>
      {answer !== '' && (
        <p>
          <span class="label">Answer</span> {answer}
        </p>
      )}
    </div>
  )
}

function questionsOf({ input }: ToolCallContent): readonly Fields[] {
  return listAt(input, 'questions').filter(isFields)
}

function answersOf({ result, input }: ToolCallContent): Fields {
  return fieldsAt(result?.facts, 'answers') ?? fieldsAt(input, 'answers') ?? {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
