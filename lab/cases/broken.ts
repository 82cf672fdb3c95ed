/** Recorded and generated sessions, broken at some of their places in every way that was met in the wild. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CORRUPTIONS, createRng, parseJson, withEqualMarks } from '@dagline/testkit'
import { markRow } from '../harness/marks.ts'
import { advised, repaired } from './advised.ts'
import { sessionsBeside } from './beside.ts'
import { asItIs, type CaseSource, type FoundSession, foundSession } from './case.ts'
import { sessionsOf } from './generated.ts'
import { RECORDINGS } from './recorded.ts'

/** Recordings with different shapes: plain, parallel calls, thinking, rewinds, compactions, hooks, walks. */
const CHOSEN = [
  '2.1.325/s20_edits_todos',
  '2.1.325/s03_parallel_tools',
  '2.1.325/s04_sequential_thinking',
  '2.1.325/s13_rewind',
  '2.1.325/s09_compact_headless',
  '2.1.325/s15_hooks',
  'random-2.1.325/105',
  'random-2.1.197/303',
  '2.0.64/s20_edits_todos',
]

/** Generated sessions: style and seed. */
const GENERATED = [
  ['2.1.325', 3],
  ['2.1.325', 8],
] as const

/** How many places of a session are broken, each in a case of its own. */
const PLACES = 2

export const broken: CaseSource = {
  name: 'broken',
  *cases() {
    const seen = new Set<string>()
    for (const found of [...brokenSessions(), ...sessionsBeside()]) {
      const equal = { ...found, text: withEqualMarks(found.text) }
      yield* [asItIs(found), advised(equal)]
      // Each way is repaired once in each session, also where the doctor does not ask for it.
      const place = `${found.kind} ${found.name.replace(/ row \d+$/, '')}`
      if (!seen.has(place)) yield repaired(equal)
      seen.add(place)
    }
  },
}

/** Broken sessions, by way: each recorded and generated session at some places. */
export function* brokenSessions(): Generator<FoundSession> {
  const sources = sessionsToBreak()
  for (const kind of Object.keys(CORRUPTIONS)) for (const source of sources) yield* breakings(source, kind)
  for (const kinds of COMBINATIONS) for (const source of sources) yield* combined(source, kinds)
}

/** Breakings that are harmless alone: without its boundary a compaction hides no prompt that the API refuses. */
const COMBINATIONS = [['boundary gone', 'prompt of no characters']] as const

interface Source {
  readonly name: string
  readonly session: string
  readonly rows: readonly string[]
  readonly folder: string | null
}

function sessionsToBreak(): readonly Source[] {
  const made = GENERATED.flatMap(([style, seed]) => longest(sessionsOf(seed, style)))
  return [
    ...CHOSEN.flatMap(firstSessionOf),
    ...made.map(({ name, session, text }) => ({ name, session, rows: rowsOf(text), folder: null })),
  ]
}

function longest(sessions: readonly FoundSession[]): readonly FoundSession[] {
  return [...sessions].sort((a, b) => b.text.length - a.text.length).slice(0, 1)
}

function firstSessionOf(recording: string): readonly Source[] {
  const root = join(RECORDINGS, recording, 'projects')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /[0-9a-f-]{36}\.jsonl$/.test(path) && !path.includes('subagents'))
    .sort()
    .slice(0, 1)
    .map(path => {
      const folder = join(root, path).replace(/\.jsonl$/, '')
      return {
        name: recording,
        session: basename(path, '.jsonl'),
        rows: rowsOf(readFileSync(join(root, path), 'utf8')),
        folder: existsSync(folder) ? folder : null,
      }
    })
}

/** Marked before they are broken: a torn row cannot be marked any more. */
function rowsOf(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((row, at) => markRow(row, at + 1))
}

function* breakings(source: Source, kind: string): Generator<FoundSession> {
  const breaking = CORRUPTIONS[kind]
  if (breaking === undefined) return
  const fitting = source.rows.flatMap((row, at) => {
    const json = parseJson(row)
    return json !== null && breaking.picks(json, at, source.rows) ? [at] : []
  })
  for (const at of spread(fitting, PLACES)) {
    const text = breaking.breaks([...source.rows], at, createRng(at))
    const found = foundSession(kind, `${source.name} row ${at + 1}`, source.session, text)
    yield { ...found, folder: source.folder }
  }
}

function* combined(source: Source, [first, second]: readonly [string, string]): Generator<FoundSession> {
  for (const once of breakings(source, first)) {
    const rows = once.text.trimEnd().split('\n')
    for (const twice of breakings({ ...source, rows, name: once.name }, second))
      yield { ...twice, kind: `${first}, ${second}` }
  }
}

/** Some of a list, far from each other. */
function spread(places: readonly number[], count: number): readonly number[] {
  if (places.length <= count) return places
  return Array.from(
    { length: count },
    (_, nth) => places[Math.floor(((nth + 0.5) * places.length) / count)] ?? 0,
  )
}
