/** J4: the status line of Claude Code, from what Claude Code passes and from what was measured before. */
import type { StatusFigures } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { duration, money, percent, plural, tokens } from '@dagline/core/format'
import { jsonIn } from '@dagline/core/model'
import { asNumber, asObject, asText } from '@dagline/core/parse'
import type { Style } from './style.js'

/** What Claude Code passes to the command of its status line; null where a release does not. */
export interface StatusInput {
  readonly session: string | null
  readonly transcript: string | null
  readonly cwd: string | null
  readonly model: string | null
  /** What the process itself has spent, in USD. */
  readonly cost: number | null
  /** Tokens that the last request carried. */
  readonly context: number | null
  readonly window: number | null
}

/** Reads what Claude Code passes. Anything else is a line without those parts. */
export function readStatusInput(text: string): StatusInput {
  const json = asObject(jsonIn(text)) ?? {}
  const window = asObject(json.context_window)
  const workspace = asObject(json.workspace)
  return {
    session: asText(json.session_id),
    transcript: asText(json.transcript_path),
    cwd: asText(workspace?.['current_dir']) ?? asText(json.cwd),
    model: asText(asObject(json.model)?.['display_name']),
    cost: asNumber(asObject(json.cost)?.['total_cost_usd']),
    context: asNumber(window?.['total_input_tokens']),
    window: asNumber(window?.['context_window_size']),
  }
}

/** What the line is made from. */
interface StatusParts {
  readonly input: StatusInput
  /** Null where nothing was measured yet. */
  readonly figures: StatusFigures | null
  /** The branch of the git repository that the session works in. */
  readonly gitBranch: string | null
  readonly now: number
}

/** The line: `Opus 5.5 · 45k of 1M (5 %) · $1.20 · today $5.40 · block $3.10, 2h 10m left · main · 2 abandoned branches`. */
export function statusText({ input, figures, gitBranch, now }: StatusParts, style: Style): string {
  // What was measured lags behind by a request; what the process says starts at zero with every resume.
  const costs = [figures?.session ?? null, input.cost].filter(cost => cost !== null)
  const cost = costs.length === 0 ? null : Math.max(...costs)
  const parts = [
    input.model,
    contextText(input, style),
    cost === null ? null : money(cost),
    figures?.today == null ? null : `today ${money(figures.today)}`,
    blockText(figures, now),
    gitBranch,
    figures === null || figures.branches === 0
      ? null
      : plural(figures.branches, 'abandoned branch', 'abandoned branches'),
  ]
  return parts.flatMap(part => (part === null ? [] : cleanLine(part))).join(' · ')
}

/** Parts of the window above which its share is marked: Claude Code compacts soon. */
const NEARLY_FULL = 0.8

function contextText({ context, window }: StatusInput, style: Style): string | null {
  if (context === null) return null
  if (window === null || window <= 0) return `${tokens(context)} in context`
  const share = percent(context, window)
  return `${tokens(context)} of ${tokens(window)} (${context / window >= NEARLY_FULL ? style.bad(share) : share})`
}

function blockText(figures: StatusFigures | null, now: number): string | null {
  if (figures?.block == null || figures.blockEnd === null || figures.blockEnd <= now) return null
  return `block ${money(figures.block)}, ${duration(figures.blockEnd - now)} left`
}
