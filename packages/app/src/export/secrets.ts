/** Looking for secrets before anything is written: what is there, and where. */

import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { entryId, type Session } from '@dagline/core'
import { plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import { createRedactor, type Redactor } from '@dagline/core/redact'
import type { ExportedSession } from './exported-session.js'
import { eachTranscriptRow } from './jsonl.js'
import type { ExportOptions } from './options.js'
import { placeholderHash } from './placeholders.js'

/** A likely secret: its kind, and the row it stands in. Never the secret. */
export interface SecretLocation {
  readonly kind: string
  readonly session: string
  readonly node: string | null
  /** The row of its file; null where it is in no row, such as in a title. */
  readonly row: number | null
}

/** A redactor for one export: it replaces what was asked for. */
export function redactorFor({ redact }: Pick<ExportOptions, 'redact'>, names: readonly string[]): Redactor {
  return createRedactor({ what: redact ?? ['secrets'], names, hash: placeholderHash() })
}

/** The names to replace: those that were given, that of the user, and the users in paths. */
export function namesFor(
  { redact, names }: Pick<ExportOptions, 'redact' | 'names'>,
  folders: readonly (string | null)[],
): readonly string[] {
  if (redact?.includes('names') !== true) return []
  const known = [...ownNames(), ...folders.flatMap(userIn)].filter(name => !ANYBODY.test(name))
  return [...new Set([...names, ...known])]
}

/** Names of accounts that are not names of people. */
const ANYBODY =
  /^(?:root|users?|dev|developer|admin|administrator|ubuntu|debian|runner|node|app|vscode|home|test|guest|me|claude|pi|www-data|jenkins|ec2-user|build|builder|ci|git|docker|default|nobody|shared|public|coder|codespace|work|workspace)$/i

/** The name in the configuration of git, and that of the account. */
function ownNames(): readonly string[] {
  return [gitName(), accountName()].filter(name => name.length > 2)
}

function gitName(): string {
  try {
    return execFileSync('git', ['config', 'user.name'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

/** The folders that a session was in. */
export function foldersOf({ files }: Session): readonly (string | null)[] {
  return files.map(({ cwd }) => cwd)
}

/** The user whose home a folder is in. */
function userIn(folder: string | null): readonly string[] {
  const home = /^(?:\/(?:home|Users)\/|[A-Za-z]:[\\/]Users[\\/])([^\\/]{3,})/
  const user = home.exec(folder ?? '')?.[1]
  return user === undefined ? [] : [user]
}

/** Teaches a redactor all that is exported of a session, and says what it found. */
export function learnSecrets(
  exported: ExportedSession,
  redactor: Redactor,
  format: ExportOptions['format'],
): readonly SecretLocation[] {
  const { sheet, loaded, session } = exported
  const locations: SecretLocation[] = []
  const add = (value: unknown, node: string | null, row: number | null): void => {
    for (const { kind } of redactor.learn(value)) locations.push({ kind, session: session.id, node, row })
  }
  if (format === 'jsonl')
    eachTranscriptRow(exported, ({ records, nodes, row }) => add(records, nodes[0] ?? null, row))
  else
    for (const id of sheet.rows.node) {
      const node = loaded.graph.index(entryId(id))
      if (node === null) continue
      const { row } = loaded.graph.node(node)
      add(exported.record(node), id, row)
      for (const text of exported.spilled(node)) add(text, id, row)
    }
  // A title is often what was typed first: it counts where nothing else says the same.
  const seen = new Set(locations.map(({ kind }) => kind))
  const titles = redactor.learn([sheet.session, sheet.names, sheet.junctions, sheet.diagnostics])
  for (const kind of new Set(titles.map(title => title.kind)))
    if (!seen.has(kind)) locations.push({ kind, session: session.id, node: null, row: null })
  return locations
}

/** How many of a kind, and where the first ones are. */
export interface SecretCount {
  readonly kind: string
  readonly count: number
  readonly locations: readonly SecretLocation[]
}

const SHOWN = 4

/** The locations by kind, the most frequent kind first. */
export function countSecrets(locations: readonly SecretLocation[]): readonly SecretCount[] {
  return [...groupBy(locations, ({ kind }) => kind)]
    .map(([kind, found]) => ({ kind, count: found.length, locations: found.slice(0, SHOWN) }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1))
}

/** The message about likely secrets. */
export function secretsFound(secrets: readonly SecretCount[]): string {
  const total = secrets.reduce((sum, secret) => sum + secret.count, 0)
  const verb = total === 1 ? 'is' : 'are'
  return `There ${verb} ${plural(total, 'likely secret')} in it: ${secrets.map(secretWords).join('; ')}.`
}

/** `2 github-token (79cad093 row 12, 80ad1234 row 14)`. */
function secretWords({ kind, count: number, locations }: SecretCount): string {
  const where = [...new Set(locations.map(locationWords))].join(', ')
  return `${number} ${kind} (${where}${number > locations.length ? ', …' : ''})`
}

function locationWords({ node, row, session }: SecretLocation): string {
  if (row === null) return `${shortId(session)} title`
  return `${shortId(node ?? session)} row ${row}`
}
