/**
 * One pass over a text finds the words that secrets begin with, stand behind or are named by. An automaton reads each
 * character once, however many words there are; a rule decides at each word whether it belongs to a secret.
 */
import { namesIn } from '../model/group.js'

/** A secret in a text: what it is, and where. */
export interface Found {
  readonly kind: string
  readonly start: number
  /** The position after the last character. */
  readonly end: number
  /** Secrets that it contains, as they are without what is around or upon them. */
  readonly inner?: readonly string[]
  /** The secret where only its beginning stands there. */
  readonly whole?: string
}

/** What a rule finds at a word: a secret; the position before which it need not be asked again; both; or nothing. */
export type Match = Found | { readonly found: readonly Found[]; readonly until: number } | number | null

/** Words, and what to find where one of them is. */
export interface SecretRule {
  /** The kinds of secrets that it finds. */
  readonly kinds: readonly string[]
  /** In lower case or not; found in any case. */
  readonly words: readonly string[]
  readonly matchAt: (text: string, at: number, word: string) => Match
}

/** Finds secrets in a text, or those whose word is in one of some parts of it. */
type Search = (text: string, parts?: readonly Part[]) => readonly Found[]

/** A part of a text. */
export interface Part {
  readonly start: number
  readonly end: number
}

/** Finds the secrets of all rules. */
export function createSearch(rules: readonly SecretRule[]): Search {
  const words = rules.flatMap((rule, owner) => rule.words.map(word => ({ word, owner })))
  const { classes, next, endings } = createAutomaton(words.map(({ word }) => word.toLowerCase()))
  // Kept from text to text: there are more rules than most texts have characters. A rule never searches by itself.
  const done = rules.map(() => 0)
  const asked: number[] = []
  const searchPart = (text: string, { start: from, end: to }: Part, found: Found[]): void => {
    let state = 0
    for (let at = from; at < to; at++) {
      state = next[state + (classes[text.charCodeAt(at)] ?? 0)] ?? 0
      if (state >= 0) continue
      state = ~state
      for (const index of endings.get(state) ?? []) {
        const { word = '', owner = 0 } = words[index] ?? {}
        const start = at + 1 - word.length
        if (start < (done[owner] ?? 0)) continue
        const match = rules[owner]?.matchAt(text, start, word) ?? null
        if (match === null) continue
        done[owner] = take(match, found)
        asked.push(owner)
      }
    }
  }
  return (text, parts = [{ start: 0, end: text.length }]) => {
    const found: Found[] = []
    for (const part of parts) searchPart(text, part, found)
    for (const owner of asked) done[owner] = 0
    asked.length = 0
    return found
  }
}

function take(match: Exclude<Match, null>, found: Found[]): number {
  if (typeof match === 'number') return match
  if ('kind' in match) {
    found.push(match)
    return match.end
  }
  found.push(...match.found)
  return match.until
}

interface Automaton {
  /** The class of each character: one for both cases of a letter, 0 for all that are in no word. A small table stays in the cache. */
  readonly classes: Uint8Array
  /** The row of the state after a state and a class, at the row of the state plus the class; inverted where words end. */
  readonly next: Int32Array
  /** The words that end in a state, by its row. */
  readonly endings: ReadonlyMap<number, readonly number[]>
}

/** The automaton of Aho and Corasick: each state is the longest beginning of a word that the text ends with. */
function createAutomaton(words: readonly string[]): Automaton {
  const { edges, ends } = buildTrie(words)
  const { classes, width } = classesOf(words)
  // By their depth: a text is nearly always in one of the first states, and their rows stay in the cache together.
  const order = byDepth(edges)
  const rowOf = new Uint32Array(edges.length)
  for (const [index, state] of order.entries()) rowOf[state] = index * width
  const next = new Int32Array(edges.length * width)
  const back = new Uint32Array(edges.length)
  const endings = new Map<number, readonly number[]>()
  for (const state of order) {
    const row = rowOf[state] ?? 0
    const behind = back[row / width] ?? 0
    const ended = [...(ends[state] ?? []), ...(row === 0 ? [] : (endings.get(behind) ?? []))]
    if (ended.length > 0) endings.set(row, ended)
    // Where no word continues here, the state goes where its fallback does.
    if (row !== 0) next.copyWithin(row, behind, behind + width)
    for (const [code, to] of edges[state] ?? []) {
      const column = classes[code] ?? 0
      const toRow = rowOf[to] ?? 0
      back[toRow / width] = row === 0 ? 0 : (next[behind + column] ?? 0)
      next[row + column] = toRow
    }
  }
  return { classes, next: next.map(row => (endings.has(row) ? ~row : row)), endings }
}

/** The states of a tree, those after fewer characters first. */
function byDepth(edges: Trie['edges']): readonly number[] {
  const order = [0]
  for (const state of order) order.push(...(edges[state]?.values() ?? []))
  return order
}

function classesOf(words: readonly string[]): { readonly classes: Uint8Array; readonly width: number } {
  const classes = new Uint8Array(0x10000)
  const used = new Set(words.join(''))
  for (const [index, char] of [...used].entries())
    for (const each of [char, char.toUpperCase()]) classes[each.charCodeAt(0)] = index + 1
  return { classes, width: used.size + 1 }
}

interface Trie {
  readonly edges: readonly ReadonlyMap<number, number>[]
  readonly ends: readonly number[][]
}

/** The words as a tree of their characters. */
function buildTrie(words: readonly string[]): Trie {
  const edges: Map<number, number>[] = [new Map()]
  const ends: number[][] = [[]]
  for (const [index, word] of words.entries()) {
    let state = 0
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at)
      const to = edges[state]?.get(code) ?? edges.length
      if (to === edges.length) {
        edges[state]?.set(code, to)
        edges.push(new Map())
        ends.push([])
      }
      state = to
    }
    ends[state]?.push(index)
  }
  return { edges, ends }
}

/** Generic kinds: they only say what a secret is assigned to. */
const GENERIC = new Set(
  namesIn('password secret token api-key aws-secret session authorization cookie url-login prose-secret'),
)

/** Whether a kind only says what is around a secret, not what the secret looks like. */
export function isGeneric(kind: string): boolean {
  return GENERIC.has(kind)
}

/** In order. Those that overlap become one, of the kind that begins first; a specific kind wins over a generic one. */
export function mergeFound(found: readonly Found[]): readonly Found[] {
  if (found.length < 2) return found
  const merged: Found[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start || rank(a) - rank(b))) {
    const last = merged.at(-1)
    if (last === undefined || next.start >= last.end) merged.push(next)
    else if (next.end > last.end)
      merged[merged.length - 1] = {
        kind: last.kind,
        start: last.start,
        end: next.end,
        inner: [...(last.inner ?? []), ...(next.inner ?? [])],
      }
  }
  return merged
}

function rank({ kind }: Found): number {
  if (kind === 'prose-secret') return 2
  return isGeneric(kind) ? 1 : 0
}
