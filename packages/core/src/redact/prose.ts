/** Secrets in sentences: "the admin password is ...", "das Passwort lautet ...", "my api key for the shop is ...". */
import type { Found, SecretRule } from './anchors.js'
import { isIn, SETS } from './chars.js'
import { hasOddCase, isChosen, isPassword, isUuid, looksRandom } from './likely.js'

/** The kind of what only a sentence calls secret. */
const TOLD = 'prose-secret'

const NAMES =
  namesOf(`password, passwd, passphrase, passcode, pass phrase, api key, api-key, apikey, secret key, access key,
  access token, auth token, api token, bot token, the token, my token, the secret, credentials, my pass, the pass, root pw, admin pw, my pw, the pw,
  pwd is, pwd ist, passwort, kennwort, zugangscode, schlüssel, clé d, clé api, mot de passe, mdp, contrase, clave, senha, palavra-passe,
  wachtwoord, lösenord, adgangskode, passord, salasana, parola, parolă, hasło, heslo, jelszó, şifre, lozinka, geslo, mật khẩu,
  kata sandi, пароль, парола, лозинка, κωδικός, סיסמה, סיסמא, كلمة المرور, كلمة السر, رمز عبور, पासवर्ड, รหัสผ่าน, 密码, 密碼, 口令,
  パスワード, 비밀번호, 암호`)

function namesOf(list: string): readonly string[] {
  return list.split(',').map(name => name.trim().replace(/\s+/g, ' '))
}

/** Where no blanks are between words. */
const OTHER_LEAD = /^[^\n.!?;]{0,20}?(?:[:：=—–]|是|为|為|は|는|은)[ \t]{0,3}(?=[\x21-\x7e])/
/** A name, a few words about it, and what says that the secret follows. */
const LEAD =
  /^[^\n.!?;:="[\]{}<>]{0,70}?(?:(?:[:=]|->|→|[ \t][—–-](?=[ \t]))[ \t]{0,3}|(?:^|[ \t])(?:is|was|are|to|ist|war|lautet|lauten|es|est|c'est|c’est|era|è|é|sono|je|jest|er|är|on|este|to|à|là|είναι|היא|هي|है|это)[ \t]{1,3}(?:(?:now|still|currently|just|set to|changed to|jetzt|noch|nun|früher|ahora|maintenant)[ \t]{1,3})?:?[ \t]{0,3})(?=\S)/

/** `use the password ... for it`: hardly more than a blank before the secret. */
const BARE = /^\p{L}{0,3}[ \t](?:(?:bitte|please|nun|jetzt|einfach|simply|mal)[ \t])?(?=\S)/u
/** `log in with maria / ...`: a name, and what is typed with it. */
const PAIR =
  /^[^\n.!?;:="[\]{}<>]{0,20}?(?:[ \t](?:with|as|by|is|are|using|mit|als)|:)?[ \t]{1,3}[\w.@+-]{2,40}(?:[ \t]{1,2}\/[ \t]{1,2}|:)(?=[^\s/])/
/** The same in brackets: `login (maria/...)`. */
const BRACKETS = /^[ \t]{1,2}\([\w.@+-]{2,40}[ \t]{0,2}[/:][ \t]{0,2}(?=[^\s/])/
const LOGINS = [
  'log in',
  'login',
  'sign in',
  'credentials',
  'creds',
  'zugangsdaten',
  'anmeldung',
  'log dich',
  'melde dich',
  'identifiants',
]
/** Names of much else, too. */
const KEY_NAMES = ['my key', 'this key']
const BARE_NAMES = namesOf(
  'password, passphrase, passcode, passwort, kennwort, mot de passe, mdp, contrase, senha, wachtwoord, lösenord, hasło, heslo, пароль',
)

/** `Password:` or a command that prints one, and the secret alone on the next line. */
const NEXT_LINE = /^[^\n]{0,160}\n(?:[ \t]*\n)?[ \t]{0,8}(?=[^\s]{8,128}[ \t]*(?:\r?\n|$))/

/** The same where the line says with a colon that something follows. */
const ANNOUNCED =
  /^[^\n]{0,160}:[ \t]*\n(?:(?:[ \t]{0,8}\d{1,6}→|\+)?(?:```\w{0,12})?[ \t]*\n)?(?:[ \t]{0,8}\d{1,6}→|\+)?[ \t]{0,8}(?=[^\s]{8,128}[ \t]*(?:\r?\n|$))/

const VALUE = /^((?:«[ \u00a0\u202f]|["'`“„«»*(]){0,4})([^\s"'`“”„«»\\]{6,128})/
/** The most characters that are examined behind a name. */
const LOOK = 220

/** Secrets that a sentence tells. */
export const PROSE: SecretRule = {
  kinds: [TOLD],
  words: [...NAMES, ...LOGINS.filter(word => !NAMES.includes(word)), ...KEY_NAMES],
  matchAt: (text, at, word) => {
    const end = at + word.length
    // Short names occur in other words, and by chance.
    if (word.length < 8 && isIn(text, at - 1, SETS.alnum)) return null
    if (word === 'passwd' && text[at - 1] === '/') return null
    return (
      (NAMES.includes(word) ? toldBehind(text, end, LEAD) : null) ??
      (KEY_NAMES.includes(word) ? toldBehind(text, end, LEAD, isLongKey) : null) ??
      (/[^ -ÿ]/.test(word) ? toldBehind(text, end, OTHER_LEAD) : null) ??
      (LOGINS.includes(word) ? toldBehind(text, end, PAIR) : null) ??
      (LOGINS.includes(word) ? toldBehind(text, end, BRACKETS) : null) ??
      (BARE_NAMES.includes(word) ? toldBehind(text, end, BARE, isUnmistakable) : null) ??
      (BARE_NAMES.includes(word) ? toldBehind(text, end, NEXT_LINE, isAlone) : null) ??
      (NAMES.includes(word) ? toldBehind(text, end, ANNOUNCED, isAnnounced) : null)
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
  if (!isTold(plain, /["'`“„«]/.test(quotes))) return null
  if (!isSecret(plain) && !(/\d!$/.test(word) && isSecret(word))) return null
  const start = at + from + quotes.length
  return { kind: TOLD, start, end: start + plain.length }
}

/** Whether a word of a sentence is a secret: in a sentence nothing else marks it. */
function isTold(text: string, isQuoted: boolean): boolean {
  if (!isPassword(text) || isUuid(text) || isReference(text)) return false
  if (text.length >= 12 && looksRandom(text)) return true
  return (
    isChosen(text) || isWordAndNumber(text) || (isQuoted && /\d/.test(text) && /[A-Z!#%^&*+?~]/.test(text))
  )
}

/** `fluffy1987`, `hunter42xy`: a word with a number, as most people choose them; not `sha256sum` or `oauth2callback`. */
function isWordAndNumber(text: string): boolean {
  return /^\p{L}[\p{Ll}]{3,}\d{2,4}\p{L}{0,6}$/u.test(text) && !TECHNICAL.test(text)
}

const TECHNICAL =
  /^(?:sha|md|utf|base|bcrypt|scrypt|argon|aes|rsa|hmac|pbkdf|crc|o?auth|ecdsa|node|python|java|http|ssl|tls|u?int|float|win|windows|linux|ubuntu|debian|mysql|postgres|redis|version|step|option|level|type|line|page|part|chapter|item|issue|error|code|status|port|host|server|node|pod)\d/i

/** Where not even a verb says that it is a secret: letters, a digit and a sign, as in no name, address or version. */
function isUnmistakable(text: string): boolean {
  if (!/[a-z]/i.test(text) || !/\d/.test(text) || /@[\d\w]+\./.test(text)) return false
  if (text.length >= 10 && looksRandom(text) && hasOddCase(text)) return true
  return /[!#%^&*?~$@]/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text) && /[+-]/.test(text))
}

function isLongKey(text: string): boolean {
  return text.length >= 20 && looksRandom(text)
}

/** Where nothing else stands on its line: unmistakable, or long and random. */
function isAlone(text: string): boolean {
  if (/[:;,]/.test(text)) return false
  return isUnmistakable(text) || (text.length >= 16 && looksRandom(text) && !/^[0-9a-f-]+$/.test(text))
}

/** Where a line ends in a colon, what follows it alone may be a hash, too. */
function isAnnounced(text: string): boolean {
  return isAlone(text) || /^[0-9a-f]{32,64}$/.test(text)
}

/** A path, file, address, call, variable, version or option: what a sentence is about, not a secret. */
function isReference(text: string): boolean {
  return (
    /^[$<{[(@/~.-]|[(){}<>[\]|\\]|:\/\/|::|\/.*\/|\.[a-z]{1,5}$|^[\w.]+\.[A-Za-z_]+|^v?\d+\.\d|^[A-Z][A-Z0-9_]+$|redacted:|&#?\w{2,8};/.test(
      text,
    ) || /^[a-z0-9]+(?:_[a-z0-9]+)+$/.test(text)
  )
}
