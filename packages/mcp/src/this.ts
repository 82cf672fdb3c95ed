/** B5: the session that a call comes from. Clients do not name it, but Claude Code names the call. */
import { setTimeout } from 'node:timers/promises'
import { type FaceHistory, UserError } from '@dagline/app'

/** What is known of the one who asks. */
export interface Caller {
  /** The id of the tool call, which the transcript of the session has, too. */
  readonly callId: string | null
  /** The session in which the client started the server. It may have been left since. */
  readonly session: string | null
}

/** Where Claude Code puts the id of a tool call. */
const CALL_ID = 'claudecode/toolUseId'

/** The id of the tool call, where the client tells it. */
export function callIdIn(meta: Readonly<Record<string, unknown>> | undefined): string | null {
  const id = meta?.[CALL_ID]
  return typeof id === 'string' && id !== '' && id.length <= 200 ? id : null
}

/** Arguments that name a session or something in it. */
const NAMING = ['session', 'ref', 'seen_at']

const THIS = /^this(?=$|[:@#])/

/** Paths of files: tools read what is below the roots, and nothing else. */
const PATH = /^[/\\~]|^[a-z]:[/\\]|\.\.|\.jsonl$/i

/** Arguments in which `this` is the id of the session. Throws `UserError` where a path stands for a session. */
export async function nameThis<T extends Readonly<Record<string, unknown>>>(
  given: T,
  history: FaceHistory,
  caller: Caller,
): Promise<T> {
  let id: string | null = null
  const named: Record<string, string> = {}
  for (const key of NAMING) {
    const word = given[key]
    if (typeof word !== 'string') continue
    if (PATH.test(word)) throw new UserError(`${word} is a path. Give a session or REF as answers name them.`)
    if (!THIS.test(word)) continue
    id ??= await callingSession(history, caller)
    named[key] = word.replace(THIS, id)
  }
  return { ...given, ...named }
}

/** Claude Code writes rows a moment after it calls: how often they are looked for, and milliseconds between two looks. */
const [LOOKS, PAUSE] = [6, 100]

async function callingSession(history: FaceHistory, { callId, session }: Caller): Promise<string> {
  for (let look = 0; callId !== null && look < LOOKS; look++) {
    if (look > 0) await setTimeout(PAUSE)
    const own = await history.sessionOfCall(callId)
    if (own !== null) return own
  }
  if (session !== null) return session
  history.host.note('The client does not say which session this is: the latest one of this project is used.')
  return 'latest'
}
