/**
 * What dagline itself writes: broken sessions after `repair`, and whole ones, recorded and generated, after every other
 * command that makes sessions. Each is resumed, and what is sent must be what dagline promised.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadedBy } from '@dagline/core'
import { edit } from '../harness/dagline.ts'
import { readSession } from '../harness/graph.ts'
import { brokenSessions } from './broken.ts'
import type { CaseSource, FoundSession, LabCase, LabSession, NoSession } from './case.ts'
import { mixtures, sessionsOf } from './generated.ts'
import { type Points, pointsOf } from './points.ts'
import { recordedSessions } from './recorded.ts'

/** Of the recordings every so many are edited. */
const EVERY = 7
const MIXTURES = 24
const STYLES = ['1.0.66', '2.0.64', '2.1.101', '2.1.197', '2.1.325'] as const
const SEEDS = 2

export const edited: CaseSource = {
  name: 'edited',
  *cases() {
    for (const found of brokenSessions(1))
      if (found.kind !== 'notes only') yield made(found, `repaired: ${found.kind}`, REPAIR)
    for (const found of mixtures(MIXTURES)) yield made(found, `repaired: ${found.kind}`, REPAIR)
    for (const found of brokenSessions(1))
      if (found.name.startsWith('2.1.325/s13') && found.kind !== 'notes only')
        yield made(found, 'repaired in place', [...REPAIR, '--in-place'])
    // Faults of the end, which a repair of rows does not reach.
    for (const found of brokenSessions(1))
      if (ENDS.has(found.kind)) yield made(found, `checked out: ${found.kind}`, ['checkout', 'SESSION'])
    const some = wholeSessions(EVERY)
    const all = wholeSessions(1)
    for (const kind of Object.keys(EDITS))
      for (const found of RARE.test(kind) ? all : some) yield* edits(kind, found)
    for (const found of some) yield moved(found)
  },
}

const REPAIR = ['repair', 'SESSION', '--yes']
const ENDS = new Set(['hook at the end', 'killed after a rewind'])

/** Few sessions have such points: all that do are tried. */
const RARE = /abandoned|compaction|agent/

function wholeSessions(every: number): readonly FoundSession[] {
  const made = STYLES.flatMap(style =>
    Array.from({ length: SEEDS }, (_, nth) => sessionsOf(nth + 11, style).slice(0, 2)).flat(),
  )
  return [...recordedSessions().filter((_, nth) => nth % every === 0), ...made]
}

/** The words of a command for a session; null where it has no such point. */
type Words = (points: Points, found: LabSession) => readonly string[] | null

const EDITS: Readonly<Record<string, Words>> = {
  'checked out: the end': () => ['checkout', 'SESSION'],
  'checked out: a message in the middle': ({ middle }) => at(middle, 'checkout'),
  'checked out: an abandoned branch': ({ abandoned }) => at(abandoned, 'checkout'),
  'checked out: before a compaction': ({ beforeCompaction }) => at(beforeCompaction, 'checkout'),
  'checked out: an agent': (_, found) => agentOf(found),
  'forked in the middle': ({ middle }) => at(middle, 'fork'),
  'forked at an abandoned branch': ({ abandoned }) => at(abandoned, 'fork'),
  'picked: an abandoned turn onto the end': ({ abandonedPrompt }) =>
    at(abandonedPrompt, 'pick', '--onto', 'SESSION'),
  'picked: the last turn onto the first': ({ lastPrompt, firstAnswer }) =>
    firstAnswer === null ? null : at(lastPrompt, 'pick', '--onto', `SESSION:${firstAnswer}`),
  'trimmed: outputs, images, thinking, progress': () => [
    ...['trim', 'SESSION', '--outputs', '40', '--images', '--thinking', '--progress'],
  ],
  'split: the first half': ({ lastPrompt }) => halves(lastPrompt),
  'split: the second half': ({ lastPrompt }) => halves(lastPrompt),
}

function at(uuid: string | null, command: string, ...words: readonly string[]): readonly string[] | null {
  return uuid === null ? null : [command, `SESSION:${uuid}`, ...words]
}

function halves(uuid: string | null): readonly string[] | null {
  return uuid === null ? null : ['split', 'SESSION', '--at', uuid]
}

function agentOf({ folder }: LabSession): readonly string[] | null {
  const own = folder === null ? '' : join(folder, 'subagents')
  const files = existsSync(own) ? readdirSync(own).sort() : []
  const stem = files.find(name => /^agent-\w+\.jsonl$/.test(name))?.replace('.jsonl', '')
  return stem === undefined ? null : ['checkout', `SESSION#${stem}`]
}

function* edits(kind: string, found: FoundSession): Generator<LabCase> {
  const words = EDITS[kind]?.(pointsOf(found), found) ?? null
  if (words !== null) yield made(found, kind, words)
}

function made(found: FoundSession, kind: string, words: readonly string[]): LabCase {
  const part = kind.includes('second half') ? 1 : 0
  return {
    kind,
    name: kind === 'repaired in place' ? `${found.name}, ${found.kind}` : found.name,
    isMade: true,
    make: async () => partOf(await edit(found, words), part),
  }
}

function partOf(sessions: readonly LabSession[] | NoSession, part: number): LabSession | NoSession {
  if ('why' in sessions) return sessions
  return sessions[part] ?? { why: 'refused', sentence: 'no session was made' }
}

/** A moved session must be sent as it would have been at its old place. */
function moved(found: FoundSession): LabCase {
  const make = (version: string): LabSession => {
    const { graph, path, extras } = readSession(found.session, found.text)
    const promise = loadedBy(graph, path, { version, extras }).nodes.map(node => graph.id(node))
    return { ...found, promise, isMoved: true }
  }
  return { kind: 'moved with its project', name: found.name, isMade: true, make }
}
