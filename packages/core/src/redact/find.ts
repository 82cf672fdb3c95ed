/** Finding secrets, in time proportional to the length of the text. */
import { ADDRESSES } from './addresses.js'
import { createSearch, type Found, mergeFound, type SecretRule } from './anchors.js'
import { ASSIGNMENTS } from './assignments.js'
import { runEnd, SETS } from './chars.js'
import { unescapeText } from './escapes.js'
import { KEYS } from './keys.js'
import { looksRandom } from './likely.js'
import { findBots, SHAPES } from './shapes.js'
import { TOKENS } from './tokens.js'

const RULES: readonly SecretRule[] = [...TOKENS, ...SHAPES, KEYS, ADDRESSES, ASSIGNMENTS]

/** Every kind of secret that is known. */
export const SECRET_KINDS: ReadonlySet<string> = new Set([
  ...RULES.flatMap(({ kinds }) => kinds),
  'discord-token',
])

/**
 * Finds likely secrets by their beginning, their shape, or the name they are assigned to, also where escapes or line
 * breaks divide them. In order; none overlaps another.
 */
export function findSecrets(text: string): readonly Found[] {
  if (text.length < SHORTEST) return []
  const found = scan(text)
  const plain = unescapeText(text)
  if (plain === null) return mergeFound(found)
  const more = scan(plain.text).map(({ kind, start, end }) => ({
    kind,
    start: plain.startOf(start),
    end: plain.endOf(end),
  }))
  return mergeFound([...found, ...more])
}

/** A secret with the name it is assigned to has at least so many characters. */
const SHORTEST = 12

/** Made on first use: most commands load this module and never search for secrets. */
let search: ReturnType<typeof createSearch> | null = null

function scan(text: string): readonly Found[] {
  search ??= createSearch(RULES)
  const found = search(text)
  const bots = findBots(text)
  const partners = found.flatMap(({ kind, end }) => (kind === 'aws-key' ? partnerOf(text, end) : []))
  return bots.length + partners.length === 0 ? found : [...found, ...bots, ...partners]
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
