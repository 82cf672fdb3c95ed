/** Whether a text is likely to be a secret. Placeholders, words, code, hashes and ids are not. */

/** What the characters of a text are. */
interface Mix {
  readonly distinct: number
  readonly digits: number
  readonly lowers: number
  readonly uppers: number
  readonly others: number
  /** The share of neighbouring characters that are of different kinds. */
  readonly changes: number
}

/** Words that no random token contains by chance. */
const STAND_IN =
  /example|placeholder|redacted|change.?me|(?:^|[-_])(?:your|fake|dummy|sample)[-_]|^your[A-Z]|x{6}|0{10}|\*{3}|\.{3}|…/i

const WORDS =
  /(?:^|[-_. /])(?:your?|my|some|the|mock|insert|replace|todo|foo|bar|test|here|goes|key|value|secret)(?:[-_. /]|$)/i

/** Whether a text stands for a secret, as in an example. */
export function isPlaceholder(text: string): boolean {
  return isStandIn(text) || WORDS.test(text)
}

function isStandIn(text: string): boolean {
  return mixOf(text).distinct < 5 || STAND_IN.test(text)
}

/** Whether it can be the rest of a token with a known beginning: not a placeholder, and not plain words. */
export function isTokenBody(text: string): boolean {
  const { digits, lowers, uppers } = mixOf(text)
  if (digits === 0 && (lowers < 3 || uppers < 3)) return false
  return !isStandIn(text) && !isWordy(text)
}

/** `i_save_dev_types_if_it_exists`: words with separators. */
function isWordy(text: string): boolean {
  const pieces = text.split(/[-_.]/)
  const words = pieces.filter(piece => /^(?:[A-Z]?[a-z]{0,13}|\d{1,2})$/.test(piece))
  return pieces.length > 3 && words.length * 5 >= pieces.length * 4
}

/** Whether the characters look random: neither words nor a sequence. */
export function looksRandom(text: string): boolean {
  const { distinct, digits, lowers, uppers, changes } = mixOf(text)
  if (distinct < Math.min(10, text.length * 0.4)) return false
  const isMixed = digits > 0 && lowers + uppers > 0
  if (!(isMixed && changes >= 0.18) && !(lowers > 2 && uppers > 2 && changes >= 0.4)) return false
  return !isCounting(text) && !isPlaceholder(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A hash in hexadecimal, as git, md5 and sha256 write it. */
export function isHash(text: string): boolean {
  return /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) && [32, 40, 56, 64, 96, 128].includes(text.length)
}

/** The fewest bits of a password: `test1234` has 22, `Tr0ub4dor&3` has 36. */
const PASSWORD_BITS = 26

/** Whether it is likely to be a password: not a word, not a sequence, not a placeholder. */
export function isPassword(text: string): boolean {
  const { digits, lowers, uppers, others, changes } = mixOf(text)
  if (text.length < 8 || digits === text.length || lowers + uppers + digits === 0) return false
  if (digits + others === 0 && (lowers < 3 || uppers < 3 || changes < 0.4)) return false
  if (digits === 0 && uppers === 0 && /^[a-z]+(?:[-_. ][a-z]+)*$/.test(text)) return false
  if (entropyOf(text) * text.length < PASSWORD_BITS) return false
  return !isCounting(text) && !isStandIn(text) && isOwn(text)
}

/** Words of examples; what is left of a text without them must be somebody's own. */
const STOCK =
  /p[a@]ss(?:w(?:[o0]r)?d|phrase|code)?|s[e3]cr[e3]t|hunter2|qwert[yz]|letmein|admin(?:istrator)?|tests?(?:ing)?|demo|change(?:it|d)?|default|example|sample|dummy|fake|mock|your|my|the|some|here|goes|value|string|token|key|insert|replace|todo|foo|bar|baz|user(?:name)?|root|postgres(?:ql)?|mysql|maria(?:db)?|redis|mongo(?:db)?|rabbitmq|guest|local(?:host)?|dev(?:elopment)?|prod(?:uction)?|stag(?:e|ing)|super|strong|long|random|secure|valid|wrong|invalid|correct|new|old|plain|text|hash(?:ed)?|app|api|auth|database|db|login|account|with|not|real|put|enter|must|be|at|least|min|max|char(?:acter)?s?|length|required|abc|xyz|1234?5?6?7?8?9?0?|20[12]\d/gi

/** Characters in which something of one's own must be found. */
const OWN_MOST = 48

/** Whether enough is left of a text without the words of examples. */
export function isOwn(text: string, least = 4): boolean {
  return (
    text
      .slice(0, OWN_MOST)
      .replace(STOCK, '')
      .replace(/[^\p{L}\p{N}]/gu, '').length >= least
  )
}

/** What people choose rather than write in code: capitals, digits and separators mixed, or signs that names do not have. */
export function isChosen(text: string): boolean {
  const { digits, lowers, uppers } = mixOf(text)
  if (/[!#%^&*+?~]/.test(text) || /[\w.]@|@\w/.test(text)) return digits + uppers > 0
  if ((hasOddCase(text) && text.includes('-')) || (text.length >= 12 && looksRandom(text))) return true
  if (digits === 0 || lowers + uppers === 0) return false
  const groups = text.match(/\d+/g)?.length ?? 0
  if (groups > 2) return !isWordy(text)
  return uppers > 0 && lowers > 0 && (groups > 1 || /-/.test(text) || /\d{3,}$/.test(text))
}

/** Capitals as no name has them: `SCXSnV`, `qTzUw`. */
export function hasOddCase(text: string): boolean {
  return /[A-Z]{2,}[a-z]{1,2}[A-Z]|[a-z][A-Z]{2,}[a-z]|[a-z][A-Z][a-z][A-Z]/.test(text)
}

/** `12345678`, `abcdefgh`: at least half of the characters follow or repeat the one before. */
function isCounting(text: string): boolean {
  let steps = 0
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
    if (step === 1 || step === 0) steps++
  }
  return steps * 2 >= text.length
}

/** The Shannon entropy: bits per character. */
function entropyOf(text: string): number {
  const counts = new Uint16Array(128)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 127
    counts[code] = (counts[code] ?? 0) + 1
  }
  let bits = 0
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Without a `Set`: hostile text has a candidate at nearly every character. */
function mixOf(text: string): Mix {
  const counts = [0, 0, 0, 0]
  const seen = [0, 0, 0, 0]
  let changes = 0
  let before = OTHER
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    counts[kind] = (counts[kind] ?? 0) + 1
    if (kind !== before && kind !== OTHER && before !== OTHER) changes++
    const part = (code >> 5) & 3
    seen[part] = (seen[part] ?? 0) | (1 << (code & 31))
    before = kind
  }
  const [digits = 0, lowers = 0, uppers = 0, others = 0] = counts
  const distinct = seen.reduce((sum, bits) => sum + bitsIn(bits), 0)
  return { distinct, digits, lowers, uppers, others, changes: changes / Math.max(1, text.length - 1) }
}

function bitsIn(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

const OTHER = 3

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 0
  if (code >= 97 && code <= 122) return 1
  return code >= 65 && code <= 90 ? 2 : OTHER
}
