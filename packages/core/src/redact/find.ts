/** Finding secrets, in time proportional to the length of the text. */
import { lazily } from '../model/group.js'
import { ADDRESSES } from './addresses.js'
import { createSearch, type Found, mergeFound, type Part, type SecretRule } from './anchors.js'
import { ASSIGNMENTS } from './assignments.js'
import { decodedRuns } from './base64.js'
import { runEnd, SETS } from './chars.js'
import { COLUMNS, INSERTS } from './columns.js'
import { decodeMarks, type Unescaped, unescapeText } from './escapes.js'
import { KEYS } from './keys.js'
import { isUuid, looksRandom } from './likely.js'
import { COMMAND_LINES, LOGIN_LINES } from './lines.js'
import { ACCOUNTS, MANIFESTS, STATES, WEB_KEYS } from './manifests.js'
import { PROSE } from './prose.js'
import { findSeeds, PHRASES } from './seeds.js'
import { findBots, SHAPES } from './shapes.js'
import { TOKENS } from './tokens.js'

/** Rules for any text, and those for what people and programs write in lines. */
const RULES: readonly SecretRule[] = [...TOKENS, ...SHAPES, KEYS, ADDRESSES, ASSIGNMENTS]
/** Rules for values that are secret because of what another field says. */
const FIELDS: readonly SecretRule[] = [MANIFESTS, STATES, ACCOUNTS, WEB_KEYS]
const LINE_RULES: readonly SecretRule[] = [
  ...COMMAND_LINES,
  ...LOGIN_LINES,
  COLUMNS,
  INSERTS,
  ...FIELDS,
  PHRASES,
  PROSE,
]

/** Matches placeholders, and nothing else. */
export const PLACEHOLDER: RegExp = /\[redacted:[a-z0-9-]+-[0-9a-f]{6,}\]/g

/** Every kind of secret that is known. */
export const SECRET_KINDS: ReadonlySet<string> = new Set([
  ...[...RULES, ...LINE_RULES].flatMap(({ kinds }) => kinds),
  'discord-token',
  'seed-phrase',
])

/**
 * Finds likely secrets by their beginning, their shape, or the name they are assigned to, also where escapes or line
 * breaks divide them, or where they are encoded: in base64, for an address, for HTML. In order; none overlaps another.
 */
export function findSecrets(text: string): readonly Found[] {
  if (text.length < SHORTEST || isIdOrTime(text)) return []
  const found = searchIn(text)
  const plain = unescapeText(text)
  const decoded = decodeMarks(plain?.text ?? text)
  if (plain === null && decoded === null) return outside(text, mergeFound(found))
  const inPlain = plain === null ? [] : searchIn(plain.text)
  const inDecoded = decoded === null ? [] : searchIn(decoded.text).map(each => movedTo(each, decoded))
  const more = plain === null ? inDecoded : [...inPlain, ...inDecoded].map(each => movedTo(each, plain))
  return outside(text, mergeFound([...found, ...more]))
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Whether a text is a uuid or a time, and nothing else: every record has several, which hold no secret by themselves. */
function isIdOrTime(text: string): boolean {
  return (text.length === 36 && isUuid(text)) || (text.length === 24 && TIME.test(text))
}

/**
 * Finds secrets in data as it is written, where its texts were searched one by one: what only shows across two of them. In
 * the notation of data, commands and sentences have no end.
 */
export function findWritten(text: string): readonly Found[] {
  return outside(text, mergeFound(writtenSearch()(text)))
}

/**
 * Finds secrets in one record as it is written: what only shows by another field of it. Its texts were searched one by one: no
 * name of a field or of a value is as long as those that are passed over.
 */
export function findAcross(text: string): readonly Found[] {
  return outside(text, mergeFound(acrossSearch()(text, betweenTexts(text))))
}

/** The longest text in a record that may name what another field holds. */
const NAME_MOST = 200

/** What is around the long texts of a record in JSON. */
function betweenTexts(text: string): readonly Part[] {
  const parts: Part[] = []
  let start = 0
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = closingQuote(text, open + 1)
    if (close < 0) break
    if (close - open > NAME_MOST) {
      parts.push({ start, end: open + 1 })
      start = close
    }
    open = text.indexOf('"', close + 1)
  }
  return [...parts, { start, end: text.length }]
}

/** The position of the quote that ends a text in JSON. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at
  }
  return -1
}

/** A placeholder, also where a format has taken its brackets. */
const MARK = /redacted:[a-z0-9-]+-[0-9a-f]{6,}[\]*]*/g

/** Those that are not inside of a placeholder, whose words and digits look like a secret themselves. */
function outside(text: string, found: readonly Found[]): readonly Found[] {
  if (found.length === 0 || !text.includes('redacted:')) return found
  const places = [...text.matchAll(MARK)].map(({ 0: mark, index }) => [index, index + mark.length] as const)
  return found.filter(({ start, end }) => !places.some(([from, to]) => start >= from && end <= to))
}

/** A secret of a decoded text at its location in the encoded one. */
function movedTo(found: Found, { startOf, endOf }: Unescaped): Found {
  return { ...found, start: startOf(found.start), end: endOf(found.end) }
}

/** Secrets in a text, and runs of base64 with a secret in them: such a run is one secret as a whole. */
function searchIn(text: string, depth = 0): readonly Found[] {
  const found = scan(text)
  const runs = decodedRuns(text).flatMap(({ start, end, text: inner }) => {
    const secrets = depth < DEEPEST ? searchIn(inner, depth + 1) : scan(inner)
    const [first] = secrets
    if (first === undefined) return []
    const last = runEnd(text, end, SETS.equals, 2)
    const within = secrets.flatMap(each => [inner.slice(each.start, each.end), ...(each.inner ?? [])])
    return [{ kind: first.kind, start, end: last, inner: within }]
  })
  return joined([found, runs])
}

/** Base64 within base64 that is decoded, too: files of settings that are encoded as a whole have encoded keys. */
const DEEPEST = 1

/** A secret with the name it is assigned to has at least so many characters. */
const SHORTEST = 10

/** Made on first use: most commands load this module and never search for secrets. */
const anySearch = lazily(() => createSearch([...RULES, ...LINE_RULES]))
const writtenSearch = lazily(() => createSearch(RULES))
const acrossSearch = lazily(() => createSearch([...RULES, ...FIELDS]))

function scan(text: string): readonly Found[] {
  const found = anySearch()(text)
  const partners = found.flatMap(({ kind, end }) => (kind === 'aws-key' ? partnerOf(text, end) : []))
  return joined([found, partners, findBots(text), findSeeds(text)])
}

/** All of them; the same list where only one has any. */
function joined(lists: readonly (readonly Found[])[]): readonly Found[] {
  const some = lists.filter(list => list.length > 0)
  return some.length < 2 ? (some[0] ?? []) : some.flat()
}

const NEAR = 200

/** The secret that belongs to the id of an AWS key: forty characters, soon after it. */
function partnerOf(text: string, from: number): readonly Found[] {
  const limit = Math.min(text.length, from + NEAR)
  for (let at = from; at < limit; at++) {
    const end = runEnd(text, at, SETS.base64, 64)
    if (end - at === 40 && isSecretKey(text.slice(at, end))) return [{ kind: 'aws-secret', start: at, end }]
    at = end
  }
  return []
}

function isSecretKey(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && looksRandom(text)
}
