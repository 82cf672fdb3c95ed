/**
 * What only the graphs of all sessions show: agents, and unknown types of records. It is found group by
 * group, a little at a time so that the server goes on answering, and kept in the index (I12) until the files of a group
 * change. Unlike commands, the page also shows sessions that are in the archive only: it asks the index for their rows.
 */

import { setImmediate } from 'node:timers/promises'
import { type Graph, startGraph } from '@dagline/core'
import { isoDay } from '@dagline/core/format'
import { createPricer, measureAgents, type SessionAgents } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import { unknownType } from '@dagline/core/parse'
import type { WorkProgress } from '@dagline/core/protocol'
import type { IndexStore, KeptAnswer, KnownFile } from '@dagline/store'
import { codeVersion, figuresBasis, hashBasis, keepAnswers } from '../graphs/answers.js'
import { addGroup } from '../graphs/indexed.js'
import { currentPrices } from '../host/prices.js'
import type { LiveContext } from './context.js'

/** What a file group tells. */
export interface GroupFacts {
  readonly agents: readonly SessionAgents[]
  readonly unknown: readonly UnknownType[]
}

/** A type that is not known: how often, and a session that has it. */
export interface UnknownType {
  readonly type: string
  readonly count: number
  readonly session: string | null
}

/** What is known so far. */
interface SurveyView {
  readonly survey: WorkProgress
  readonly groups: readonly GroupFacts[]
}

/** Gives what is known of all groups, and goes on with the others behind the answer. */
export type Look = () => SurveyView

interface FileGroup {
  readonly root: number
  readonly group: number
  readonly version: string
  readonly files: readonly KnownFile[]
}

/** Its name among the kept answers. */
const KIND = 'surveyGroup'

/** Groups after which what was found is kept. */
const KEPT_TOGETHER = 100

/** The survey of a context, kept in the index of a path; nowhere without one. Nothing is done before the first call. */
export function createSurvey(context: LiveContext, path: string | null): Look {
  const done = new Map<string, GroupFacts>()
  let groups: readonly FileGroup[] = []
  let from: unknown = null
  let isRunning = false
  let fresh: KeptAnswer[] = []
  /** Waits for nobody: what is not kept is found again by the next server. */
  const keepFresh = (): void => {
    if (path !== null) keepAnswers(path, KIND, fresh, 0)
    fresh = []
  }

  const run = async (): Promise<void> => {
    isRunning = true
    try {
      // One index for the whole run: when it is closed or replaced, asking it fails.
      const index = context.index()
      for (let open = firstOpen(groups, done); open !== null; open = firstOpen(groups, done)) {
        const facts = await surveyGroup(index, open.files)
        done.set(open.version, facts)
        fresh.push({ group: open.group, part: '', basis: open.version, value: JSON.stringify(facts) })
        if (fresh.length >= KEPT_TOGETHER) keepFresh()
      }
    } catch {
      // The index was replaced or is being made: the next look begins again.
      from = null
    } finally {
      keepFresh()
      isRunning = false
    }
  }

  return () => {
    // The list of sessions is another one whenever the index is.
    if (context.sessions() !== from) {
      from = context.sessions()
      groups = listGroups(context.index(), context.rootIds())
      forgetOthers(done, groups)
      if (done.size === 0) recall(context.index(), groups, done)
    }
    const known = groups.flatMap(({ version }) => done.get(version) ?? [])
    if (!isRunning && known.length < groups.length) void run()
    return { survey: { done: known.length, of: groups.length }, groups: known }
  }
}

function firstOpen(groups: readonly FileGroup[], done: ReadonlyMap<string, unknown>): FileGroup | null {
  return groups.find(({ version }) => !done.has(version)) ?? null
}

function forgetOthers(done: Map<string, unknown>, groups: readonly FileGroup[]): void {
  const versions = new Set(groups.map(({ version }) => version))
  for (const version of done.keys()) if (!versions.has(version)) done.delete(version)
}

/** Takes over what an earlier server has found of these groups. */
function recall(index: IndexStore, groups: readonly FileGroup[], done: Map<string, GroupFacts>): void {
  const versions = new Set(groups.map(({ version }) => version))
  for (const root of new Set(groups.map(group => group.root)))
    for (const { basis, value } of index.answers(root, KIND))
      if (versions.has(basis)) done.set(basis, index.parseKept(value))
}

/** The files of each group, those that were written to last first. */
function listGroups(index: IndexStore, roots: readonly number[]): readonly FileGroup[] {
  const general = [codeVersion(), figuresBasis()]
  const newest = ({ files }: FileGroup): number => Math.max(...files.map(({ state }) => state?.mtime ?? 0))
  const groupsIn = (root: number): readonly FileGroup[] =>
    [...groupBy(index.files(root), ({ group }) => group)].flatMap(([group, files]) =>
      group === null ? [] : [{ root, group, files, version: versionOf([...general, root], files) }],
    )
  return roots.flatMap(groupsIn).sort((a, b) => newest(b) - newest(a))
}

/** What files are, as far as their graph depends on it. */
function versionOf(general: readonly unknown[], files: readonly KnownFile[]): string {
  const states = files.map(({ id, bytes, state, facts }) => [id, bytes, state?.mtime, facts])
  return hashBasis([general, states])
}

async function surveyGroup(index: IndexStore, files: readonly KnownFile[]): Promise<GroupFacts> {
  const { graph, unknown } = await buildGroup(index, files)
  await setImmediate()
  return { agents: agentsIn(index, graph, files), unknown }
}

/** Work goes on for so long, in milliseconds, before others have their turn. */
const SLICE = 12

async function buildGroup(
  index: IndexStore,
  files: readonly KnownFile[],
): Promise<{ readonly graph: Graph; readonly unknown: readonly UnknownType[] }> {
  const builder = startGraph()
  const unknown = new Map<string, UnknownType>()
  let start = performance.now()
  for (const { file, row } of addGroup(builder, index, files)) {
    for (const record of row.records) noteUnknown(unknown, unknownType(record), file.facts.session)
    if (performance.now() - start < SLICE) continue
    await setImmediate()
    start = performance.now()
  }
  return { graph: builder.build(), unknown: [...unknown.values()] }
}

function noteUnknown(known: Map<string, UnknownType>, type: string | null, session: string | null): void {
  if (type === null) return
  const before = known.get(type)
  known.set(type, { type, count: (before?.count ?? 0) + 1, session: before?.session ?? session })
}

function agentsIn(index: IndexStore, graph: Graph, files: readonly KnownFile[]): readonly SessionAgents[] {
  const price = createPricer(currentPrices())
  // Most groups have no agents: then costs are not needed.
  let costs: ReadonlyMap<string, number | null> | null = null
  const costOf = (message: string): number | null => {
    costs ??= new Map(index.messages(files.map(({ id }) => id)).map(each => [each.message, price(each)]))
    return costs.get(message) ?? null
  }
  return measureAgents(graph, { dayOf: isoDay, hourOf: () => 0, costOf })
}
