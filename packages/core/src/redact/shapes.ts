/** Secrets with a known shape: parts of fixed lengths between fixed characters. */
import type { Found, SecretRule } from './anchors.js'
import { type CharSet, isIn, runEnd, runStart, SETS } from './chars.js'
import { isTokenBody } from './likely.js'
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
  { kind: 'azure-secret', words: ['Q~'], spanAt: azureSecretAt },
  {
    kind: 'aws-signature',
    words: ['X-Amz-Signature=', 'X-Amz-Security-Token='],
    spanAt: following(token, 32),
  },
  { kind: 'mailchimp-key', words: ['-us'], spanAt: mailchimpAt },
  { kind: 'google-oauth', words: ['1//0'], spanAt: refreshAt },
  { kind: 'terraform-token', words: ['.atlasv1.'], spanAt: terraformAt },
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
