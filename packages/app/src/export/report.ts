/** R4: what an export says about redaction: what was replaced, by kind, and never that nothing is left. */
import { plural } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import type { Redactor } from '@dagline/core/redact'
import type { Written } from './session.js'

/** How often a kind was replaced. */
export interface ReplacedKind {
  readonly kind: string
  readonly count: number
  readonly different: number
}

/** What was replaced in an export. */
export interface Redacted {
  /** The most frequent kind first. */
  readonly replaced: readonly ReplacedKind[]
  /** The kinds of what looks like a secret and could not be replaced. */
  readonly left: readonly string[]
}

/** What was replaced in files. */
export function redactedIn(files: readonly Written[], redactor: Redactor): Redacted {
  const placeholders = files.flatMap(file => file.placeholders)
  const replaced = [...groupBy(placeholders, redactor.kindOf)]
    .map(([kind, all]) => ({ kind, count: all.length, different: new Set(all).size }))
    .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1))
  return { replaced, left: files.flatMap(file => file.left) }
}

/** The sentences about it. */
export function redactedText({ replaced, left }: Redacted): string {
  const kinds = replaced.filter(({ kind }) => kind !== LEFT_OUT).map(kindText)
  const omitted = replaced.find(({ kind }) => kind === LEFT_OUT)
  return [
    kinds.length === 0 ? 'No known kind of secret was found.' : `Replaced: ${kinds.join(', ')}.`,
    ...(omitted === undefined
      ? []
      : [
          `${plural(omitted.count, 'text')} could not be cleaned and ${omitted.count === 1 ? 'was' : 'were'} left out.`,
        ]),
    ...(left.length === 0
      ? []
      : [`${plural(left.length, 'likely secret')} could not be replaced: ${[...new Set(left)].join(', ')}.`]),
    'Unknown kinds may remain: look before you share it.',
  ].join(' ')
}

const LEFT_OUT = 'text-left-out'

/** Kinds that are not secrets, in words. */
const PERSONAL: Readonly<Record<string, readonly [string, string]>> = {
  user: ['user name', 'user names'],
  name: ['name', 'names'],
  email: ['email address', 'email addresses'],
}

function kindText({ kind, count, different }: ReplacedKind): string {
  const [one, many] = PERSONAL[kind] ?? [kind, kind]
  return `${plural(count, one, many)}${different < count ? ` (${different} different)` : ''}`
}
