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
}

/** What a rule finds at a word: a secret; the position before which it need not be asked again; both; or nothing. */
export type Match = Found | { readonly found: readonly Found[]; readonly until: number } | number | null

/** Words, and what to find where one of them is. */
export interface SecretRule {
  /** The kinds of secrets that it finds. */
  readonly kinds: readonly string[]
  /** Plain ASCII; found in any case. */
  readonly words: readonly string[]
  readonly matchAt: (text: string, at: number, word: string) => Match
}

/** Finds the secrets of all rules. */
export function createSearch(rules: readonly SecretRule[]): (text: string) => readonly Found[] {
  const words = rules.flatMap((rule, owner) => rule.words.map(word => ({ word, owner })))
  const { next, endings } = createAutomaton(words.map(({ word }) => word.toLowerCase()))
  return text => {
    const found: Found[] = []
    // Most texts have none of the words.
    let done: number[] | null = null
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      state = code < WIDTH ? (next[state * WIDTH + code] ?? 0) : 0
      const ends = endings[state]
      if (ends === undefined) continue
      for (const index of ends) {
        const { word = '', owner = 0 } = words[index] ?? {}
        done ??= rules.map(() => 0)
        const start = at + 1 - word.length
        if (start < (done[owner] ?? 0)) continue
        const match = rules[owner]?.matchAt(text, start, word) ?? null
        if (match !== null) done[owner] = take(match, found)
      }
    }
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

const WIDTH = 128

interface Automaton {
  /** The state after a state and a character: row by row. */
  readonly next: Uint16Array
  /** The words that end in a state; undefined for most states. */
  readonly endings: readonly (readonly number[] | undefined)[]
}

/** The automaton of Aho and Corasick: each state is the longest beginning of a word that the text ends with. */
function createAutomaton(words: readonly string[]): Automaton {
  const { edges, ends } = buildTrie(words)
  const next = new Uint16Array(edges.length * WIDTH)
  const endings: (readonly number[] | undefined)[] = ends.map(list => (list.length > 0 ? list : undefined))
  const back = new Uint16Array(edges.length)
  const open = [0]
  for (let state = open.shift(); state !== undefined; state = open.shift()) {
    const behind = back[state] ?? 0
    const all = [...(endings[state] ?? []), ...(state === 0 ? [] : (endings[behind] ?? []))]
    if (all.length > 0) endings[state] = all
    // Where no word continues here, the state goes where its fallback does.
    if (state !== 0) next.copyWithin(state * WIDTH, behind * WIDTH, behind * WIDTH + WIDTH)
    for (const [code, to] of edges[state] ?? []) {
      back[to] = state === 0 ? 0 : (next[behind * WIDTH + code] ?? 0)
      for (const each of inBothCases(code)) next[state * WIDTH + each] = to
      open.push(to)
    }
  }
  return { next, endings }
}

interface Trie {
  readonly edges: readonly ReadonlyMap<number, number>[]
  readonly ends: readonly (readonly number[])[]
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

function inBothCases(code: number): readonly number[] {
  const letter = String.fromCharCode(code)
  return [...new Set([code, letter.toUpperCase().charCodeAt(0)])]
}

/** Generic kinds: they only say what a secret is assigned to. */
const GENERIC = new Set(namesIn('password secret token api-key session authorization cookie url-login'))

/** In order. Those that overlap become one, of the kind that begins first; a specific kind wins over a generic one. */
export function mergeFound(found: readonly Found[]): readonly Found[] {
  if (found.length < 2) return found
  const merged: Found[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start || rank(a) - rank(b))) {
    const last = merged.at(-1)
    if (last === undefined || next.start >= last.end) merged.push(next)
    else if (next.end > last.end) merged[merged.length - 1] = { ...last, end: next.end }
  }
  return merged
}

function rank({ kind }: Found): number {
  return GENERIC.has(kind) ? 1 : 0
}
