/** The view of each tool. */
import type { ToolCallContent } from '@dagline/core/protocol'
import { ask, plan } from './ask.js'
import { editFile, editNotebook, glob, grep, list, readFile, writeFile } from './files.js'
import { mcp, plain, skill } from './plain.js'
import { shell } from './shell.js'
import { agent, task, todo } from './tasks.js'
import { resultLines, type ToolView } from './view.js'
import { webFetch, webSearch } from './web.js'

/** The tools of each view. */
const TOOLS: readonly (readonly [ToolView, string])[] = [
  [shell, 'Bash BashOutput KillShell KillBash PowerShell TaskOutput TaskStop'],
  [readFile, 'Read NotebookRead'],
  [writeFile, 'Write'],
  [editFile, 'Edit MultiEdit'],
  [editNotebook, 'NotebookEdit'],
  [grep, 'Grep'],
  [glob, 'Glob'],
  [list, 'LS'],
  [todo, 'TodoWrite TodoRead'],
  [task, 'TaskCreate TaskUpdate TaskGet TaskList'],
  [agent, 'Task Agent SendMessage'],
  [webFetch, 'WebFetch'],
  [webSearch, 'WebSearch'],
  [ask, 'AskUserQuestion'],
  [plan, 'ExitPlanMode exit_plan_mode'],
  [skill, 'Skill SlashCommand'],
]

const VIEWS: ReadonlyMap<string, ToolView> = new Map(
  TOOLS.flatMap(([view, names]) => names.split(' ').map(name => [name, view] as const)),
)

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
