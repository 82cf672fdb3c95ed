/** The view of each tool. */
import type { ToolCallContent } from '@dagline/core/protocol'
import { ask, plan } from './ask.js'
import { editFile, editNotebook, glob, grep, list, readFile, writeFile } from './files.js'
import { mcp, plain, skill } from './plain.js'
import { shell } from './shell.js'
import { agent, task, todo } from './tasks.js'
import { resultLines, type ToolView } from './view.js'
import { webFetch, webSearch } from './web.js'

const VIEWS: ReadonlyMap<string, ToolView> = new Map([
  ['Bash', shell],
  ['BashOutput', shell],
  ['KillShell', shell],
  ['KillBash', shell],
  ['PowerShell', shell],
  ['Read', readFile],
  ['NotebookRead', readFile],
  ['Write', writeFile],
  ['Edit', editFile],
  ['MultiEdit', editFile],
  ['NotebookEdit', editNotebook],
  ['Grep', grep],
  ['Glob', glob],
  ['LS', list],
  ['TodoWrite', todo],
  ['TodoRead', todo],
  ['TaskCreate', task],
  ['TaskUpdate', task],
  ['TaskGet', task],
  ['TaskList', task],
  ['TaskOutput', shell],
  ['TaskStop', shell],
  ['Task', agent],
  ['Agent', agent],
  ['SendMessage', agent],
  ['WebFetch', webFetch],
  ['WebSearch', webSearch],
  ['AskUserQuestion', ask],
  ['ExitPlanMode', plan],
  ['exit_plan_mode', plan],
  ['Skill', skill],
  ['SlashCommand', skill],
])

/** The view for a call; a plain one for unknown tools. */
export function viewOf({ name }: ToolCallContent): ToolView {
  return VIEWS.get(name) ?? (name.startsWith('mcp__') ? mcp : plain)
}

/** Bodies of at most so many lines are open by default. */
const SHORT = 14

/** Whether the body of a call is open by default: where it is short, or a short error. */
export function isOpenByDefault(call: ToolCallContent): boolean {
  const hasFailed = call.result?.state === 'error'
  const lines = viewOf(call).lines?.(call) ?? (hasFailed ? resultLines(call) : 0)
  return lines > 0 && lines <= SHORT
}
