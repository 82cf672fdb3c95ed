/** R7: values that are secret because of what another field says: those of Kubernetes, and those of Terraform. */
import type { Found, SecretRule } from './anchors.js'
import { isOwn } from './likely.js'

/** Characters before and behind the kind that belong to the same manifest at most. */
const REACH = 16_384
const SEPARATOR = /^---|\n---/
/** The block with the values, in YAML with what is indented below it; also in a listing and in a difference. */
const BLOCK =
  /(?:^|\n)(?:[ \t]*\d{1,6}→|\+)?(?<indent>[ \t]*)(?:data|stringData):[ \t]*\r?\n(?<body>(?:(?:[ \t]*\d{1,6}→|\+)?\k<indent>[ \t]+[^\n]*(?:\n|$))+)/g
const LINE =
  /^((?:[ \t]*\d{1,6}→|\+)?[ \t]+["']?[\w.-]{1,253}["']?:[ \t]+["']?)([^\s"']{8,})["']?[ \t]*\r?$/gm
const OBJECT = /"(?:data|stringData)":\s{0,20}\{(?<body>[^{}]*)\}/g
const FIELD = /("[\w.-]{1,253}":\s{0,20}")([^"\\\n]{8,})"/g

/** The result of a generator of passwords in a state of Terraform. */
export const STATES: SecretRule = {
  kinds: ['password'],
  words: ['"random_password"'],
  matchAt: (text, at) => {
    const match = STATE.exec(text.slice(at, at + STATE_MOST))
    const value = match?.[1] ?? ''
    if (match === null || value.includes('redacted:') || !isOwn(value)) return null
    const end = at + match[0].length - 1
    return { kind: 'password', start: end - value.length, end }
  },
}

const STATE = /^"random_password"[\s\S]{1,400}?"result":\s{0,4}"([^"\\\n]{6,200})"/
const STATE_MOST = 700

/** The key of an account, as kaggle keeps it beside the name. */
export const ACCOUNTS: SecretRule = {
  kinds: ['api-key'],
  words: ['"username":'],
  matchAt: (text, at) => {
    const match = ACCOUNT.exec(text.slice(at, at + 160))
    const value = match?.[1] ?? ''
    const end = at + (match?.[0].length ?? 0) - 1
    return match === null ? null : { kind: 'api-key', start: end - value.length, end }
  },
}

const ACCOUNT = /^"username":\s{0,4}"[^"\n]{1,80}",\s{0,12}"key":\s{0,4}"([0-9a-f]{32})"/

/** The private members of a JSON Web Key, and the key of a symmetric one. */
export const WEB_KEYS: SecretRule = {
  kinds: ['private-key'],
  words: ['"kty":'],
  matchAt: (text, at) => {
    const from =
      text.slice(Math.max(0, at - WEB_KEY_MOST), at).lastIndexOf('{') + Math.max(0, at - WEB_KEY_MOST)
    const behind = text.slice(at, at + WEB_KEY_MOST)
    const stop = behind.indexOf('}')
    const end = at + (stop < 0 ? behind.length : stop)
    const found = [...text.slice(from, end).matchAll(MEMBER)].map(
      ({ 0: whole, 1: value = '', index }): Found => {
        const start = from + index + whole.length - value.length - 1
        return { kind: 'private-key', start, end: start + value.length }
      },
    )
    return { found, until: end }
  },
}

/** The longest key, of 8,192 bits. */
const WEB_KEY_MOST = 12_000
const MEMBER = /"(?:d|k|p|q|dp|dq|qi)":\s{0,8}"([A-Za-z0-9_-]{22,1400})"/g

/** Values of manifests whose kind is `Secret`. */
export const MANIFESTS: SecretRule = {
  kinds: ['secret'],
  words: ['kind: secret', '"kind": "secret"', '"kind":"secret"'],
  matchAt: (text, at, word) => {
    const end = at + word.length
    if (/[\w-]/.test(text.charAt(end))) return null
    const before = text.slice(Math.max(0, at - REACH), at)
    const from = at - before.length + (before.lastIndexOf('\n---') + 1)
    const behind = text.slice(end, end + REACH)
    const stop = behind.search(SEPARATOR)
    const manifest = text.slice(from, stop < 0 ? end + behind.length : end + stop)
    const isJson = word.startsWith('"')
    const found = [...manifest.matchAll(isJson ? OBJECT : BLOCK)].flatMap(({ 0: whole, index, groups }) =>
      valuesIn(
        groups?.['body'] ?? '',
        isJson ? FIELD : LINE,
        from + index + bodyStart(whole, groups?.['body']),
      ),
    )
    return { found, until: end }
  },
}

function bodyStart(whole: string, body = ''): number {
  return whole.lastIndexOf(body)
}

function valuesIn(body: string, pattern: RegExp, from: number): readonly Found[] {
  return [...body.matchAll(pattern)].flatMap(({ 1: lead = '', 2: value = '', index }) => {
    const start = from + index + lead.length
    return isOwn(value) && !/^[$<{[|>&*]/.test(value)
      ? [{ kind: 'secret', start, end: start + value.length }]
      : []
  })
}
