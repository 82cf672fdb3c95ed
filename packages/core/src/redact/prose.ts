/** Secrets in sentences: "the admin password is ...", "das Passwort lautet ...", "my api key for the shop is ...". */
import type { Found, SecretRule } from './anchors.js'
import { isChosen, isPassword, isUuid, looksRandom } from './likely.js'

/** The kind of what only a sentence calls secret. */
const TOLD = 'prose-secret'

const NAMES = [
  ...['password', 'passwd', 'passphrase', 'passcode', 'pass phrase', 'api key', 'api-key', 'apikey'],
  ...[
    'secret key',
    'access key',
    'access token',
    'auth token',
    'api token',
    'bot token',
    'the token',
    'my token',
  ],
  ...['the secret', 'credentials', 'passwort', 'kennwort', 'schlüssel', 'mot de passe', 'contrase', 'clave'],
  ...[
    'senha',
    'wachtwoord',
    'lösenord',
    'parola',
    'hasło',
    'пароль',
    '密码',
    '密碼',
    'パスワード',
    '비밀번호',
  ],
]

/** Where no blanks are between words. */
const OTHER_LEAD = /^[^\n.!?;]{0,20}?(?:[:：=]|是|は)[ \t]{0,3}(?=[\x21-\x7e])/
/** A name, a few words about it, and what says that the secret follows. */
const LEAD =
  /^[^\n.!?;:="[\]{}<>]{0,70}?(?:(?:[:=]|->|→)[ \t]{0,3}|[ \t](?:is|was|are|ist|war|lautet|lauten|es|est|era|sono|jest|er|är)[ \t]{1,3}(?:(?:now|still|currently|just|set to|changed to|jetzt|noch|nun|ahora|maintenant)[ \t]{1,3})?:?[ \t]{0,3})(?=\S)/

/** `use the password ... for it`: only a blank before the secret. */
const BARE = /^[ \t](?=\S)/
/** `log in with maria / ...`: a name, and what is typed with it. */
const PAIR =
  /^[^\n.!?;:="[\]{}<>]{0,20}?(?:[ \t](?:with|as|by|is|are|using)|:)?[ \t]{1,3}[\w.@+-]{2,40}(?:[ \t]{1,2}\/[ \t]{1,2}|:)(?=[^\s/])/
const LOGINS = ['log in', 'login', 'sign in', 'credentials', 'creds', 'zugangsdaten', 'anmeldung']
const BARE_NAMES = ['password', 'passphrase', 'passcode', 'passwort', 'kennwort']

const VALUE = /^(["'`“„«»*(]{0,4})([^\s"'`“”„«»\\]{6,128})/
/** The most characters that are examined behind a name. */
const LOOK = 220

/** Secrets that a sentence tells. */
export const PROSE: SecretRule = {
  kinds: [TOLD],
  words: [...NAMES, ...LOGINS.filter(word => !NAMES.includes(word))],
  matchAt: (text, at, word) => {
    const end = at + word.length
    return (
      (NAMES.includes(word) ? toldBehind(text, end, LEAD) : null) ??
      (/[^ -ÿ]/.test(word) ? toldBehind(text, end, OTHER_LEAD) : null) ??
      (LOGINS.includes(word) ? toldBehind(text, end, PAIR) : null) ??
      (BARE_NAMES.includes(word) ? toldBehind(text, end, BARE, isUnmistakable) : null)
    )
  },
}

function toldBehind(
  text: string,
  at: number,
  pattern: RegExp,
  isSecret: (text: string) => boolean = () => true,
): Found | null {
  const near = text.slice(at, at + LOOK)
  const lead = pattern.exec(near)
  if (lead === null) return null
  const from = lead[0].length
  const value = VALUE.exec(near.slice(from))
  if (value === null) return null
  const [, quotes = '', word = ''] = value
  const plain = word.replace(quotes.includes('*') ? /[.,;:!?)\]}*]+$/ : /[.,;:!?)\]}]+$/, '')
  if (!isTold(plain, /["'`“„«]/.test(quotes)) || !isSecret(plain)) return null
  const start = at + from + quotes.length
  return { kind: TOLD, start, end: start + plain.length }
}

/** Whether a word of a sentence is a secret: in a sentence nothing else marks it. */
function isTold(text: string, isQuoted: boolean): boolean {
  if (!isPassword(text) || isUuid(text) || isReference(text)) return false
  if (text.length >= 12 && looksRandom(text)) return true
  return isChosen(text) || (isQuoted && /\d/.test(text) && /[A-Z!#%^&*+?~]/.test(text))
}

/** Where not even a verb says that it is a secret: letters of both cases, a digit and a sign. */
function isUnmistakable(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text) && /[!#%^&*+?~@$-]/.test(text)
}

/** A path, file, address, call, variable, version or option: what a sentence is about, not a secret. */
function isReference(text: string): boolean {
  return (
    /^[$<{[(@/~.-]|[(){}<>[\]|\\]|:\/\/|::|\/.*\/|\.[a-z]{1,5}$|^[\w.]+\.[A-Za-z_]+|^v?\d+\.\d|^[A-Z][A-Z0-9_]+$|redacted:/.test(
      text,
    ) || /^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(text)
  )
}
