/**
 * Corrupted sessions by seed: one corruption, or two to four of them one after the other, at random places of recorded
 * and generated sessions.
 *
 *   for (const { text, kinds } of corruptedSessions(sessionTexts('fixtures/recordings'), { count: 1000 })) ...
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createRng, type Rng } from '../base/rng.js'
import { generate } from '../gen/generate.js'
import { STYLE_NAMES } from '../gen/styles.js'
import { COMPACTIONS } from './compactions.js'
import { CONTENTS } from './contents.js'
import { DAMAGE } from './damage.js'
import { ENDS } from './ends.js'
import { LINKS } from './links.js'
import { type Corruptions, rowJson } from './rows.js'

/** All corruptions, by the names that they have in tables. All were met in real files, or made with an editor. */
export const CORRUPTIONS: Corruptions = { ...LINKS, ...DAMAGE, ...CONTENTS, ...ENDS, ...COMPACTIONS }

/** The transcript of a session. */
export interface SessionText {
  /** Where it comes from, for messages. */
  readonly name: string
  readonly session: string
  readonly text: string
  /** The folder with its subagents and outputs, or null. */
  readonly folder: string | null
}

/** A transcript after corruption. */
export interface CorruptedSession extends SessionText {
  readonly seed: number
  /** The corruptions, in the order in which they were made. */
  readonly kinds: readonly string[]
  /** The text before. */
  readonly original: string
}

interface CorruptOptions {
  /** How many sessions (default 100). */
  readonly count?: number
  /** The first seed (default 1); the others follow it. */
  readonly from?: number
}

/** Corrupts sessions, one for each seed: every kind in its turn alone, and as often some kinds together. */
export function* corruptedSessions(
  sources: readonly SessionText[],
  { count = 100, from = 1 }: CorruptOptions = {},
): Generator<CorruptedSession> {
  for (let seed = from; seed < from + count; seed++) yield corruptBySeed(sources, seed)
}

/** Too large to be made often. */
const RARE = new Set(['row of 11 MB'])
const KINDS = Object.keys(CORRUPTIONS).filter(kind => !RARE.has(kind))

/** The session that a seed makes. */
export function corruptBySeed(sources: readonly SessionText[], seed: number): CorruptedSession {
  const rng = createRng(seed)
  const single = KINDS[Math.floor(seed / 2) % KINDS.length] ?? ''
  const wanted = seed % 2 === 0 ? [single] : Array.from({ length: rng.between(2, 4) }, () => rng.pick(KINDS))
  for (const source of rng.shuffle(sources)) {
    const made = corruptText(source.text, wanted, rng)
    if (made.kinds.length === wanted.length) return { ...source, ...made, seed, original: source.text }
  }
  const source = rng.pick(sources)
  return { ...source, ...corruptText(source.text, wanted, rng), seed, original: source.text }
}

/** Makes the given corruptions one after the other; those that fit nowhere are left out. */
function corruptText(
  text: string,
  wanted: readonly string[],
  rng: Rng,
): Pick<CorruptedSession, 'text' | 'kinds'> {
  let changed = text
  const kinds: string[] = []
  for (const kind of wanted) {
    const next = corruptOnce(changed, kind, rng)
    if (next === null) continue
    changed = next
    kinds.push(kind)
  }
  return { text: changed, kinds }
}

/** Corrupts a text at a random row; null where no row fits. */
export function corruptOnce(text: string, kind: string, rng: Rng): string | null {
  const corruption = CORRUPTIONS[kind]
  const rows = text.replace(/\n$/, '').split('\n')
  const at = rng.shuffle([...rows.keys()]).find(place => {
    const json = rowJson(rows[place])
    return json !== null && corruption?.picks({ ...json }, place, rows) === true
  })
  return at === undefined ? null : (corruption?.breaks(rows, at, rng) ?? null)
}

const SESSION = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/
/** Larger sessions take long to read a thousand times. */
const LARGEST = 200_000
const FEWEST_ROWS = 6

/** The sessions of the recordings below a folder, and generated ones in every recorded style. */
export function sessionTexts(recordings: string): readonly SessionText[] {
  return [...recordedTexts(recordings), ...generatedTexts()].filter(
    ({ text }) => text.length <= LARGEST && text.split('\n').length > FEWEST_ROWS,
  )
}

function recordedTexts(root: string): readonly SessionText[] {
  const paths = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }).sort() : []
  return paths.flatMap(path => {
    const session = SESSION.exec(basename(path))?.[1]
    const full = join(root, path)
    if (session === undefined || path.includes('subagents') || statSync(full).size > LARGEST) return []
    const folder = full.replace(/\.jsonl$/, '')
    return [
      {
        name: path.replace(/[\\/]projects[\\/].*$/, ''),
        session,
        text: readFileSync(full, 'utf8'),
        folder: existsSync(folder) ? folder : null,
      },
    ]
  })
}

const SEEDS = 3
const ACTIONS = 14

/** The style of format descriptions is left out: no release reads it. */
function generatedTexts(): readonly SessionText[] {
  const styles = STYLE_NAMES.filter(style => style !== 'seed')
  const seeds = Array.from({ length: SEEDS }, (_, nth) => nth + 1)
  return styles.flatMap(style =>
    seeds.flatMap(seed =>
      generate(seed, { style, actions: ACTIONS }).files.flatMap(({ path, text }) => {
        const session = SESSION.exec(path)?.[1]
        if (session === undefined || path.includes('/subagents/')) return []
        return [{ name: `${style} seed ${seed}`, session, text, folder: null }]
      }),
    ),
  )
}
