/** Bash and similar tools: the command, and its output with colors. */
import type { ToolCallContent } from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { Output } from '../text/ansi.js'
import { countLines } from '../text/clamp.js'
import { Code } from '../text/code.js'
import { flagAt, numberAt, oneLine, textAt } from './fields.js'
import { Picture, Result, resultLines, type ToolView } from './view.js'

const COMMAND = ['command', 'cmd', 'script', 'bash_id', 'shell_id', 'task_id']

/** A shell command. */
export const shell: ToolView = {
  summary: ({ input }) => oneLine(textAt(input, ...COMMAND)),
  copied: ({ input }) => ({ name: 'command', text: textAt(input, ...COMMAND) }),
  outcome: exitOf,
  lines: call => countLines(textAt(call.input, ...COMMAND)) + resultLines(call),
  body: call => <ShellBody call={call} />,
}

function ShellBody({ call }: { call: ToolCallContent }): VNode {
  const facts = call.result?.facts ?? null
  const errors = textAt(facts, 'stderr')
  const about = textAt(call.input, 'description')
  const command = textAt(call.input, ...COMMAND)
  return (
    <>
      {about !== '' && <p class="faint">{about}</p>}
      {!isShort(command) && <Code text={command} language="bash" lines={12} />}
      {facts !== null && errors !== '' && call.result?.text.cut === null ? (
        <Streams output={textAt(facts, 'stdout')} errors={errors} call={call} />
      ) : (
        <Result call={call} />
      )}
    </>
  )
}

/** Whether the summary line shows the whole command. */
function isShort(command: string): boolean {
  return command.length <= 90 && !command.includes('\n')
}

function Streams({ output, errors, call }: { output: string; errors: string; call: ToolCallContent }): VNode {
  return (
    <>
      {output !== '' && <Output text={output} />}
      <div class="stderr">
        <Output text={errors} />
      </div>
      {call.result?.images.map(image => (
        <Picture image={image} />
      ))}
    </>
  )
}

/** The exit code is in the text of failed commands, or in a field of its own. */
function exitOf({ result }: ToolCallContent): string {
  if (result === null) return ''
  const code = numberAt(result.facts, 'exitCode') ?? numberAt(result.facts, 'code')
  const written = /^(?:Error: )?Exit code (\d+)/i.exec(result.text.text)?.[1]
  if (flagAt(result.facts, 'interrupted')) return 'interrupted'
  if (written !== undefined) return `exit ${written}`
  return code !== null && code !== 0 ? `exit ${code}` : ''
}
