/** The part of a text where a query is found, short enough for one line. */
import { withoutTags } from '@dagline/core/content'
import { foldText } from './words.js'

interface Snippet {
  /** Without line breaks; cut ends are marked by `…`. */
  readonly text: string
  /** Where the query is found in it: start and end, in order. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

const LENGTH = 160
const BEFORE = 50

/** The part of a text in which most of the parts are found, or where the pattern is first. */
export function snippetOf(whole: string, parts: readonly string[], pattern: RegExp | null = null): Snippet {
  const find = (text: string): readonly Match[] =>
    pattern === null ? findParts(text, parts) : findPattern(text, pattern)
  // S7: without the tags of the client, unless what was searched for stands in one of them.
  const shown = withoutTags(whole)
  const isAsked = parts.length > 0 || pattern !== null
  const text = !isAsked || shown === whole || find(shown).length > 0 ? shown : whole
  const found = find(text)
  const start = Math.max(0, bestOf(found) - BEFORE)
  const end = Math.min(text.length, start + LENGTH)
  const [head, tail] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  const shift = head.length - start
  const inside = joinMatches(found.filter(({ start: from, end: to }) => from >= start && to <= end))
  return {
    text: head + text.slice(start, end).replace(/\s/g, ' ') + tail,
    marks: inside.map(([from, to]) => [from + shift, to + shift]),
  }
}

/** Where a part of the query stands, and which. */
interface Match {
  readonly start: number
  readonly end: number
  readonly part: number
}

/** The first match from which on most different parts stand close together. */
function bestOf(matches: readonly Match[]): number {
  let best = { start: 0, parts: 0 }
  for (const { start } of matches) {
    const near = matches.filter(match => match.start >= start && match.end <= start + LENGTH - BEFORE)
    const parts = new Set(near.map(({ part }) => part)).size
    if (parts > best.parts) best = { start, parts }
  }
  return best.start
}

/** Where parts stand, in order. Words found apart from each other are marked one by one. */
function findParts(text: string, parts: readonly string[]): readonly Match[] {
  const folded = foldText(text)
  const matches = parts.flatMap((part, number) => {
    const whole = findPart(folded, part, number)
    const words = part.match(/[\p{L}\p{N}]+/gu) ?? []
    return whole.length > 0 ? whole : words.flatMap(word => findPart(folded, word, number))
  })
  return matches.sort((a, b) => a.start - b.start)
}

const MOST_MATCHES = 50

function findPart(folded: string, part: string, number: number): readonly Match[] {
  const inside: Match[] = []
  const atWord: Match[] = []
  const startsWithWord = /^[\p{L}\p{N}]/u.test(part)
  for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, at + part.length)) {
    const match: Match = { start: at, end: at + part.length, part: number }
    if (startsWithWord && /[\p{L}\p{N}]/u.test(folded[at - 1] ?? ' ')) inside.push(match)
    else atWord.push(match)
    if (inside.length + atWord.length >= MOST_MATCHES) break
  }
  // Words are what the index found; a part of a word is marked only where there is nothing better.
  return atWord.length > 0 ? atWord : inside
}

/** Matches that overlap are one mark. */
function joinMatches(matches: readonly Match[]): readonly (readonly [number, number])[] {
  const joined: [number, number][] = []
  for (const { start, end } of matches) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

function findPattern(text: string, pattern: RegExp): readonly Match[] {
  const matches: Match[] = []
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (found !== '') matches.push({ start: index, end: index + found.length, part: 0 })
    if (matches.length >= MOST_MATCHES) break
  }
  return matches
}
