/**
 * One pass over a text finds all the places worth a look: the beginnings of tokens, the marks of keys, the words in names.
 * An automaton reads each character once, however many words it knows.
 */
import { namesIn } from '../model/group.js'

/** A secret in a text: what it is, and where. */
export interface Found {
  readonly kind: string
  readonly start: number
  /** Behind the last character. */
  readonly end: number
}

/** What a look gives: the secret; or the place before which another look is useless; or both; or nothing. */
export type Looked = Found | { readonly found: readonly Found[]; readonly until: number } | number | null

/** Some words, and what to do where one is found. */
export interface Lookout {
  /** The kinds of secrets that it finds. */
  readonly kinds: readonly string[]
  /** Plain ASCII; found in any case. */
  readonly words: readonly string[]
  readonly lookAt: (text: string, at: number, word: string) => Looked
}

/** Finds everything that the lookouts see. */
export function createSearch(lookouts: readonly Lookout[]): (text: string) => readonly Found[] {
  const words = lookouts.flatMap((lookout, owner) => lookout.words.map(word => ({ word, owner })))
  const { next, heard } = createAutomaton(words.map(({ word }) => word.toLowerCase()))
  return text => {
    const found: Found[] = []
    // Most texts are short and have nothing worth a look.
    let done: number[] | null = null
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      state = code < WIDTH ? (next[state * WIDTH + code] ?? 0) : 0
      const ends = heard[state]
      if (ends === undefined) continue
      for (const index of ends) {
        const { word = '', owner = 0 } = words[index] ?? {}
        done ??= lookouts.map(() => 0)
        const start = at + 1 - word.length
        if (start < (done[owner] ?? 0)) continue
        const looked = lookouts[owner]?.lookAt(text, start, word) ?? null
        if (looked !== null) done[owner] = take(looked, found)
      }
    }
    return found
  }
}

function take(looked: Exclude<Looked, null>, found: Found[]): number {
  if (typeof looked === 'number') return looked
  if ('kind' in looked) {
    found.push(looked)
    return looked.end
  }
  found.push(...looked.found)
  return looked.until
}

const WIDTH = 128

interface Automaton {
  /** The state after a state and a character: row by row. */
  readonly next: Uint16Array
  /** The words that end in a state; none for most. */
  readonly heard: readonly (readonly number[] | undefined)[]
}

/** Aho and Corasick's: from each state the longest way on that is the beginning of a word. */
function createAutomaton(words: readonly string[]): Automaton {
  const { ways, ends } = spellOut(words)
  const next = new Uint16Array(ways.length * WIDTH)
  const heard: (readonly number[] | undefined)[] = ends.map(list => (list.length > 0 ? list : undefined))
  const back = new Uint16Array(ways.length)
  const open = [0]
  for (let state = open.shift(); state !== undefined; state = open.shift()) {
    const behind = back[state] ?? 0
    const all = [...(heard[state] ?? []), ...(state === 0 ? [] : (heard[behind] ?? []))]
    if (all.length > 0) heard[state] = all
    // What the state behind does is done here too, unless there is a longer way.
    if (state !== 0) next.copyWithin(state * WIDTH, behind * WIDTH, behind * WIDTH + WIDTH)
    for (const [code, to] of ways[state] ?? []) {
      back[to] = state === 0 ? 0 : (next[behind * WIDTH + code] ?? 0)
      for (const each of inBothCases(code)) next[state * WIDTH + each] = to
      open.push(to)
    }
  }
  return { next, heard }
}

interface Spelt {
  readonly ways: readonly ReadonlyMap<number, number>[]
  readonly ends: readonly (readonly number[])[]
}

/** The words as a tree, by their characters. */
function spellOut(words: readonly string[]): Spelt {
  const ways: Map<number, number>[] = [new Map()]
  const ends: number[][] = [[]]
  for (const [index, word] of words.entries()) {
    let state = 0
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at)
      const to = ways[state]?.get(code) ?? ways.length
      if (to === ways.length) {
        ways[state]?.set(code, to)
        ways.push(new Map())
        ends.push([])
      }
      state = to
    }
    ends[state]?.push(index)
  }
  return { ways, ends }
}

function inBothCases(code: number): readonly number[] {
  const letter = String.fromCharCode(code)
  return [...new Set([code, letter.toUpperCase().charCodeAt(0)])]
}

/** Kinds that only say what a secret is assigned to. */
const GENERIC = new Set(namesIn('password secret token api-key session authorization cookie url-login'))

/** In order; what overlaps is one, of the kind that began first, and of the one that says more where both begin together. */
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
