/**
 * What dagline itself writes: whole sessions, recorded and generated, after every command that makes sessions. Each is
 * resumed, and what is sent must be what dagline promised.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadedBy } from '@dagline/core/resume'
import { edit } from '../harness/dagline.ts'
import { readSession } from '../harness/graph.ts'
import { otherSide, partOf, repairedInPlace } from './advised.ts'
import { brokenSessions } from './broken.ts'
import type { CaseSource, FoundSession, LabCase, LabSession } from './case.ts'
import { sessionsOf } from './generated.ts'
import { type Points, pointsOf } from './points.ts'
import { recordedSessions } from './recorded.ts'

/** Of the recordings every so many are edited. */
const EVERY = 7
const STYLES = ['1.0.66', '2.0.64', '2.1.101', '2.1.197', '2.1.325'] as const
const SEEDS = 2
/** The recording that is repaired in place. */
const IN_PLACE = '2.1.325/s13'

export const edited: CaseSource = {
  name: 'edited',
  *cases() {
    for (const found of brokenSessions()) if (found.name.startsWith(IN_PLACE)) yield repairedInPlace(found)
    for (const found of brokenSessions()) if (found.kind === 'two writers') yield otherSide(found)
    const some = wholeSessions(EVERY)
    const all = wholeSessions(1)
    for (const kind of Object.keys(EDITS))
      for (const found of RARE.test(kind) ? all : some) yield* edits(kind, found)
    for (const found of some) yield moved(found)
  },
}

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
  return { asks: 'edit', kind, name: found.name, make: async () => partOf(await edit(found, words), part) }
}

/** A moved session must be sent as it would have been at its old place. */
function moved(found: FoundSession): LabCase {
  const make = (version: string): LabSession => {
    const { graph, path, survey } = readSession(found.session, found.text)
    const promise = loadedBy(graph, path, { version, survey }).nodes.map(node => graph.id(node))
    return { ...found, promise, isMoved: true }
  }
  return { asks: 'edit', kind: 'moved with its project', name: found.name, make }
}
