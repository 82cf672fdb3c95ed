/** Where what was opened in place ends, and where a way ends that was left and is read. */
import { type FoldChoice, type FoldedRow, type Sheet, tailKey, wayAt } from '@dagline/core'

export interface Ended {
  /** The agent's line; -1 for a way. */
  readonly agent: number
  /** The way, by its fork; -1 for agents. */
  readonly fork: number
  readonly way: number
}

/** By place: what ends after it, the innermost first. */
export type Ends = ReadonlyMap<number, readonly Ended[]>

interface Stretch {
  readonly ended: Ended
  readonly head: number
  readonly holds: (row: number) => boolean
}

/** Linear in what is opened. */
export function endsIn(sheet: Sheet, rows: readonly FoldedRow[], choice: FoldChoice, placeOf: PlaceOf): Ends {
  const found: { readonly place: number; readonly head: number; readonly ended: Ended }[] = []
  for (const stretch of choice.liveOnly ? [] : stretches(sheet, choice)) {
    const place = lastPlace(rows, placeOf(stretch.head), stretch.holds)
    if (place >= 0) found.push({ place, head: stretch.head, ended: stretch.ended })
  }
  const ends = new Map<number, Ended[]>()
  for (const { place, ended } of found.sort((a, b) => b.head - a.head))
    ends.set(place, [...(ends.get(place) ?? []), ended])
  return ends
}

type PlaceOf = (row: number) => number

function* stretches(sheet: Sheet, choice: FoldChoice): Generator<Stretch> {
  for (const key of choice.open) {
    const line = sheet.lines[key]
    if (line?.isShared === true) continue
    if (line?.kind === 'agent') {
      yield {
        ended: { agent: key, fork: -1, way: -1 },
        head: line.head,
        holds: row => isOn(sheet, row, key, -1),
      }
    } else {
      const fork = line === undefined ? key - tailKey(sheet, 0) : forkOf(sheet, key)
      const way = sheet.forks[fork]?.ways.indexOf(line === undefined ? -1 : key) ?? -1
      if (way >= 0 && wayAt(sheet, fork, choice) !== way) yield* stretchOf(sheet, fork, way)
    }
  }
  for (const [fork, way] of choice.ways) {
    const line = sheet.lines[sheet.forks[fork]?.ways[way] ?? -1]
    if (line !== undefined && line.status !== 'live') yield* stretchOf(sheet, fork, way)
  }
}

function forkOf({ forks }: Sheet, line: number): number {
  return forks.findIndex(({ ways }) => ways.includes(line))
}

function* stretchOf(sheet: Sheet, fork: number, way: number): Generator<Stretch> {
  const { row, ways } = sheet.forks[fork] ?? { row: -1, ways: [] }
  const line = ways[way] ?? -1
  const ended = { agent: -1, fork, way }
  if (line >= 0) yield { ended, head: sheet.lines[line]?.head ?? -1, holds: at => isOn(sheet, at, line, -1) }
  else {
    const own = sheet.rows.line[row] ?? -1
    yield { ended, head: sheet.rows.line.indexOf(own, row + 1), holds: at => isOn(sheet, at, own, row) }
  }
}

/** Whether a row is on a line below one of its rows, or on one that leaves it there. */
function isOn({ rows, lines }: Sheet, row: number, line: number, below: number): boolean {
  let [at, own] = [row, rows.line[row] ?? -1]
  for (let steps = 0; own >= 0 && steps <= lines.length; steps++) {
    if (own === line) return at > below
    at = lines[own]?.at ?? -1
    own = lines[own]?.parent ?? -1
  }
  return false
}

/** The end of the stretch of places that begins at or right after a place; -1 where nothing of it is shown. */
function lastPlace(rows: readonly FoldedRow[], from: number, holds: (row: number) => boolean): number {
  const isIn = (place: number): boolean => rows[place] !== undefined && holds(rows[place].row)
  let place = isIn(from) ? from : from + 1
  if (!isIn(place)) return -1
  while (isIn(place + 1)) place++
  return place
}
