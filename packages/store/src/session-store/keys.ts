/** B7: where the transcript of a key lies: as Claude Code would have written it below `projects/`. */

/** Names a transcript: a session's, or with `subpath` that of one of its subagents. */
export interface SessionKey {
  /** The project: by default of the Agent SDK, the working directory as Claude Code encodes it. */
  projectKey: string
  sessionId: string
  /** Such as `subagents/agent-a1b2`. */
  subpath?: string
}

/** The longest name of a file on common file systems, in bytes, without the ending. */
const LONGEST = 240

/** The path of a key's transcript below the folder of the store, with `/`. Throws `RangeError` where a part has no name. */
export function transcriptPath(key: SessionKey): string {
  return `${stemPath(key)}.jsonl`
}

/** The path of the folder that holds the subagents of a session. */
export function sessionFolder({ projectKey, sessionId }: SessionKey): string {
  return stemPath({ projectKey, sessionId })
}

function stemPath({ projectKey, sessionId, subpath }: SessionKey): string {
  const parts = subpath === undefined ? [] : subpath.split('/')
  return [projectKey, sessionId, ...parts].map(toFileName).join('/')
}

/**
 * A name as a file name: what the SDK gives is the same on disk. Other characters become %XX, so that no name leads out of
 * the folder, and each can be read back.
 */
export function toFileName(name: string): string {
  const escaped = encodeURIComponent(withoutLoneSurrogates(name))
    .replace(/[!'()*~]/g, percentEncoded)
    .replace(/^\.+/, dots => '%2E'.repeat(dots.length))
  if (name === '' || escaped.length > LONGEST)
    throw new RangeError(`${JSON.stringify(name)} cannot be part of a key: give 1 to ${LONGEST} characters.`)
  return escaped
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Half a character has no encoding. */
function withoutLoneSurrogates(name: string): string {
  if (/\p{Surrogate}/u.test(name)) throw new RangeError(`${JSON.stringify(name)} is not valid Unicode.`)
  return name
}

/** The name that a file name stands for; null where no name has it. */
export function fromFileName(fileName: string): string | null {
  try {
    const name = decodeURIComponent(fileName)
    return toFileName(name) === fileName ? name : null
  } catch {
    return null
  }
}
