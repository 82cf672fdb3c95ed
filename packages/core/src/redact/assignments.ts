/** Secrets that are known by what they are assigned to: settings, options, fields, headers, cookies. */
import { namesIn } from '../model/group.js'
import type { Found, Match, SecretRule } from './anchors.js'
import { base64Text } from './base64.js'
import { isIn, runEnd, runStart, SETS } from './chars.js'
import { isOwn, isPlaceholder, isTokenBody, isUuid, looksRandom } from './likely.js'
import { isSecretValue, type NameKind, nameKind } from './names.js'

const NAME_MOST = 64
/** Characters of a value that are examined; a longer value is taken to its end. */
const LOOK = 256

/** Values that are assigned to names with one of these words in them. */
export const ASSIGNMENTS: SecretRule = {
  kinds: namesIn('password secret token api-key aws-secret aws-account session authorization cookie'),
  words: [
    ...namesIn(`passw passphrase pass_phrase pass-phrase mot_de_passe geheimnis passcode _pass -pass pass" pass' pass: pass= pwd secret token credential key jwt
      _auth auth" _pat -pat bearer authorization cookie sessid sessionid jsessionid connect.sid account_id accountid psk
      pw= pw: pw" kennwort wachtwoord motdepasse contrasena senha`),
    'pass ',
    'basic ',
  ],
  matchAt: (text, at) => {
    const word = wordAt(text, at)
    return matchBehind(text, word) ?? word.end
  },
}

interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The whole name around a position. */
function wordAt(text: string, at: number): Word {
  const set = SETS.dotted
  const inside = isIn(text, at, set) ? at : at + 1
  const start = runStart(text, inside, set, NAME_MOST)
  let end = runEnd(text, inside, set, NAME_MOST)
  while (end > inside && !isIn(text, end - 1, SETS.word)) end--
  return { start, end: Math.max(end, at + 1), text: text.slice(start, end) }
}

function matchBehind(text: string, word: Word): Match {
  const name = word.text.toLowerCase()
  if (/(?:^|[-_.])bearer$|^basic$/.test(name)) return schemeAt(text, word.start, word.end)
  if (/(?:^|[-_.])authorization$/.test(name)) return headerAt(text, word.end)
  if (/(?:^|[-.])cookies?$/.test(name)) return cookiesAt(text, word.end, name.startsWith('--'))
  if (name === 'auth') return loginAt(text, word.end)
  const kind = isOdbc(text, word) ? 'password' : nameKind(word.text.replace(/^.*\./, '') || word.text)
  return kind === null ? null : valueAt(text, word, kind)
}

/** `;UID=sa;PWD=...` of a connection, not the folder of a shell. */
function isOdbc(text: string, { start, text: name }: Word): boolean {
  return name === 'PWD' && /;[ \t]?$/.test(text.slice(Math.max(0, start - 2), start))
}

/** What stands between a name and its value: a quote, an operator, perhaps a type. */
const OPERATOR =
  /^\\*["'`]?(?:\[\d{0,4})?\]?\*{0,2}[ \t]{0,40}(?::[ \t]{0,8}\{[^{}]{0,200}\\*["']value\\*["']:|:=|=>|=(?!=)(?:[ \t]{0,8}\\?\r?\n[ \t]{0,12}(?:\d{1,6}→|\+)?[ \t]{0,12}(?=["']))?|:(?!:)\*{0,2}|::(?=[ \t])|\\*["'`]?,?\s{0,40}\\*["'`]?[vV]alue\\*["'`]?[ \t]{0,8}[:=]|,[ \t]{0,8}(?=["'])|\\*["'`]?[ \t]{0,4}(?:\|\||\?\?)[ \t]{0,8}(?=["'`])|:-(?=[^\s}])|<\/key>\s{0,40}(?:\d{1,6}→|\+)?\s{0,40}<string>|\{[^{}]{0,100}\bdefault[ \t]{0,20}=)[ \t]{0,40}(?:<(?:code|b|strong|kbd|td|span)>)?(?:(?:string|str|String|&(?:'static )?str|SecretStr|Optional\[str\])(?: \| \w+)?[ \t]{1,4}=[ \t]{1,4})?/
/** A call with the password as its argument: `setPassword("...")`. */
const CALL = /^\([ \t]{0,8}(?=["'])/
/** A value on the lines below its name, as YAML writes it. */
const BLOCK = /^:[ \t]{1,8}[|>][+-]?[ \t]{0,8}\r?\n[ \t]{1,40}(?=\S)/
const XML = /^>/
/** `<string name="client_secret">...`. */
const XML_NAME = /\s(?:name|key|id)=["']$/
const XML_NAMED = /^["'][^<>\n]{0,60}>(?=[^<\s])/
/** A value behind a blank, where the words before the name say that it is a variable: `ENV DB_PASSWORD ...`. */
const VARIABLE = /^[ \t+]{1,4}(?:(?:--body|-b|--value)(?:[ \t+]{1,4}|=|(?=["'])))?(?=[^\s<|&;-])/
const SETS_VARIABLE =
  /(?:^|[^\w.-])(?:ENV|set[ \t+]{1,4}-\w{1,4}|setenv|(?:secret|variable|configure)[ \t+]{1,4}set)[ \t+]{1,4}$/
/** `define('DB_PASSWORD', '...')`, `page.fill('#password', '...')`: the value is the next argument. */
const ARGUMENT = /^["'`\]]{1,3},[ \t]{0,16}(?:"(?=\\?"))?(?=["'`\\])/
const TAKES_ARGUMENT =
  /(?:^|\W)(?:(?:define|putenv|getenv|setdefault|fill|fill_in|type|put|get|set|setProperty|getProperty|setItem|SetEnvironmentVariable)\(|(?:buildConfigField|resValue)\([ \t]{0,8}["']\w{1,20}["'],)[ \t]{0,8}["'`][^"'`\n]{0,40}$/
/** `getByLabel('Password').fill('...')`: the value is the argument of the next call. */
const NEXT_CALL =
  /^["'`\]]{1,3}\)\.(?:fill|type|send_?keys|set_?value|pressSequentially)\([ \t]{0,8}(?=["'`])/i
const OPTION = /^(?:[ \t]{1,4}|=)(?=[^\s-])/
const QUOTED = /^[ \t]{1,4}(?=['"])/

/** Characters before a name that are examined. */
const BEFORE = 64

/** What stands between a name and its value where the words around the name say that one follows. */
function argumentAt(text: string, word: Word, kind: NameKind, rest: string): RegExpExecArray | null {
  const before = (): string => text.slice(Math.max(0, word.start - BEFORE), word.start)
  const variable = VARIABLE.exec(rest)
  if (variable !== null && SETS_VARIABLE.test(before())) return variable
  const next = kind === 'password' ? NEXT_CALL.exec(rest) : null
  if (next !== null) return next
  const argument = ARGUMENT.exec(rest)
  return argument !== null && TAKES_ARGUMENT.test(before()) ? argument : null
}

function valueAt(text: string, word: Word, kind: NameKind): Match {
  const rest = text.slice(word.end, word.end + 160)
  const isOption = text.startsWith('-', word.start)
  const block = BLOCK.exec(rest)
  const argument = argumentAt(text, word, kind, rest)
  const operator =
    block ??
    argument ??
    OPERATOR.exec(rest) ??
    (kind === 'password' ? CALL.exec(rest) : null) ??
    (isOption ? OPTION.exec(rest) : null) ??
    (text[word.start - 1] === '<' ? XML.exec(rest) : null) ??
    (XML_NAME.test(text.slice(Math.max(0, word.start - 8), word.start)) ? XML_NAMED.exec(rest) : null) ??
    (kind === 'password' ? QUOTED.exec(rest) : null)
  if (operator === null) return null
  const application =
    kind === 'password' ? applicationPassword(text, word.end + operator[0].length, word.text) : null
  if (application !== null) return application
  const isCapital = /^[A-Z][A-Z0-9_]*$/.test(word.text)
  // Tests print `PASS: name`.
  if (word.text === 'PASS' && operator[0] !== '=') return null
  const isTight = /^[=:]$/.test(operator[0]) || operator[0] === '>'
  const value = quotedAt(text, word.end + operator[0].length, endOf(text, word, operator[0], isCapital))
  const isSetting =
    isOption ||
    isTight ||
    isCapital ||
    block !== null ||
    argument !== null ||
    /(?:<\w+|["'])>$/.test(operator[0])
  if (operator[0] === '>' && !text.startsWith('</', value.end)) return null
  // In a list, commas separate words.
  const isList = argument === null && operator[0].includes(',') && !/value/i.test(operator[0])
  if (isList && !looksRandom(value.text)) return null
  const isVariable = (isCapital && word.text.includes('_')) || /(?:^|:)_authToken$/.test(word.text)
  const isSecret = isSecretValue(kind, { ...value, isSetting, isVariable })
  return isSecret ? { kind, start: value.start, end: wholeEnd(text, value) } : null
}

/** `abcd efgh ijkl mnop`, as Google and Apple make passwords for one program: four groups that are not four words. */
const APPLICATION =
  /^\\*["'`]?([a-z]{4}([ -])[a-z]{4}\2[a-z]{4}\2[a-z]{4})(?=\\*["'`]|[ \t]*(?:[\r\n#]|$| -))/

function applicationPassword(text: string, at: number, name: string): Found | null {
  const match = APPLICATION.exec(text.slice(at, at + 40))
  const password = match?.[1] ?? ''
  // Nearly every word has a vowel in it; of four groups by chance, one has none.
  const isWords = password.includes(' ') && password.split(' ').every(group => /[aeiou]/.test(group))
  if (match === null || !isOwn(password) || (isWords && !/app/i.test(name))) return null
  const start = at + match[0].length - password.length
  return { kind: 'password', start, end: start + password.length }
}

/** What ends a value without quotes: in a setting the next blank, in code also what separates values. */
function endOf(text: string, word: Word, operator: string, isCapital: boolean): RegExp {
  if (operator.endsWith('>')) return UNQUOTED_END
  if (isCapital && operator === '=') return LINE_END
  const isYaml =
    /^:[ \t]/.test(operator) &&
    /(?:^|\n)[ \t]*(?:- )?["']?$/.test(text.slice(Math.max(0, word.start - 24), word.start))
  return isYaml ? LINE_END : UNQUOTED_END
}

/** The end of a value that is longer than what was examined. */
function wholeEnd(text: string, { start, end }: Value): number {
  return end - start < LOOK ? end : runEnd(text, end, SETS.token, text.length)
}

interface Value {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isQuoted: boolean
}

/** The value that begins at a position: up to the closing quote, or up to a blank or punctuation. */
function quotedAt(text: string, at: number, unquotedEnd: RegExp): Value {
  const open = /^[rbfRBF@$N]?(\\*["'`])/.exec(text.slice(at, at + 12))
  const start = at + (open?.[0].length ?? 0)
  const near = text.slice(start, start + LOOK)
  const quote = open?.[1] ?? ''
  const length = quote === '' ? -1 : near.indexOf(quote)
  const isQuoted = quote !== '' && length >= 0 && isOneValue(near, length)
  const plain = isQuoted ? length : near.search(unquotedEnd)
  const end = start + (plain < 0 ? near.length : plain)
  return { start, end, text: text.slice(start, end), isQuoted }
}

/** Whether a quote closes a value: on the same line, or over a break inside of the value, with what separates values behind it. */
function isOneValue(near: string, length: number): boolean {
  const inside = near.slice(0, length)
  if (!inside.includes('\n')) return true
  return (
    length < 100 &&
    /^[^\n:=;{}]{4,}\n[^\n:=;{} ]+$/.test(inside) &&
    /^["'`\\]{1,4}[ \t]{0,4}(?:[,;)}\]\n]|$)/.test(near.slice(length))
  )
}

const UNQUOTED_END = /[\s"'`,;<>|)\]}]|\\["'nrt]|&(?=[\w.-]{0,40}=|&|amp;|\s|$)/
/** The value of an environment variable ends at the next blank. */
const LINE_END = /[\s"'`]|[,;)]+(?=\s|$)|\\["'nrt]|&(?=[\w.-]{0,40}=|&)/

/** `"auth": "..."` of a container registry: a login in base64. */
function loginAt(text: string, at: number): Match {
  const from = headerValueAt(text, at)
  if (from === null) return null
  const end = runEnd(text, from, SETS.base64, LOOK)
  const plain = end - from < 12 ? null : base64Text(text.slice(from, end))
  return plain === null || !/^[\x21-\x7e]+:[\x20-\x7e]{4,}$/.test(plain)
    ? null
    : { kind: 'password', start: from, end }
}

/** The position of a header's value, behind its colon and quotes; null without them. */
function headerValueAt(text: string, at: number): number | null {
  const lead = /^\\*["'`]?[ \t]{0,8}[:=,][ \t]{0,8}\\*["'`]?/.exec(text.slice(at, at + 40))
  return lead === null ? null : at + lead[0].length
}

/** The position of an option's value: `--cookie "a=1"`. */
function optionValueAt(text: string, at: number): number | null {
  const lead = /^[ \t=]{1,4}\\*["'`]?(?=\w)/.exec(text.slice(at, at + 12))
  return lead === null ? null : at + lead[0].length
}

/** `Authorization: Bearer ...`, in any quotes. */
function headerAt(text: string, at: number): Match {
  const from = headerValueAt(text, at)
  if (from === null) return null
  const scheme = /^[A-Za-z][\w-]{2,20}[ \t]{1,4}(?=\S)/.exec(text.slice(from, from + 30))
  return credentialAt(text, from + (scheme?.[0].length ?? 0))
}

/** `Bearer ...` or `Basic ...` without a header. */
function schemeAt(text: string, start: number, at: number): Match {
  const gap = /^[ \t]{1,4}\\*["'`]?/.exec(text.slice(at, at + 12))
  if (gap === null || isIn(text, start - 1, SETS.alnum)) return null
  return credentialAt(text, at + gap[0].length)
}

function credentialAt(text: string, at: number): Match {
  const end = runEnd(text, at, SETS.token, LOOK)
  const value = text.slice(at, end)
  const isBasic = value.length >= 8 && /[a-z]/.test(value) && /[A-Z]/.test(value) && value.endsWith('=')
  const isLong = value.length >= 16 && !isUuid(value) && isTokenBody(value) && looksRandom(value)
  if (!(isBasic || isLong) || isPlaceholder(value)) return null
  return { kind: 'authorization', start: at, end: runEnd(text, end, SETS.token, text.length) }
}

const COOKIES_MOST = 4096
const SESSION = /sess|sid|auth|token|jwt|login|remember|csrf|xsrf|clearance|identity/i

/** The values in `Cookie: a=1; b=2` that identify somebody. */
function cookiesAt(text: string, at: number, isOption: boolean): Match {
  const from = isOption ? optionValueAt(text, at) : headerValueAt(text, at)
  if (from === null) return null
  const near = text.slice(from, from + COOKIES_MOST)
  const stop = near.search(/[\r\n"'`]|\\["'nr]/)
  const line = stop < 0 ? near : near.slice(0, stop)
  const found: Found[] = []
  for (const pair of line.matchAll(/([\w.-]{1,80})=([^;\s,]+)/g)) {
    const [whole, name = '', value = ''] = pair
    if (!isCookie(name, value)) continue
    const start = from + pair.index + whole.length - value.length
    found.push({ kind: 'cookie', start, end: start + value.length })
  }
  return { found, until: from + line.length }
}

function isCookie(name: string, value: string): boolean {
  if (/^(?:path|domain|expires|max-age|samesite|priority|version)$/i.test(name)) return false
  if (value.startsWith('[redacted:') || isPlaceholder(value)) return false
  return (
    (value.length >= 16 && looksRandom(value)) ||
    (SESSION.test(name) && value.length >= 8 && /\d/.test(value) && isTokenBody(value))
  )
}
