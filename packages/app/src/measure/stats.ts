/** Projects and sessions as tables: what `stats` shows. */

import { messageText, readMessageUsage } from '@dagline/core/content'
import { isoDay } from '@dagline/core/format'
import {
  createPricer,
  idleSessions,
  joinStats,
  type MeasureOptions,
  type MessageUsage,
  measureGraph,
  mergeUsage,
  type Stats,
} from '@dagline/core/measure'
import { type Json, type TranscriptRecord, withCarried } from '@dagline/core/parse'
import { openContents } from '../contents/records.js'
import { findProjectsOrNote, type ProjectLocation, projectName } from '../files/projects.js'
import { askParts, figuresBasis } from '../graphs/answers.js'
import { type LoadedProject, loadProject, type Meter } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import type { IndexOptions } from '../index/open.js'
import { type ProjectScope, scopeOf } from '../locate/project.js'
import { sessionWordOf } from '../locate/ref.js'
import { openPartsIn } from '../locate/scope-parts.js'
import { openSession, sortWords } from '../locate/session.js'

/** Reads a project and measures it. */
export function analyseProject(location: ProjectLocation, meter?: Meter): ProjectStats {
  const bill = openBill()
  const loaded = loadProject(location, meter, { see: bill.see })
  return { stats: measureLoaded(loaded, bill), projects: namesOf(loaded) }
}

/** A project, measured. */
interface ProjectStats {
  readonly stats: Stats
  /** The names under which its sessions are listed, without those that are idle: a project may have several folders. */
  readonly projects: readonly string[]
}

function namesOf({ graph, project }: LoadedProject): readonly string[] {
  const idle = idleSessions(graph)
  const listed = graph.sessions().filter(({ id }) => !idle.has(id))
  const files = listed.map(({ id }) => graph.currentFile(id)?.facts.path ?? null)
  return [...new Set(files.map(file => projectName(project, file)))]
}

/** Sessions one by one; one that is named twice counts once. */
function analyseSessions(words: readonly string[], host: Host): readonly Stats[] {
  const seen = new Set<string>()
  return words.flatMap(word => {
    const bill = openBill()
    const { loaded, session } = openSession(sessionWordOf(word, host), host, { see: bill.see })
    if (seen.has(session.id)) return []
    seen.add(session.id)
    return [measureLoaded(loaded, bill, new Set([session.id]))]
  })
}

/** What messages cost, learned while they are read. */
export interface Bill {
  readonly see: (json: Json, record: TranscriptRecord) => void
  readonly costOf: (message: string) => number | null
}

/** A bill without messages. */
export function openBill(): Bill {
  const messages = new Map<string, MessageUsage>()
  const price = createPricer(currentPrices())
  return {
    see: withCarried(json => {
      const usage = readMessageUsage(json)
      if (usage === null) return
      const known = messages.get(usage.message)
      messages.set(usage.message, known === undefined ? usage : mergeUsage(known, usage))
    }),
    costOf: message => {
      const usage = messages.get(message)
      return usage === undefined ? null : price(usage)
    },
  }
}

function measureLoaded(
  { root, graph }: LoadedProject,
  { costOf }: Bill,
  sessions?: ReadonlySet<string>,
): Stats {
  const contents = openContents(root, graph)
  const wordsOf = (node: number): string | null => {
    const record = contents.record(node)
    return record === null ? null : messageText(record)
  }
  const hourOf = (time: number): number => new Date(time).getHours()
  const options: MeasureOptions = { dayOf: isoDay, hourOf, costOf, wordsOf }
  const stats = measureGraph(graph, sessions === undefined ? options : { ...options, sessions })
  contents.close()
  return stats
}

/** Figures of several projects and sessions, added up. */
export interface MeasuredStats {
  readonly stats: Stats
  /** S8: how many projects the measured sessions are listed under; 0 where only sessions were named. */
  readonly projects: number
  /** There was nothing to measure. */
  readonly isEmpty: boolean
}

/** Measures folders, and sessions by id or path; everything, with the index, without any. */
export async function measureAll(
  paths: readonly string[],
  host: Host,
  options: IndexOptions,
): Promise<MeasuredStats> {
  const { scope, folders, sessions } = sortWords(paths, host)
  if (folders.length + sessions.length === 0)
    return await measureRoots(host, options, scope ?? scopeOf(null, host))
  const whole = [...(scope?.folders ?? []), ...folders]
  const locations = whole.length > 0 ? findProjectsOrNote(whole, host) : []
  const projects = await runOnProjects('analyseProject', analyseProject, locations, host)
  return joinProjects(projects, analyseSessions(sessions, host))
}

async function measureRoots(
  host: Host,
  options: IndexOptions,
  scope: ProjectScope | null,
): Promise<MeasuredStats> {
  const opened = await openPartsIn(scope, host, options)
  try {
    const projects = await askParts(
      { name: 'analyseProject', read: analyseProject, basis: figuresBasis() },
      opened,
      host,
    )
    return joinProjects(projects.flat(), [])
  } finally {
    opened.close()
  }
}

function joinProjects(projects: readonly ProjectStats[], sessions: readonly Stats[]): MeasuredStats {
  return {
    stats: joinStats([...projects.map(({ stats }) => stats), ...sessions]),
    projects: new Set(projects.flatMap(project => project.projects)).size,
    isEmpty: projects.length === 0 && sessions.length === 0,
  }
}
