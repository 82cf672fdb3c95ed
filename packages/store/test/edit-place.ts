/** Shapes written below a root, read with an eye on edits, and edits of them. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileId, parseRow, type RawRow, sessionId, startGraph } from '@dagline/core'
import { type EditPlan, type EditSource, planCheckout } from '@dagline/core/edit'
import { planRepair } from '@dagline/core/faults'
import { type Survey, startSurvey } from '@dagline/core/resume'
import { expandShape, inProject } from '@dagline/testkit'
import { afterEach, beforeEach } from 'vitest'
import {
  discover,
  type Edit,
  type Fingerprint,
  readTranscript,
  type WholeSources,
  wholeSources,
} from '../src/index.js'
import { temporaryFolder, writeFiles } from './temporary.js'

/** The time of every edit. */
export const NOW: number = Date.UTC(2026, 5, 1)
const PROJECT = '-home-dev-proj'

/** A root that was read. */
export interface Place {
  readonly root: string
  readonly folder: string
  readonly source: EditSource
  readonly sources: WholeSources
}

/** Writes a shape below a root and reads it with an eye on edits. */
export function placeOf(shape: string): Place {
  const root = temporaryFolder()
  const { files, metas } = expandShape(shape)
  const texts = inProject([...files, ...metas], PROJECT).map(({ path, text }) => [path, text] as const)
  writeFiles(root, Object.fromEntries(texts))
  return read(root)
}

/** Reads a root with one project. */
export function read(root: string): Place {
  const builder = startGraph()
  const surveys = new Map<string, Survey>()
  const fingerprints = new Map<string, Fingerprint | null>()
  for (const file of discover([root]).flatMap(found => found.projects.flatMap(project => project.files))) {
    const { see, survey } = startSurvey()
    const take = (row: RawRow): void => builder.addRow(file, parseRow(row, see))
    fingerprints.set(file.path, readTranscript(root, file.path, take, { isHashed: true }).fingerprint)
    surveys.set(file.path, survey())
  }
  const sources = wholeSources(root, fingerprints)
  return { root, folder: join(root, PROJECT), source: { graph: builder.build(), surveys }, sources }
}

const make = (session: string) => ({ session: sessionId(session), now: NOW, title: null })

function editOf(place: Place, plan: EditPlan | string | null): Edit {
  if (plan === null || typeof plan === 'string') throw new Error(String(plan))
  return {
    plan,
    sources: place.sources,
    target: join(place.folder, `${plan.session}.jsonl`),
    original: join(place.folder, 's1.jsonl'),
    texts: [],
    spilled: [],
    now: NOW,
  }
}

/** A new session of the conversation of `s1`. */
export function checkout(place: Place, session = 'n1'): Edit {
  const { graph } = place.source
  const live = graph.live(fileId(`${PROJECT}/s1.jsonl`))
  return editOf(place, planCheckout(place.source, live.at(-1) ?? -1, make(session)))
}

/** The session `s1`, repaired in its place. */
export function repairInPlace(place: Place): Edit {
  const file = place.source.graph
    .files()
    .find(({ facts }) => facts.session === 's1' && facts.kind === 'session')
  if (file === undefined) throw new Error('no file')
  return editOf(place, planRepair(place.source, file, make('s1'), { only: [], inPlace: true }))
}

/** Everything below a folder, with its bytes. */
export function everything(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map(path => [path.slice(folder.length), readFileSync(path, 'latin1')]))
}

/** Each test of a file has a journal of its own. */
export function withOwnJournal(): void {
  let data: string | undefined
  beforeEach(() => {
    data = process.env['XDG_DATA_HOME']
    process.env['XDG_DATA_HOME'] = temporaryFolder()
  })
  afterEach(() => {
    if (data === undefined) delete process.env['XDG_DATA_HOME']
    else process.env['XDG_DATA_HOME'] = data
  })
}
