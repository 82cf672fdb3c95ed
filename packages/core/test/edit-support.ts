/** Plans made of texts, and their results read again: what the tests of edits share. */

import { expandShape, type ShapeFiles, type TextFile } from '@dagline/testkit'
import {
  type EditPlan,
  type EditSource,
  type NewSession,
  proofOf,
  startRender,
  startRereading,
} from '../src/edit/index.js'
import { deriveId } from '../src/edit/rename.js'
import { planRepair, REPAIR_STRATEGIES, type RepairStrategy } from '../src/faults/index.js'
import { type FileRecord, type Graph, parseRow, sessionId, startGraph } from '../src/index.js'
import { recordsIn } from '../src/parse/row.js'
import { loadedBy, type Survey, startSurvey } from '../src/resume/index.js'
import { factsOf, nodeOf } from './support.js'

export const NEW_SESSION = sessionId('99999999-0000-4000-8000-000000000000')

/** What a plan is told from outside. */
export const MAKE: NewSession = { session: NEW_SESSION, now: Date.UTC(2026, 5, 1), title: null }

/** Files that can be edited. */
export interface Editable extends EditSource {
  readonly graph: Graph
  readonly texts: ReadonlyMap<string, string>
}

/** Reads files with an eye on edits. */
export function editable(files: readonly TextFile[], metas: readonly TextFile[] = []): Editable {
  const builder = startGraph()
  const surveys = new Map<string, Survey>()
  for (const { path, text } of files) {
    const facts = factsOf(path, metas)
    const { see, survey } = startSurvey()
    builder.addFile(facts, text.length)
    let offset = 0
    for (const [position, line] of text.replace(/\n$/, '').split('\n').entries()) {
      const length = Buffer.byteLength(line)
      builder.addRow(facts, parseRow({ row: position + 1, offset, length, text: line, whole: true }, see))
      offset += length + 1
    }
    surveys.set(facts.path, survey())
  }
  return {
    graph: builder.build(),
    surveys,
    texts: new Map(files.map(({ path, text }) => [path, text])),
  }
}

/** The result of a plan: its rows, and what the check says of them. */
export interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly text: string
  readonly fault: string | null
  readonly live: readonly string[]
  readonly gone: readonly string[]
}

/** A repair that holds what it promises. */
export interface HeldRepair {
  readonly strategy: RepairStrategy
  readonly plan: EditPlan
  readonly result: Result
}

/** Repairs a session's file by the first strategy that holds, as the command does: null where there is nothing to repair. */
export function repairThatHolds(source: Editable, path: string): HeldRepair | string | null {
  const file = source.graph.files().find(({ facts }) => facts.path === path)
  if (file === undefined) throw new RangeError(`no file ${path}`)
  const faults: string[] = []
  for (const strategy of REPAIR_STRATEGIES) {
    const plan = planRepair(source, file, MAKE, { only: [], inPlace: false, strategy })
    if (plan === null) continue
    const result = resultOf(source, plan)
    if (result.fault === null) return { strategy, plan, result }
    faults.push(`${strategy}: ${result.fault}`)
  }
  return faults.length === 0 ? null : faults.join('; ')
}

/** Renders and checks a plan. */
export function resultOf({ texts }: Editable, plan: EditPlan): Result {
  const renderer = startRender(plan)
  const reading = startRereading(plan)
  const lines: string[] = []
  const sources = plan.rows.files.map(path => Buffer.from(texts.get(path) ?? ''))
  for (const [position, file] of plan.rows.file.entries()) {
    const start = plan.rows.offset[position] ?? 0
    const source = sources[file]?.toString('utf8', start, start + (plan.rows.length[position] ?? 0)) ?? ''
    const row = renderer.row(position, source)
    if (row === null) continue
    reading.row(row)
    lines.push(row)
  }
  return {
    // What was damaged stays so.
    rows: lines.filter(line => recordsIn(line).length > 0).map(line => JSON.parse(line)),
    text: `${lines.join('\n')}\n`,
    ...proofOf(plan, reading.end(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0))),
  }
}

/** A new session, read again as a file of its own. */
export interface ReadAgain {
  readonly graph: Graph
  /** What a release loads of it. */
  readonly loaded: (version?: string) => readonly number[]
}

/** Reads the result of a plan again. What it is a copy of is not there. */
export function readAgain(plan: EditPlan, { rows }: Result): ReadAgain {
  const facts = factsOf(`${plan.session}.jsonl`, [])
  const builder = startGraph()
  const { see, survey } = startSurvey()
  for (const [position, { forkedFrom: _, ...row }] of rows.entries()) {
    const text = JSON.stringify(row)
    builder.addRow(
      facts,
      parseRow({ row: position + 1, offset: 0, length: text.length, text, whole: true }, see),
    )
  }
  const graph = builder.build()
  const known = survey()
  const options = (version?: string) =>
    version === undefined ? { survey: known } : { version, survey: known }
  return { graph, loaded: version => loadedBy(graph, facts.path, options(version)).nodes }
}

/** A shape that can be edited, and its results in tokens. */
export interface EditedShape extends Editable {
  readonly shape: ShapeFiles
  readonly node: (token: string) => number
  readonly file: (path?: string) => FileRecord
  /** What is live in the result of a plan, in tokens; `?` for rows that were made. Fails where the check does. */
  readonly promise: (plan: EditPlan | string | null) => string
  /** What a release loads of the result, in tokens. */
  readonly loaded: (plan: EditPlan | string | null, version: string) => string
  /** The rows of the result as `entry<parent`, in tokens. */
  readonly links: (plan: EditPlan | string | null) => string
  /** The branches of the source, or of the result, as `entry>head`, in tokens. */
  readonly branches: (plan?: EditPlan | string | null) => string
}

/** Reads a shape with an eye on edits. */
export function editShape(text: string): EditedShape {
  const shape = expandShape(text)
  const source = editable(shape.files, shape.metas)
  const tokens = new Map<string, string>()
  for (const node of source.graph.nodes()) {
    const id = source.graph.id(node)
    tokens.set(deriveId(NEW_SESSION, id), shape.say([id]))
    tokens.set(id, shape.say([id]))
  }
  const say = (id: unknown): string => (id === null ? '-' : (tokens.get(String(id)) ?? '?'))
  const written = (plan: EditPlan | string | null): { readonly made: EditPlan; readonly result: Result } => {
    if (plan === null || typeof plan === 'string') throw new Error(String(plan))
    return { made: plan, result: resultOf(source, plan) }
  }
  return {
    ...source,
    loaded: (plan, version) => {
      const { made, result } = written(plan)
      const { graph, loaded } = readAgain(made, result)
      return loaded(version)
        .map(node => say(graph.id(node)))
        .join(' ')
    },
    links: plan =>
      written(plan)
        .result.rows.filter(({ parentUuid }) => parentUuid !== undefined)
        .map(({ uuid, parentUuid }) => `${say(uuid)}<${say(parentUuid)}`)
        .join(' '),
    branches: plan => {
      const { graph } = plan === undefined ? source : readAgain(written(plan).made, written(plan).result)
      const lines = graph.lines().filter(({ kind }) => kind === 'branch')
      return lines
        .map(({ head, at }) => `${say(graph.id(at ?? -1))}>${say(graph.id(head ?? -1))}`)
        .sort()
        .join(', ')
    },
    shape,
    node: token => nodeOf(source.graph, shape.uuid(token)),
    file: (path = 's1.jsonl') => {
      const found = source.graph.files().find(({ facts }) => facts.path === path)
      if (found === undefined) throw new RangeError(`no file ${path}`)
      return found
    },
    promise: plan => {
      if (plan === null || typeof plan === 'string') return String(plan)
      const { fault, live } = resultOf(source, plan)
      if (fault !== null) throw new Error(fault)
      return live.map(id => tokens.get(id) ?? '?').join(' ')
    },
  }
}
