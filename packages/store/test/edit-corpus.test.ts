/**
 * Real transcripts that people have published, under the doctor and under repair: what is called broken is mended in a
 * copy, what is called healthy has nothing to repair, and no original changes. The corpus is not part of the repository:
 * `DAGLINE_CORPUS` names its `projects` folder, or its tarball lies beside the repository.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FileRecord, parseRow, type RawRow, sessionId, startGraph } from '@dagline/core'
import type { EditPlan, EditSource } from '@dagline/core/edit'
import { examine, hasResumeProblem, planRepair, type SessionHealth } from '@dagline/core/faults'
import { parseLastRow } from '@dagline/core/parse'
import { loadedBy, type Surveyor, startSurvey } from '@dagline/core/resume'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import {
  discover,
  type Fingerprint,
  readTranscript,
  type WholeSources,
  wholeSources,
  writeEdit,
} from '../src/index.js'
import { temporaryFolder } from './temporary.js'

const root = findCorpus()
const NOW = Date.UTC(2026, 5, 1)

if (root === null) {
  process.stderr.write(
    'not run: repair of the corpus (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n',
  )
  it('repair of the corpus not run: no corpus here', () => expect(root).toBeNull())
}

/** What was read of a folder of projects. */
interface Reading {
  readonly source: EditSource
  readonly health: readonly SessionHealth[]
  readonly sources: WholeSources
}

/** Reads every project below a folder by itself, and has its sessions examined. */
function readAll(folder: string): readonly Reading[] {
  return discover([folder])
    .flatMap(({ projects }) => projects)
    .map(({ files }) => {
      const builder = startGraph()
      const surveyors = new Map<string, Surveyor>()
      const fingerprints = new Map<string, Fingerprint | null>()
      for (const file of files) {
        const surveyor = startSurvey()
        surveyors.set(file.path, surveyor)
        const { see } = surveyor
        const take = (row: RawRow): void => builder.addRow(file, parseRow(row, see))
        const { result, fingerprint } = readTranscript(folder, file.path, take, { isHashed: true })
        fingerprints.set(file.path, fingerprint)
        const pending = result?.pending ?? null
        if (pending !== null) builder.addRow(file, parseLastRow(pending, see))
      }
      const graph = builder.build()
      const surveys = new Map([...surveyors].map(([path, { survey }]) => [path, survey()]))
      return {
        source: { graph, surveys },
        health: examine(graph, { surveys }),
        sources: wholeSources(folder, fingerprints),
      }
    })
}

/** Whether the API refuses what a resume loads: by a plain look at the rows, and not by what the doctor has found. */
function isRefused(
  folder: string,
  { source: { graph, surveys } }: Reading,
  { file }: SessionHealth,
): boolean {
  const known = surveys.get(file)
  const { nodes } = loadedBy(graph, file, known === undefined ? {} : { survey: known })
  const rows = readFileSync(join(folder, file), 'utf8').split('\n')
  const messages = nodes.map(node => messageOn(rows, graph.node(node).row))
  const [first] = messages
  return first?.['role'] === 'assistant' || messages.some(message => isRefusedAlone(message))
}

type Message = Readonly<Record<string, unknown>>

function messageOn(rows: readonly string[], row: number): Message {
  try {
    return JSON.parse(rows[row - 1] ?? '').message ?? {}
  } catch {
    return {}
  }
}

function isRefusedAlone({ role, content }: Message): boolean {
  if (typeof content === 'string') return role === 'user' && content.trim() === ''
  const blocks: readonly Message[] = Array.isArray(content) ? content : []
  return blocks.some(({ type, signature, content: parts }) => {
    if (type === 'thinking') return typeof signature !== 'string' || signature === ''
    return Array.isArray(parts) && parts.some(part => part?.type === 'text' && part?.text === '')
  })
}

/** The faults for which the doctor names `dagline repair`. */
function mendable({ faults }: SessionHealth): readonly string[] {
  return faults.filter(({ fix }) => fix?.startsWith('dagline repair') ?? false).map(({ id }) => id)
}

function repairOf({ source }: Reading, { file }: SessionHealth, session: string): EditPlan | null {
  const record = source.graph.files().find(({ facts }) => facts.path === file)
  return record === undefined
    ? null
    : planRepair(source, record, makeOf(session), { only: [], inPlace: false, mayLose: true })
}

const makeOf = (session: string) => ({ session: sessionId(session), now: NOW, title: null })

function newSession(file: string): string {
  const hex = createHash('sha256').update(file).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function hashOfAll(folder: string): string {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  for (const path of files.map(entry => join(entry.parentPath, entry.name)).sort())
    hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

describe.runIf(root !== null)('sessions of the public corpus', () => {
  const corpus = root ?? ''
  let all: readonly Reading[] = []
  const data = process.env['XDG_DATA_HOME']

  beforeAll(() => {
    all = readAll(corpus)
  }, 120_000)

  afterAll(() => {
    if (data === undefined) delete process.env['XDG_DATA_HOME']
    else process.env['XDG_DATA_HOME'] = data
  })

  it('[D20] are ill if and only if a resume loads less than is live, or the API refuses it', () => {
    const wrong = all.flatMap(reading =>
      reading.health.flatMap(health => {
        const { now, possible } = health.coverage
        const isExpected = now < possible || isRefused(corpus, reading, health)
        return hasResumeProblem(health) === isExpected
          ? []
          : [`${health.file}: ${isExpected ? 'ill' : 'healthy'}`]
      }),
    )
    expect(wrong).toEqual([])
    const ill = all.flatMap(({ health }) => health.filter(hasResumeProblem)).length
    const total = all.flatMap(({ health }) => health).length
    expect(ill).toBeGreaterThan(0)
    expect(ill).toBeLessThan(total / 10)
  })

  it('[D13] [E6] that are healthy have nothing to repair', () => {
    const healthy = all.flatMap(reading =>
      reading.health.filter(health => mendable(health).length === 0).map(health => ({ reading, health })),
    )
    expect(healthy.length).toBeGreaterThan(50)
    const touched = healthy.flatMap(({ reading, health }) => {
      const plan = repairOf(reading, health, newSession(health.file))
      return plan === null ? [] : [`${health.file}: ${plan.changes.map(({ what }) => what).join(' ')}`]
    })
    expect(touched).toEqual([])
  })

  it('[E1] [E2] [E6] that are broken are repaired in a copy, and no original changes', async () => {
    process.env['XDG_DATA_HOME'] = temporaryFolder()
    const before = hashOfAll(corpus)
    const out = temporaryFolder()
    const broken = all.flatMap(reading =>
      reading.health.filter(health => mendable(health).length > 0).map(health => ({ reading, health })),
    )
    expect(broken.length).toBeGreaterThan(5)
    const promised = new Map<string, EditPlan>()
    const unmended: string[] = []
    for (const { reading, health } of broken) {
      const plan = repairOf(reading, health, newSession(health.file))
      if (plan === null) {
        unmended.push(`${health.file}: ${mendable(health).join(' ')}`)
        continue
      }
      const target = join(out, basename(dirname(health.file)), `${plan.session}.jsonl`)
      const original = join(corpus, health.file)
      await writeEdit({ plan, sources: reading.sources, target, original, texts: [], spilled: [], now: NOW })
      promised.set(plan.session, plan)
    }
    expect(unmended).toEqual([])
    expect(faultsIn(readAll(out), promised)).toEqual([])
    expect(hashOfAll(corpus)).toBe(before)
  }, 240_000)
})

/** What the new sessions do not keep of what was promised. */
function faultsIn(
  readings: readonly Reading[],
  promised: ReadonlyMap<string, EditPlan>,
): readonly (readonly string[])[] {
  const files = readings.flatMap(({ source, health }) =>
    source.graph
      .files()
      .flatMap(record => (record.facts.kind === 'session' ? [{ source, health, record }] : [])),
  )
  expect(files).toHaveLength(promised.size)
  return files.flatMap(({ source, health, record }) => {
    const plan = promised.get(record.facts.session ?? '')
    const found = health.find(({ file }) => file === record.facts.path)
    const lost = plan === undefined ? ['no plan'] : lostFrom(source, record, plan)
    const faults = found === undefined ? ['not examined'] : [...mendable(found), ...unreached(found)]
    return lost.length + faults.length === 0 ? [] : [[record.facts.path, ...lost, ...faults]]
  })
}

function lostFrom({ graph }: EditSource, { facts }: FileRecord, { promise }: EditPlan): readonly string[] {
  const live = new Set<string>(graph.live(facts.path).map(node => graph.id(node)))
  return promise.filter(id => !live.has(id))
}

function unreached({ coverage }: SessionHealth): readonly string[] {
  return coverage.now < coverage.possible ? [`loads ${coverage.now} of ${coverage.possible}`] : []
}
