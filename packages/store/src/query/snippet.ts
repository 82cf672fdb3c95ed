/** The place in a text where a query is found, short enough for one line. */
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
export function snippetOf(text: string, parts: readonly string[], pattern: RegExp | null = null): Snippet {
  const found = pattern === null ? placesOf(text, parts) : matchesOf(text, pattern)
  const start = Math.max(0, bestOf(found) - BEFORE)
  const end = Math.min(text.length, start + LENGTH)
  const [head, tail] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  const shift = head.length - start
  const inside = joinPlaces(found.filter(({ start: from, end: to }) => from >= start && to <= end))
  return {
    text: head + text.slice(start, end).replace(/\s/g, ' ') + tail,
    marks: inside.map(([from, to]) => [from + shift, to + shift]),
  }
}

/** Where a part of the query stands, and which. */
interface Place {
  readonly start: number
  readonly end: number
  readonly part: number
}

/** The first place from which on most different parts stand close together. */
function bestOf(places: readonly Place[]): number {
  let best = { start: 0, parts: 0 }
  for (const { start } of places) {
    const near = places.filter(place => place.start >= start && place.end <= start + LENGTH - BEFORE)
    const parts = new Set(near.map(({ part }) => part)).size
    if (parts > best.parts) best = { start, parts }
  }
  return best.start
}

/** Where parts stand, in order. Words found apart from each other are marked one by one. */
function placesOf(text: string, parts: readonly string[]): readonly Place[] {
  const folded = foldText(text)
  const places = parts.flatMap((part, number) => {
    const whole = placesOfPart(folded, part, number)
    const words = part.match(/[\p{L}\p{N}]+/gu) ?? []
    return whole.length > 0 ? whole : words.flatMap(word => placesOfPart(folded, word, number))
  })
  return places.sort((a, b) => a.start - b.start)
}

const MOST_PLACES = 50

function placesOfPart(folded: string, part: string, number: number): readonly Place[] {
  const inside: Place[] = []
  const atWord: Place[] = []
  const startsWithWord = /^[\p{L}\p{N}]/u.test(part)
  for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, at + part.length)) {
    const place: Place = { start: at, end: at + part.length, part: number }
    if (startsWithWord && /[\p{L}\p{N}]/u.test(folded[at - 1] ?? ' ')) inside.push(place)
    else atWord.push(place)
    if (inside.length + atWord.length >= MOST_PLACES) break
  }
  // Words are what the index found; a part of a word is marked only where there is nothing better.
  return atWord.length > 0 ? atWord : inside
}

/** Places that overlap are one mark. */
function joinPlaces(places: readonly Place[]): readonly (readonly [number, number])[] {
  const joined: [number, number][] = []
  for (const { start, end } of places) {
    const last = joined.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

function matchesOf(text: string, pattern: RegExp): readonly Place[] {
  const places: Place[] = []
  for (const match of text.matchAll(pattern)) {
    if (match[0] !== '') places.push({ start: match.index, end: match.index + match[0].length, part: 0 })
    if (places.length >= MOST_PLACES) break
  }
  return places
}
