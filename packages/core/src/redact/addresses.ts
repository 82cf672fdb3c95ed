/** Logins in addresses: `https://user:password@host`, `postgres://user:password@host/db`. */
import type { SecretRule } from './anchors.js'
import { isIn, runStart, SETS } from './chars.js'
import { isPlaceholder, looksRandom } from './likely.js'

const DATABASE =
  /^(?:jdbc:)?(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|valkeys?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|oracle|couchdb|neo4j|bolt|cassandra|snowflake|libsql)(?:\+\w+)?$/i

/** The longest login, in characters. */
const MOST = 300
/** Characters that end a login: it holds no path, blank or quote. */
const END = /[\s"'`<>/\\@]/
const DUMMY =
  /^(?:pass|password|passwd|pwd|pw|secret|mypassword|user|username|root|admin|postgres|mysql|guest|test|changeme|example|token|p|x|foo|bar|\*+|x+)$/i

/** Logins in addresses. The scheme of a database is replaced, too: what is left is no longer an address. */
export const ADDRESSES: SecretRule = {
  kinds: ['database-login', 'url-login'],
  words: ['://'],
  matchAt: (text, at) => {
    const end = loginEnd(text, at + 3)
    if (end < 0 || !isLogin(text.slice(at + 3, end))) return null
    const start = schemeStart(text, at)
    const isDatabase = DATABASE.test(text.slice(start, at))
    const inner = [text.slice(at + 3, end).replace(/^[^:]*:/, '')]
    return {
      kind: isDatabase ? 'database-login' : 'url-login',
      start: isDatabase ? start : at + 3,
      end,
      inner,
    }
  },
}

function loginEnd(text: string, from: number): number {
  const near = text.slice(from, from + MOST)
  const end = near.search(END)
  return end > 0 && near[end] === '@' ? from + end : -1
}

function isLogin(login: string): boolean {
  const colon = login.indexOf(':')
  if (colon < 0) return login.length >= 20 && looksRandom(login)
  const user = login.slice(0, colon)
  const password = login.slice(colon + 1)
  if (password.length < 3 || password === user || DUMMY.test(password)) return false
  return !/[${}<>[\]()|*]/.test(login) && !isTemplate(password) && !isPlaceholder(password)
}

/** `%PASSWORD%`, `PASSWORD`, `:password`. */
function isTemplate(password: string): boolean {
  return /^(?:%[A-Z_]+%|[A-Z_]+|:.*|%s|\.+)$/.test(password)
}

function schemeStart(text: string, at: number): number {
  const start = runStart(text, at, SETS.alnum, 20)
  const isJoined = text[start - 1] === '+' && isIn(text, start - 2, SETS.alnum)
  const plus = isJoined ? runStart(text, start - 1, SETS.alnum, 20) : start
  return text.slice(Math.max(0, plus - 5), plus) === 'jdbc:' && !isIn(text, plus - 6, SETS.alnum)
    ? plus - 5
    : plus
}
