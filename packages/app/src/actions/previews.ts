/** V26: previews of actions. Each has a code that carries out what was previewed, once. */
import { randomBytes } from 'node:crypto'
import type { ActionOutcome, ActionPreview, ActionRequest } from '@dagline/core/protocol'
import { UserError } from '../host/user-error.js'
import { commandFor } from './actions.js'

/** Does an action in another process, or only says what it would do. */
export type Act = (request: ActionRequest, dryRun: boolean) => Promise<ActionOutcome>

/** Actions of a page. */
export interface Actions {
  /** Tries an action without writing anything. Throws `UserError` where it cannot be done. */
  readonly preview: (request: ActionRequest) => Promise<ActionPreview>
  /** Carries out what a preview has shown. Throws `UserError` where the code is not valid any more. */
  readonly run: (code: string) => Promise<ActionOutcome>
}

/** Milliseconds that a code is valid. */
const VALID = 10 * 60 * 1000
/** Codes that are kept; the oldest are dropped. */
const MOST = 100

interface Kept {
  readonly request: ActionRequest
  readonly until: number
}

/** Actions that are previewed first. One is carried out at a time. */
export function createActions(act: Act, now: () => number): Actions {
  const kept = new Map<string, Kept>()
  let before: Promise<unknown> = Promise.resolve()
  const take = (code: string): ActionRequest => {
    const found = kept.get(code)
    kept.delete(code)
    if (found === undefined || found.until < now())
      throw new UserError(
        'This preview was carried out already, or is too old. Preview the action again.',
        'gone',
      )
    return found.request
  }
  return {
    preview: async request => {
      const outcome = await act(request, true)
      const code = randomBytes(24).toString('base64url')
      kept.set(code, { request, until: now() + VALID })
      const [oldest] = kept.keys()
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest)
      return { ...outcome, code, command: commandFor(request) }
    },
    run: async code => {
      const request = take(code)
      const mine = before.then(() => act(request, false))
      before = mine.catch(() => {})
      return await mine
    },
  }
}
