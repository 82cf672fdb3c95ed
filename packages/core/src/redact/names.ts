/** Names that say that what is assigned to them is secret: `DB_PASSWORD`, `apiKey`, `client_secret`. */
import { never } from '../model/entry.js'
import { hasOddCase, isChosen, isHash, isPassword, isPlaceholder, isUuid, looksRandom } from './likely.js'

/** The kind of value that a name stands for. */
export type NameKind = 'password' | 'secret' | 'token' | 'api-key' | 'aws-secret' | 'aws-account' | 'session'

const KEY_OWNERS =
  /^(?:api|apis|access|secret|private|auth|encryption|encrypt|signing|sign|service|account|master|license|storage|client|app|admin|webhook|deploy|jwt|ssh|shared|preshared|session|anon|role|x|dev|prod|live|openai|anthropic|stripe|google|aws|azure|gcp|github|sendgrid|twilio|mailgun|supabase|cloudflare|datadog|algolia|maps|subscription|write|read|ingest|functions)$/
const HARMLESS_KEYS =
  /^(?:public|primary|foreign|cache|sort|partition|query|storage|local|index|map|row|group|hot|dict|object|json|i18n|translation|lookup|unique|natural|surrogate|composite|idempotency|dedup|routing|registry|publishable)$/
const HARMLESS_TOKENS =
  /^(?:next|page|prev|continuation|sync|cancel|cancellation|css|design|syntax|csrf|color|start|end|eos|bos|pad|mask|stop|first|last|unknown|max|min|num|total|input|output)$/

/** Names that were asked for, with their kinds: a record has the same fields as the one before. */
const known = new Map<string, NameKind | null>()
const KNOWN_MOST = 5000

/** The kind of secret that is assigned to a name; null for any other name. */
export function nameKind(name: string): NameKind | null {
  const before = known.get(name)
  if (before !== undefined) return before
  const kind = kindOf(name)
  if (known.size >= KNOWN_MOST) known.clear()
  known.set(name, kind)
  return kind
}

function kindOf(name: string): NameKind | null {
  const words = wordsIn(name)
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  if (isPasswordName(name, last)) return 'password'
  if (/^(?:secret|secrets|credential|credentials|geheimnis)$/.test(last)) return 'secret'
  if (last === 'data' && before === 'key') return 'secret'
  // `secret_key_base`, as Rails calls it.
  if (last === 'base' && before === 'key' && words.includes('secret')) return 'api-key'
  if (TOKEN_NAMES.test(last)) return HARMLESS_TOKENS.test(before) ? null : 'token'
  if (last === 'auth' && (name.startsWith('_') || before !== '')) return 'token'
  if (/^(?:api|secret|access|private|auth|preshared|license)key$/.test(last)) return 'api-key'
  if (last === 'id' && before === 'key' && words.includes('private')) return 'api-key'
  if (last === 'account' || (last === 'id' && before === 'account'))
    return words.includes('aws') ? 'aws-account' : null
  if (/^(?:phpsessid|jsessionid|aspsessionid|sessionid|sessid|sid)$/.test(last)) return 'session'
  return last === 'key' ? keyKind(words, before, name) : null
}

const PASSWORD_NAMES =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|motdepasse|contrasena|senha)$|^(?:pwd|psk|pw)$/
const PASSWORD_PHRASES = /pass[-_]phrase$|mot[-_]de[-_]passe$/i
const PASS_WORDS = /^(?:by|com|encom|sur|tres|over|under|im|one|multi)pass$/
const TOKEN_NAMES =
  /^(?:access|auth|identity|refresh|bot|api|bearer|user|session|device|deploy|webhook)?token$|^(?:jwt|pat)$/

/** `PGPASSWORD`, `db_pass`, `smtpPass`, `REDISCLI_AUTH`, `keyMaterial` of wireless networks; not the folder in `PWD`. */
function isPasswordName(name: string, last: string): boolean {
  if (PASSWORD_NAMES.test(last)) return !/^(?:OLD)?PWD$/.test(name)
  return (
    (last.endsWith('pass') && !PASS_WORDS.test(last)) ||
    PASSWORD_PHRASES.test(name) ||
    name === 'REDISCLI_AUTH' ||
    name === 'keyMaterial'
  )
}

function keyKind(words: readonly string[], before: string, name: string): NameKind | null {
  if (words.includes('secret') && (words.includes('access') || words.includes('aws'))) return 'aws-secret'
  if (words.includes('azure')) return 'api-key'
  if (HARMLESS_KEYS.test(before)) return null
  if (KEY_OWNERS.test(before)) return 'api-key'
  // In capitals it is an environment variable.
  return before !== '' && name === name.toUpperCase() ? 'api-key' : null
}

function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

/** A value and how it is written. */
interface AssignedValue {
  readonly text: string
  readonly isQuoted: boolean
  /** The name is in capitals, an option of a command, or part of an address: what follows is a value, not code. */
  readonly isSetting: boolean
  /** The name is that of an environment variable. */
  readonly isVariable: boolean
}

/** Whether a value is a secret of its name's kind. */
export function isSecretValue(kind: NameKind, value: AssignedValue): boolean {
  if (value.text.length < 8 || (isCode(value) && !isDense(value)) || !isOfKind(kind, value)) return false
  // Of a password, `isOwn` decides: people build them of words, too.
  return kind === 'password' || !isPlaceholder(value.text)
}

/** A long text in quotes with all kinds of characters, as generators of keys make them: brackets in it are not code. */
function isDense({ text, isQuoted }: AssignedValue): boolean {
  if (!isQuoted || text.length < 40 || /\s|\[redacted:/.test(text)) return false
  const signs = new Set(text.replace(/[\w.]/g, ''))
  return signs.size >= 8 && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && isStrongKey(text)
}

/** A key that somebody made of all characters there are, as Django does. */
function isStrongKey(text: string): boolean {
  return text.length >= 32 && /\d/.test(text) && isStrong(text)
}

function isOfKind(kind: NameKind, { text, isQuoted, isSetting, isVariable }: AssignedValue): boolean {
  switch (kind) {
    case 'password':
      return isPassword(text) && (isQuoted || isSetting || isChosen(text))
    case 'secret':
      return isAnyKey(text, 12) || isBase32(text) || (isQuoted && isStrong(text))
    case 'api-key':
      return isAnyKey(text, 16) || (isQuoted && isStrongKey(text))
    case 'token':
    case 'session':
      return (
        (isVariable && (isUuid(text) || isLowerKey(text))) ||
        (text.length >= 16 && !isUuid(text) && looksRandom(text))
      )
    case 'aws-secret':
      return text.length >= 36 && looksRandom(text)
    case 'aws-account':
      return /^\d{4}-?\d{4}-?\d{4}$/.test(text)
    default:
      return never(kind)
  }
}

/** Letters and digits of one case, as long as no name is. */
function isLowerKey(text: string): boolean {
  return /^[a-z0-9]{32,}$/.test(text) && (text.match(/\d/g)?.length ?? 0) > 2 && !isPlaceholder(text)
}

/** As secrets for one-time codes are written. */
function isBase32(text: string): boolean {
  return /^(?=.*[2-7])[A-Z2-7]{16,}={0,6}$/.test(text) && !isPlaceholder(text)
}

function isAnyKey(text: string, least: number): boolean {
  return isUuid(text) || isHash(text) || (text.length >= least && looksRandom(text))
}

/** Whether it is a chosen secret: as strong as a password, and not a name. */
function isStrong(text: string): boolean {
  return /[^\w.:/-]/.test(text) && !text.includes(' ') && isPassword(text)
}

/** Whether it is a reference, call, path, address or template: the secret is somewhere else. */
function isCode({ text, isQuoted, isSetting }: AssignedValue): boolean {
  if (/^\[redacted:/.test(text) || /\$\{|\{\{|\$\(|(?:^|\W)%[sdv]\b|<[\w -]+>|^[$<{[(]|^\)[.;,)]/.test(text))
    return true
  if (/^(?:https?|file|arn|urn|secret|vault|op|ssm|env|projects|kms):/i.test(text) || isPath(text))
    return true
  if (/^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|::|\?\.|->)[A-Za-z_$]+)+\(?$/.test(text)) return !hasOddCase(text)
  if (/^[\w.]+[([{]|^mcp__/.test(text) || text.includes('\\u')) return true
  if (isQuoted || isSetting) return / .* /.test(text) || /^[\w.-]+\(.*\)$/.test(text)
  return (
    /^[A-Za-z_$][\w$]*(?:\??[.:]{1,2}[A-Za-z_$][\w$]*)+/.test(text) ||
    /[()[\]{}]/.test(text) ||
    isIdentifier(text)
  )
}

function isPath(text: string): boolean {
  return /\/.*\.[a-z]{1,5}$/.test(text) || (/^[~.]{0,2}\//.test(text) && !looksRandom(text))
}

/** Whether it is an identifier: letters, perhaps with digits at the end. */
function isIdentifier(text: string): boolean {
  if (text.includes('-') && /[A-Z]/.test(text) && (/\d/.test(text) || hasOddCase(text))) return false
  return /^[*@&%\\]?[A-Za-z_$][A-Za-z_$-]*\d{0,2}$/.test(text) && !hasOddCase(text)
}
