/** Secrets with a known shape: parts of fixed lengths between fixed characters. */
import { namesIn } from '../model/group.js'
import type { Found, SecretRule } from './anchors.js'
import { type CharSet, isIn, runEnd, runStart, SETS } from './chars.js'
import { isTokenBody, isUuid, looksRandom } from './likely.js'
import { afterBreak, unwrapped, wrappedEnd } from './wraps.js'

const { digit, alnum, hex, url, dotted, base64, token } = SETS

/** A secret at a word, as `[start, end]`; otherwise null, or the position to continue from. */
type Span = readonly [number, number] | number | null

interface Shape {
  readonly kind: string
  readonly words: readonly string[]
  readonly spanAt: (text: string, at: number, word: string) => Span
}

/** The most characters of one part. */
const LOOK = 512

/** How the hashes of passwords begin: crypt, bcrypt, Apache, Argon2, PBKDF2, LDAP, PostgreSQL, phpass. */
const HASHES = `$6$ $5$ $1$ $y$ $gy$ $7$ $2a$ $2b$ $2x$ $2y$ $apr1$ $argon2 $pbkdf2 $scrypt$ $P$ pbkdf2_sha
  {SSHA {SHA SCRAM-SHA-256$`

const KNOWN: readonly Shape[] = [
  { kind: 'jwt', words: ['eyJ'], spanAt: jwtAt },
  { kind: 'openai-key', words: ['T3BlbkFJ'], spanAt: openaiAt },
  { kind: 'sendgrid-key', words: ['SG.'], spanAt: sendgridAt },
  {
    kind: 'slack-webhook',
    words: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    spanAt: following(token, 20),
  },
  {
    kind: 'discord-webhook',
    words: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    spanAt: following(token, 20),
  },
  { kind: 'teams-webhook', words: ['.webhook.office.com/webhookb2/'], spanAt: following(token, 20) },
  { kind: 'telegram-token', words: [':AA'], spanAt: telegramAt },
  { kind: 'azure-key', words: ['AccountKey=', 'SharedAccessKey='], spanAt: following(base64, 40) },
  { kind: 'azure-signature', words: ['?sig=', '&sig='], spanAt: following(token, 32) },
  { kind: 'api-key', words: ['?key=', '&key=', '?code=', '&code='], spanAt: inAddress },
  { kind: 'azure-secret', words: ['Q~'], spanAt: azureSecretAt },
  {
    kind: 'aws-signature',
    words: ['X-Amz-Signature=', 'X-Amz-Security-Token='],
    spanAt: following(token, 32),
  },
  { kind: 'google-signature', words: ['X-Goog-Signature='], spanAt: following(hex, 64) },
  { kind: 'aws-signature', words: ['&Signature=', '?Signature='], spanAt: following(token, 100) },
  {
    kind: 'api-key',
    words: ['infura.io/v3/', 'infura.io/ws/v3/', '.alchemy.com/v2/', '.quiknode.pro/'],
    spanAt: following(url, 32),
  },
  { kind: 'google-oauth', words: ['code=4/0', 'code=4%2F0'], spanAt: following(url, 40) },
  {
    kind: 'token',
    words: ['/reset-password/', '/password-reset/', '/password/reset/', '/magic-link/', '/verify-email/'],
    spanAt: inAddress,
  },
  { kind: 'cookie', words: ['wordpress_logged_in_', 'wordpress_sec_'], spanAt: wordpressAt },
  { kind: 'mailchimp-key', words: ['-us'], spanAt: mailchimpAt },
  { kind: 'google-oauth', words: ['1//0'], spanAt: refreshAt },
  { kind: 'terraform-token', words: ['.atlasv1.'], spanAt: terraformAt },
  { kind: 'airtable-token', words: ['pat'], spanAt: airtableAt },
  { kind: 'asana-token', words: ['1/', '2/'], spanAt: asanaAt },
  { kind: 'azure-ai-key', words: ['JQQJ99'], spanAt: azureKeyAt },
  { kind: 'azure-devops-token', words: ['AZDO'], spanAt: azureDevOpsAt },
  { kind: 'wallet-key', words: ['['], spanAt: keypairAt },
  { kind: 'braintree-token', words: ['access_token$'], spanAt: braintreeAt },
  { kind: 'firebase-key', words: [':APA91b'], spanAt: firebaseAt },
  { kind: 'launchdarkly-key', words: ['sdk-', 'api-', 'mob-'], spanAt: launchdarklyAt },
  { kind: 'salesforce-token', words: ['00D'], spanAt: salesforceAt },
  { kind: 'twitch-token', words: ['oauth:'], spanAt: twitchAt },
  { kind: 'password-hash', words: namesIn(HASHES), spanAt: hashAt },
  { kind: 'password-hash', words: [':::'], spanAt: ntlmAt },
]

/** Shapes, found by the part of them that never changes. */
export const SHAPES: readonly SecretRule[] = KNOWN.map(({ kind, words, spanAt }) => ({
  kinds: [kind],
  words,
  matchAt: (text, at, word) => {
    const span = spanAt(text, at, word)
    return span === null || typeof span === 'number' ? span : { kind, start: span[0], end: span[1] }
  },
}))

/** The longest part of a web token. */
const PART = 16_384
/** The length of a web token's signature: the shortest one, and one made with a large key. */
const SIGNATURE = 43
const LONG_SIGNATURE = 342

/** Three parts of base64, the first two with JSON in them, or five of an encrypted one. */
function jwtAt(text: string, at: number): Span {
  if (!text.startsWith('eyJ', at)) return null
  const ends = partsAt(text, at)
  const [head = at, , signature] = ends
  // Nothing that begins later in this run can be a token either.
  if (signature === undefined || head - at < 14) return Math.max(head, at + 1)
  const isSigned = unwrapped(text.slice(head + 1, head + 30)).startsWith('eyJ')
  const last = isSigned ? signature : ends[4]
  return last === undefined ? head : [at, last]
}

/** The ends of a web token's parts, up to the first that is too short. */
function partsAt(text: string, at: number): readonly number[] {
  const ends: number[] = []
  let isWrapped = false
  for (let from = at; ends.length < 5; ) {
    const first = runEnd(text, from, url, PART)
    const wanted = ends.length < 2 ? PART : isWrapped ? LONG_SIGNATURE : SIGNATURE
    const end = wrappedEnd(text, from, first, { set: url, wanted, least: ends.length > 0 ? 0 : 4 })
    if (end - from < 8) break
    isWrapped ||= end > first
    ends.push(end)
    if (text[end] !== '.') break
    from = afterBreak(text, end + 1)
  }
  return ends
}

function sendgridAt(text: string, at: number): Span {
  if (!text.startsWith('SG.', at)) return null
  const middle = runEnd(text, at + 3, url, LOOK)
  const end = runEnd(text, middle + 1, url, LOOK)
  if (text[middle] !== '.' || middle - at < 16 || end - middle < 16) return null
  return isTokenBody(text.slice(at + 3, end)) ? [at, end] : null
}

/** OpenAI keys have the company's name in base64 in the middle. */
function openaiAt(text: string, at: number, word: string): Span {
  const before = runStart(text, at, url, 160)
  const start = text.slice(before, at).lastIndexOf('sk-')
  const end = runEnd(text, at + word.length, url, LOOK)
  return start >= 0 && at - before - start >= 20 && end - at >= 24 ? [before + start, end] : null
}

/** What follows the word, where there is enough of it: the path of an address, a value. */
function following(set: CharSet, min: number): Shape['spanAt'] {
  return (text, at, anchor) => {
    const from = at + anchor.length
    const end = runEnd(text, from, set, 2 * LOOK)
    return end - from >= min && isTokenBody(text.slice(from, end)) ? [from, end] : null
  }
}

/** The fewest characters of a key in an address. */
const KEY_LEAST = 24

/** A value of an address whose name says little: only where it has all kinds of characters, as no word and no hash does. */
function inAddress(text: string, at: number, name: string): Span {
  const from = at + name.length
  const end = runEnd(text, from, url, LOOK)
  const value = text.slice(from, end)
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)
  return value.length >= KEY_LEAST && isMixed && looksRandom(value) ? [from, end] : null
}

/** The cookie of a login: a user, a time and two hashes behind the name and its hash. */
function wordpressAt(text: string, at: number, name: string): Span {
  const value = runEnd(text, at + name.length, hex, 40) + 1
  const end = runEnd(text, value, token, LOOK)
  return text[value - 1] === '=' && end - value >= 40 ? [value, end] : null
}

function telegramAt(text: string, at: number): Span {
  const start = runStart(text, at, digit, 10)
  const end = runEnd(text, at + 1, url, 64)
  if (at - start < 8 || end - at < 34) return null
  return [start, end]
}

/** Three characters, a digit, `Q~`, and 31 to 34 more. */
function azureSecretAt(text: string, mark: number): Span {
  const at = mark - 1
  if (!isIn(text, at, digit)) return null
  const start = at - 3
  const end = runEnd(text, at + 3, dotted | TILDE, 64)
  const isWhole = start >= 0 && runStart(text, at, dotted | TILDE, 3) === start && end - at - 3 >= 31
  return isWhole && isTokenBody(text.slice(at, end)) ? [start, end] : null
}

const TILDE = token & ~(base64 | dotted)

function mailchimpAt(text: string, at: number): Span {
  if (!isIn(text, at + 3, digit)) return null
  const start = runStart(text, at, hex, 32)
  return at - start === 32 ? [start, runEnd(text, at + 3, digit, 2)] : null
}

function refreshAt(text: string, at: number): Span {
  const end = runEnd(text, at + 3, url, LOOK)
  return end - at >= 40 && !isIn(text, at - 1, alnum) && isTokenBody(text.slice(at + 3, end))
    ? [at, end]
    : null
}

function terraformAt(text: string, at: number, anchor: string): Span {
  const start = runStart(text, at, alnum, 20)
  const end = runEnd(text, at + anchor.length, url, LOOK)
  return at - start >= 10 && end - at >= 60 ? [start, end] : null
}

/** `pat`, fourteen characters, a dot, and a hash. */
function airtableAt(text: string, at: number): Span {
  const dot = at + 17
  if (text[dot] !== '.' || isIn(text, at - 1, url) || runEnd(text, at, alnum, 18) !== dot) return null
  const end = runEnd(text, dot + 1, hex, 64)
  return end - dot > 60 ? [at, end] : null
}

/** `1/`, the number of an account, perhaps another number, a colon, and a hash. */
function asanaAt(text: string, at: number): Span {
  if (!isIn(text, at + 2, digit) || isIn(text, at - 1, alnum)) return null
  const first = runEnd(text, at + 2, digit, 20)
  const colon = text[first] === '/' ? runEnd(text, first + 1, digit, 20) : first
  const end = runEnd(text, colon + 1, hex, 33)
  return first - at >= 12 && text[colon] === ':' && end - colon === 33 ? [at, end] : null
}

/** The newer keys of Azure have a fixed word in their middle. */
function azureKeyAt(text: string, at: number): Span {
  const start = runStart(text, at, alnum, 52)
  const end = runEnd(text, at, alnum, 32)
  return at - start === 52 && end - at === 32 ? [start, end] : null
}

/** 76 characters, `AZDO`, and four more. */
function azureDevOpsAt(text: string, at: number): Span {
  const start = runStart(text, at, alnum, 77)
  const end = runEnd(text, at, alnum, 9)
  return at - start === 76 && end - at === 8 ? [start, end] : null
}

/** The 64 bytes of a key pair as a list of numbers: the whole text, a whole line, or where the words before it say so. */
const KEYPAIR = /\[\s{0,4}(?:\d{1,3},\s{0,12}){63}\d{1,3}\s{0,4}\]/y
const KEYPAIR_LEAD = /(?:keypair|secret_?key|private_?key|id\.json|Uint8Array\()[^\n]{0,60}$/i

function keypairAt(text: string, at: number): Span {
  if (!isIn(text, at + 1, digit) && !/\s/.test(text.charAt(at + 1))) return null
  KEYPAIR.lastIndex = at
  const list = KEYPAIR.exec(text)?.[0]
  if (list === undefined) return null
  const end = at + list.length
  const bytes = list.match(/\d+/g)?.map(Number) ?? []
  const isRandom = new Set(bytes).size >= 40 && Math.max(...bytes) < 256 && Math.max(...bytes) > 127
  const isWhole = /^\n?$/.test(text.charAt(at - 1)) && /^[\r\n]?$/.test(text.charAt(end))
  return isRandom && (isWhole || KEYPAIR_LEAD.test(text.slice(Math.max(0, at - 80), at))) ? [at, end] : null
}

function braintreeAt(text: string, at: number, word: string): Span {
  const end = runEnd(text, at + word.length, SETS.hash, 120)
  return end - at >= 60 && isTokenBody(text.slice(at + word.length, end)) ? [at, end] : null
}

function firebaseAt(text: string, at: number, word: string): Span {
  const start = runStart(text, at, url, 40)
  const end = runEnd(text, at + word.length, url, LOOK)
  return at - start >= 8 && end - at >= 100 ? [start, end] : null
}

/** `sdk-` and a uuid. The words are common, the uuid behind them is not. */
function launchdarklyAt(text: string, at: number, word: string): Span {
  const from = at + word.length
  if (!isIn(text, from, hex) || text[from + 8] !== '-' || isIn(text, at - 1, url)) return null
  const end = runEnd(text, from, hex | DASH, 37)
  return end - from === 36 && isUuid(text.slice(from, end)) ? [at, end] : null
}

/** The id of an organization, an exclamation mark, and a session. */
function salesforceAt(text: string, at: number): Span {
  const mark = runEnd(text, at, alnum, 18)
  if (text[mark] !== '!' || mark - at < 15 || isIn(text, at - 1, alnum)) return null
  const end = runEnd(text, mark + 1, dotted, 2 * LOOK)
  return end - mark >= 60 ? [at, end] : null
}

function twitchAt(text: string, at: number, word: string): Span {
  const from = at + word.length
  const end = runEnd(text, from, alnum, 40)
  return end - from === 30 && isTokenBody(text.slice(from, end)) ? [at, end] : null
}

/** A hash with its salt: everything up to its end can be tried against guesses. */
function hashAt(text: string, at: number, word: string): Span {
  const brace = word.startsWith('{') ? text.slice(at, at + 12).indexOf('}') : 0
  if (brace < 0 || isIn(text, at - 1, alnum)) return null
  const from = at + Math.max(word.length, brace + 1)
  const start = word.startsWith('SCRAM') ? runEnd(text, from, digit, 8) + 1 : from
  const first = runEnd(text, start, SETS.hash, LOOK)
  const end = trimmed(
    text,
    start > from && text[first] === ':' ? runEnd(text, first + 1, base64, LOOK) : first,
  )
  if (end - start < HASH_LEAST) return null
  const body = text.slice(start, start + 2 * HASH_LEAST).replace(/[^A-Za-z0-9]/g, '')
  return isTokenBody(body) ? [at, end] : start + HASH_LEAST
}

/** Two hashes before three colons, as the accounts of Windows are listed. */
function ntlmAt(text: string, at: number): Span {
  const middle = at - 33
  const start = middle - 32
  const isPair = text[middle] === ':' && runStart(text, at, hex, 32) === middle + 1
  return isPair && runStart(text, middle, hex, 33) === start ? [start, at] : null
}

/** The shortest hash, with its salt. */
const HASH_LEAST = 22

function trimmed(text: string, end: number): number {
  let last = end
  while (/[.,$]/.test(text.charAt(last - 1))) last--
  return last
}

const DASH = SETS.url & ~SETS.word

const BOT = /\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}/g

/** Finds tokens of Discord: the id of a bot in base64, a time and a signature. They have no fixed word but their dots. */
export function findBots(text: string): readonly Found[] {
  const found: Found[] = []
  BOT.lastIndex = 0
  for (let match = BOT.exec(text); match !== null; match = BOT.exec(text)) {
    const start = runStart(text, match.index, url, 40)
    const id = match.index - start
    if (id < 23 || id > 28 || !/[MNO]/.test(text.charAt(start))) continue
    found.push({ kind: 'discord-token', start, end: runEnd(text, BOT.lastIndex, url, LOOK) })
  }
  return found
}
