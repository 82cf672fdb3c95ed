/** Searches drawn by a seed: words, beginnings, phrases, filters and orders, from what an index holds. */
import { FIELDS, type IndexStore, type Phrase, type TextFilter } from '@dagline/store'

export interface RandomSearch {
  readonly phrases: readonly Phrase[]
  readonly filter: TextFilter
  readonly limit: number
  readonly sort: 'rank' | 'time'
}

interface Material {
  readonly words: readonly string[]
  readonly index: IndexStore
}

/** A thousand searches. */
export function randomSearches(seed: number, { words, index }: Material): readonly RandomSearch[] {
  const random = randomFrom(seed)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new RangeError('nothing to draw from')
    return item
  }
  const sessions = index.sessions()
  const times = sessions.flatMap(({ first, last }) => [first, last]).filter(time => time !== null)
  const touched = index.touches().map(({ path }) => path)
  const tools = [...new Set(index.find([], {}, 2000).flatMap(({ tool }) => tool ?? []))]
  const aPhrase = (): Phrase => {
    const kind = random()
    const word = pick(words)
    if (kind < 0.35) return { words: [word], isPrefix: false }
    if (kind < 0.6)
      return { words: [[...word].slice(0, 2 + Math.floor(random() * 3)).join('')], isPrefix: true }
    if (kind < 0.7) return { words: [word], isPrefix: false, others: [pick(words), pick(words)] }
    // Words that follow each other somewhere: those of paths do.
    const parts = pick(touched)
      .split('/')
      .filter(part => part !== '')
    return { words: parts.slice(-2), isPrefix: random() < 0.3 }
  }
  const aFilter = (): TextFilter => ({
    ...(random() < 0.15 ? { session: pick(sessions).session.slice(0, 1 + Math.floor(random() * 8)) } : {}),
    ...(random() < 0.1 ? { since: pick(times) } : {}),
    ...(random() < 0.1 ? { until: pick(times) } : {}),
    ...(random() < 0.15 ? { fields: [pick(FIELDS), pick(FIELDS)] } : {}),
    ...(random() < 0.1 ? { tool: pick(tools).toLowerCase() } : {}),
    ...(random() < 0.05 ? { touched: pick(touched).slice(-6) } : {}),
    ...(random() < 0.05 ? { touching: pick(touched).slice(-6) } : {}),
    ...(random() < 0.1 ? { agent: pick(['', 'explore', 'general-purpose', 'a']) } : {}),
    ...(random() < 0.15 ? { branch: pick(['live', 'abandoned'] as const) } : {}),
    ...(random() < 0.05 ? { live: true } : {}),
    ...(random() < 0.05 ? { beforeCompaction: true } : {}),
    ...(random() < 0.05 ? { failed: true } : {}),
    ...(random() < 0.1 ? { projects: [pick(sessions).project, pick(sessions).project] } : {}),
  })
  return Array.from({ length: 1000 }, () => ({
    phrases: Array.from({ length: Math.floor(random() * 3.2) }, aPhrase),
    filter: aFilter(),
    limit: pick([1, 10, 50, 300]),
    sort: pick(['rank', 'time'] as const),
  }))
}

/** Numbers from 0 to 1, the same for each seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
