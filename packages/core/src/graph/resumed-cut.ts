/**
 * L8: `--resume-session-at` in the middle of a message. The process that was started so sends the message cut at that
 * part; a later plain resume sends it whole. Both were really sent: the process of the last prompt decides.
 *
 * 2.0.x loads the bare chain. Results of the message stand behind the cut and are not sent: the process that was started
 * so sends the calls without them, a later one leaves out the calls, too (recording random-2.0.50/9128).
 */
import { subtypeOf } from './compactions.js'
import { isEarly, startsTurn } from './entries.js'
import { followsAtOnce } from './processes.js'
import { isLoaded, nextOnChain, type Sending } from './sent-parts.js'
import * as t from './table.js'
import { resultsOf, toolsOf } from './tool-index.js'

/** A message as far as it is sent. */
interface CutMessage {
  readonly parts: readonly number[]
  /** Only results on the chain are sent. */
  readonly isBare: boolean
}

/** Cuts a message where the conversation was resumed in its middle. */
export function cutWhereResumed(sending: Sending, parts: readonly number[]): CutMessage {
  const whole = { parts, isBare: false }
  if (sending.isWhole) return whole
  const last = parts.findLastIndex(part => sending.positions.has(part))
  const next = nextOnChain(sending, parts[last] ?? t.none)
  if (next === t.none || !isResumeAt(sending, next)) return whole
  const cut = parts.slice(0, last + 1)
  if (isEarly(sending.state, next)) return { parts: bareParts(sending, cut, next), isBare: true }
  return isLoaded(sending, next) ? whole : { parts: cut, isBare: false }
}

/** Whether a turn begins, in the file whose conversation it is, right behind a part. */
function isResumeAt({ state: { table }, file }: Sending, next: number): boolean {
  if (t.int(table.file, next) !== file.index) return false
  return startsTurn(table, next) && t.byte(table.says, next) !== t.SaysSummary
}

/** The parts that 2.0.x sends of a message cut so. */
function bareParts(sending: Sending, parts: readonly number[], next: number): readonly number[] {
  if (isSameProcess(sending, next)) return parts
  return parts.filter(part => toolsOf(sending.state, part).every(tool => isAnsweredOnChain(sending, tool)))
}

function isAnsweredOnChain({ state, positions }: Sending, tool: number): boolean {
  return resultsOf(state, tool).some(result => positions.has(result))
}

/**
 * Whether the process that began a turn also wrote all prompts after it. 2.0.x leaves no mark where a process ends. But a
 * hook summary stays in memory until the next prompt, so a prompt that hangs on one is of the same process, and so is one
 * that follows at once.
 */
function isSameProcess({ state, file, chain, positions }: Sending, from: number): boolean {
  const { table } = state
  for (let i = (positions.get(from) ?? 0) - 1; i >= 0; i--) {
    const node = chain[i] ?? t.none
    if (t.byte(table.says, node) !== t.SaysPrompt) continue
    const parent = t.int(table.parent, node)
    const isSummary =
      t.byte(table.kind, parent) === t.System && subtypeOf(state, parent) === 'stop_hook_summary'
    if (!isSummary && !followsAtOnce(table, file, node)) return false
  }
  return true
}
