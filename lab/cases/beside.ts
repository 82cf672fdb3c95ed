/** Sessions with nothing wrong in their rows: files beside them are gone, they hold a secret, or are deleted soon. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isPrompt, parseJson, put } from '@dagline/testkit'
import type { FoundSession } from './case.ts'
import { recordedSessions } from './recorded.ts'

/** Of the recordings every so many are left to lie. */
const EVERY = 25

/** All of them. */
export function sessionsBeside(): readonly FoundSession[] {
  const all = recordedSessions()
  const some = all.filter((_, nth) => nth % EVERY === 0)
  const without = (kind: string, name: string): readonly FoundSession[] =>
    all.filter(({ folder }) => holds(folder, name)).map(found => ({ ...found, kind, folder: null }))
  return [
    ...without('transcripts of agents gone', 'subagents'),
    ...without('spilled output gone', 'tool-results'),
    ...some.map(found => ({ ...found, kind: 'secret in a prompt', text: withSecret(found.text) })),
    ...some.map(found => ({ ...found, kind: 'deleted within a week', age: 26 })),
    ...some.map(found => ({ ...found, kind: 'deleted at the next start', age: 40 })),
  ]
}

function holds(folder: string | null, name: string): boolean {
  const own = folder === null ? '' : join(folder, name)
  return existsSync(own) && readdirSync(own).length > 0
}

function withSecret(text: string): string {
  const rows = text.trimEnd().split('\n')
  const at = rows.findIndex(row => isPlainPrompt(row))
  if (at < 0) return text
  const { message } = Object(parseJson(rows[at] ?? ''))
  return put(rows, at, { message: { ...message, content: `${message.content} ${secret()}` } })
}

function isPlainPrompt(row: string): boolean {
  const json = parseJson(row)
  return json !== null && isPrompt(json) && typeof Object(json['message']).content === 'string'
}

/** Of the form of a token that opens repositories; nobody has ever been given this one. */
function secret(): string {
  const chance = createHash('sha512')
    .update('lab')
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
  return `ghp_${chance.slice(0, 36)}`
}
