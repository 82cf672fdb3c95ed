/** Actions of the page in a worker, while the server goes on answering. */
import type { ActionOutcome, ActionRequest } from '@dagline/core/protocol'
import { doAction } from './actions/actions.js'
import { openHistory } from './history.js'
import { silentHost } from './host/host.js'
import { UserError } from './host/user-error.js'
import { runOnce } from './workers/pool.js'

/** An action, and where. */
export interface ActInput {
  readonly roots: readonly string[]
  readonly request: ActionRequest
  readonly dryRun: boolean
}

/** Does an action in a worker. */
export function actInWorker(input: ActInput): Promise<ActionOutcome> {
  return runOnce('act', input, { endedEarly, here: act })
}

function endedEarly(code: number | null): UserError {
  const what = `The action ended early (${code ?? 'killed'})`
  return new UserError(`${what}. Run \`dagline history\` to see whether it was done.`)
}

/** The task of a worker: does an action. What is noted on the way follows what was done. */
export async function act({ roots, request, dryRun }: ActInput): Promise<ActionOutcome> {
  const notes: string[] = []
  const host = { ...silentHost(roots), note: (text: string) => void notes.push(text) }
  const history = openHistory({ host })
  try {
    const outcome = await doAction(history, request, dryRun)
    return { ...outcome, sentences: [...outcome.sentences, ...notes] }
  } finally {
    history.close()
  }
}
