/** Edits of sessions: each plans a new session from a graph, writes it, proves it and returns what was done. */

import { entryId, type FileRecord, type Graph, type Line } from '@dagline/core'
import {
  type EditPlan,
  type NewSession,
  planCheckout,
  planFork,
  planPick,
  planSplit,
  planTrim,
  promptOf,
  type TrimScope,
} from '@dagline/core/edit'
import { undoEdit } from '@dagline/store'
import { namedBy } from '../files/labels.js'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'
import { openRef } from '../locate/ref.js'
import { timeOf } from '../text/dates.js'
import { carryOut, type EditReport, makeSession, planned, type ReadyEdit, readyEdit } from './run.js'
import {
  type EditedPoint,
  type EditedProject,
  type EditedSession,
  openEditedSession,
  openPoint,
} from './source.js'
import { type EditOptions, refuseBusy } from './target.js'

/** Options of `checkout`. */
export interface CheckoutOptions extends EditOptions {
  /** The conversation as it was at this date; null for now. */
  readonly at: string | null
}

/** Makes a session of the conversation up to a point. */
export async function checkout(host: Host, ref: string, options: CheckoutOptions): Promise<EditReport> {
  return await planAndWrite(host, options, () => {
    const point = openPoint(ref, timeOf(options.at, true), host)
    return planAt(host, point, options, make => planCheckout(point.source, point.node, make))
  })
}

/** Copies a session up to a point, its branches included. */
export async function fork(host: Host, ref: string, options: EditOptions): Promise<EditReport> {
  return await planAndWrite(host, options, () => {
    const point = openPoint(ref, null, host)
    return planAt(host, point, options, make => planFork(point.source, point.node, make))
  })
}

/** Options of `pick`. */
export interface PickOptions extends EditOptions {
  /** The point that the turns go behind. */
  readonly onto: string
}

/** Makes a session of the conversation at a point and the turns that were picked. */
export async function pick(host: Host, refs: readonly string[], options: PickOptions): Promise<EditReport> {
  if (refs.length === 0)
    throw new UserError('No turns were given. Give the uuids of prompts, or of answers below them.')
  return await planAndWrite(host, options, () => {
    const onto = openPoint(options.onto, null, host)
    const picked = refs.flatMap(ref => nodesIn(onto, ref, host))
    return planAt(host, onto, options, make => planPick(onto.source, onto.node, picked, make))
  })
}

/** What a reference names, in the graph of the point that it goes onto: an entry, or all turns of a branch. */
function nodesIn(onto: EditedPoint, ref: string, host: Host): readonly number[] {
  const { graph, root, project } = onto.loaded
  const known = graph.index(entryId(ref))
  if (known !== null) return [known]
  const { loaded, node, line } = openPoint(ref, null, host)
  const isSame = loaded.root === root && loaded.project.path === project.path
  const turns = turnsOf(loaded.graph, line, node)
  const found = turns.flatMap(each => graph.index(loaded.graph.id(each)) ?? [])
  if (isSame && found.length === turns.length) return found
  throw new UserError(`${ref} lies in another project than the point it goes onto: pick within one project.`)
}

/** The prompts of a branch, in their order; an entry stands for its own turn. */
function turnsOf(graph: Graph, line: Line | null, node: number): readonly number[] {
  const prompts = line?.kind === 'branch' ? line.nodes.filter(each => promptOf(graph, each) === each) : []
  return prompts.length > 0 ? prompts : [node]
}

/** Options of `trim`: what is left out. */
export interface TrimOptions extends EditOptions, TrimScope {}

/** Copies a session without what is to be left out. */
export async function trim(host: Host, session: string, options: TrimOptions): Promise<EditReport> {
  const { outputs, images, thinking, progress } = options
  if (outputs === null && !images && !thinking && !progress)
    throw new UserError('There is nothing to trim. Give --outputs N, --images, --thinking or --progress.')
  const scope = { outputs, images, thinking, progress }
  return await planAndWrite(host, options, () => {
    const project = openEditedSession(session, host)
    const { source, file } = project
    return planFor(host, { project, file }, options, make => planTrim(source, file, make, scope))
  })
}

/** Options of `split`. */
export interface SplitOptions extends EditOptions {
  /** The second session begins with the prompt of this entry. */
  readonly at: string
}

/** Makes two sessions of one, cut before the turn of an entry. */
export async function split(
  host: Host,
  session: string,
  options: SplitOptions,
): Promise<readonly EditReport[]> {
  const reports: EditReport[] = []
  for (const half of await planHalves(host, session, options)) {
    const first = reports[0]?.number ?? null
    // One `undo` takes both back.
    const edit = first === null ? half.edit : { ...half.edit, with: first }
    const report = await bothOrNone(first, () => carryOut(host, { ...half, edit }, options))
    reports.push({ ...report, number: first ?? report.number })
  }
  return reports
}

/** Where the second half cannot be written, the first does not stay either. */
async function bothOrNone(first: number | null, work: () => Promise<EditReport>): Promise<EditReport> {
  try {
    return await work()
  } catch (error) {
    if (first !== null) await inStore(() => undoEdit(first, Date.now()))
    throw error
  }
}

async function planHalves(host: Host, session: string, options: SplitOptions): Promise<readonly ReadyEdit[]> {
  const edited = openEditedSession(session, host)
  const { loaded, source, file } = edited
  await refuseBusy(loaded, file, options)
  const node = cutAt(edited, options.at, host)
  const halves = planned(planSplit(source, file, node, [makeSession(options), makeSession(options)]))
  const before = source.graph.live(file.facts.path).length
  return halves.map(plan => readyEdit(host, { project: edited, plan, file, before }, options))
}

/** The entry that a reference names, in the graph that is edited: by a name, or within the session. */
function cutAt({ session, source: { graph } }: EditedSession, at: string, host: Host): number {
  const isOwn = namedBy(at, host) !== null || /[:@#]/.test(at)
  const found = openRef(isOwn ? at : `${session}:${at}`, host)
  const node = graph.index(found.loaded.graph.id(found.node))
  if (node !== null) return node
  throw new UserError(
    `${at} is not an entry of ${session}. Run \`dagline log ${session} --ids\` to list them.`,
  )
}

/** Writes what a function plans. The graph is let go with that function: only the plan is kept while rows are read. */
async function planAndWrite(
  host: Host,
  options: EditOptions,
  plan: () => Promise<ReadyEdit>,
): Promise<EditReport> {
  return await carryOut(host, await plan(), options)
}

type MakePlan = (make: NewSession) => EditPlan | string

async function planAt(
  host: Host,
  point: EditedPoint,
  options: EditOptions,
  makePlan: MakePlan,
): Promise<ReadyEdit> {
  const path = point.loaded.graph.node(point.node).file
  const file = point.loaded.graph.files().find(({ facts }) => facts.path === path)
  if (file === undefined) throw new UserError(`${path} is not among the files that were read: try again.`)
  return await planFor(host, { project: point, file }, options, makePlan)
}

/** Plans an edit of a file. Throws `UserError` where another process is writing it. */
async function planFor(
  host: Host,
  { project, file }: { readonly project: EditedProject; readonly file: FileRecord },
  options: EditOptions,
  makePlan: MakePlan,
): Promise<ReadyEdit> {
  await refuseBusy(project.loaded, file, options)
  const plan = planned(makePlan(makeSession(options)))
  const before = project.source.graph.live(file.facts.path).length
  return readyEdit(host, { project, plan, file, before }, options)
}
