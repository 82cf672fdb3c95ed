/** Finding secrets: every rule reads the text once, in time in proportion to its length. */
import { ADDRESSES } from './addresses.js'
import { createSearch, type Found, type Lookout, mergeFound } from './anchors.js'
import { ASSIGNMENTS } from './assignments.js'
import { runEnd, SETS } from './chars.js'
import { unescapeText } from './escapes.js'
import { KEYS } from './keys.js'
import { looksRandom } from './likely.js'
import { findBots, SHAPES } from './shapes.js'
import { TOKENS } from './tokens.js'

const LOOKOUTS: readonly Lookout[] = [...TOKENS, ...SHAPES, KEYS, ADDRESSES, ASSIGNMENTS]

/** Every kind of secret that is known. */
export const SECRET_KINDS: ReadonlySet<string> = new Set([
  ...LOOKOUTS.flatMap(({ kinds }) => kinds),
  'discord-token',
])

/**
 * Finds likely secrets: by their beginning, their shape or what they are assigned to, also where escapes or line breaks
 * run through them. In order, none inside another.
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

/** Nothing shorter holds a secret with what it is assigned to. */
const SHORTEST = 12

/** Made when it is first wanted: most commands look for no secrets, and all of them load this. */
let search: ReturnType<typeof createSearch> | null = null

function scan(text: string): readonly Found[] {
  search ??= createSearch(LOOKOUTS)
  const found = search(text)
  const bots = findBots(text)
  const partners = found.flatMap(({ kind, end }) => (kind === 'aws-key' ? partnerOf(text, end) : []))
  return bots.length + partners.length === 0 ? found : [...found, ...bots, ...partners]
}

const NEAR = 200

/** The secret that goes with the id of an AWS key: forty characters, not far behind it. */
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
