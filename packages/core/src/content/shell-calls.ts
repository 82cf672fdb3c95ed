/** Shell commands that calls ran, and the commits that their results name. */
import { asObject, asText, type Json } from '../parse/json.js'
import { messageParts, readParts, recordOf } from './parts.js'

/** A call of the shell. */
export interface ShellCall {
  readonly id: string
  readonly command: string
}

/** The calls of a record that run a shell command, in their order. */
export function shellCalls(json: Json): readonly ShellCall[] {
  return messageParts(json).flatMap(part => {
    const command =
      part.kind === 'call' && part.name === 'Bash' ? asText(asObject(part.input)?.command) : null
    return part.kind !== 'call' || command === null ? [] : [{ id: part.id, command }]
  })
}

/**
 * The beginnings of the hashes of commits that a record with the result of a command tells of: by the client's own note
 * (2.1.197 and later), or by what `git commit`, `merge`, `cherry-pick` and `revert` print.
 */
export function commitsMade(result: Json): readonly string[] {
  const noted = asText(asObject(asObject(asObject(result.toolUseResult)?.gitOperation)?.commit)?.sha)
  const texts = readParts(result, recordOf(result)).map(part => (part.kind === 'result' ? part.text : ''))
  return [...new Set([...(noted === null ? [] : [noted]), ...texts.flatMap(commitsIn)])]
}

/** The beginnings of the hashes of commits that the output of a command tells of. */
export function commitsIn(output: string): readonly string[] {
  return [...output.matchAll(MADE)].map(([, hash = '']) => hash)
}

/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject`. */
const MADE = /^\[[^\]\n]*?\b([0-9a-f]{7,64})\] /gm
