/** X4: usage added up as it was asked for. */
import { isoDay } from '@dagline/core/format'
import {
  blocksOf,
  gatherUsage,
  tallyBuckets,
  type UsageBlock,
  type UsageBucket,
  type UsageKey,
  type UsageSum,
  type UsageTally,
} from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import { isAbandoned } from '@dagline/core/view'
import type { FoundRoot, SessionFact } from '@dagline/store'
import { findRoots, lookedIn, rootsOf } from '../files/projects.js'
import { withEngine } from '../host/engine.js'
import { everywhere, type Host } from '../host/host.js'
import { currentPrices } from '../host/prices.js'
import type { IndexOptions } from '../index/open.js'
import { usualIndex } from '../index/path.js'
import { projectPaths } from '../locate/project-paths.js'
import { noAbandonedUsage, noRows } from '../text/nothing.js'
import { chooseUsage, cutsOf, type UsageFilter } from './usage-filter.js'
import { usageOfRoots } from './usage-source.js'

/** What usage is added up by; `block` for windows of five hours. */
export type ReportKey = UsageKey | 'block'

/** What to count, and how to add it up. */
export interface UsageReportOptions extends UsageFilter {
  /** Null for days, or for branches where only these count. */
  readonly by: ReportKey | null
  /** Which branches count; null for all. */
  readonly branch: 'live' | 'abandoned' | 'all' | null
}

/** What was counted. */
export interface UsageReport {
  readonly by: ReportKey
  readonly tally: UsageTally
  /** The groups of the tally, where these are windows of five hours. */
  readonly blocks: readonly UsageBlock[]
  /** Everything, where only abandoned branches were counted. */
  readonly whole: UsageSum | null
  /** The projects of sessions and branches. */
  readonly projects: ReadonlyMap<string, string>
  /** The titles of sessions, where these are the groups and the index knows them. */
  readonly titles: ReadonlyMap<string, string>
  /** The working directories of projects, by their folders, where rows name projects and the index knows them. */
  readonly paths: ReadonlyMap<string, string>
  /** U8: where no message was counted: why; else null. */
  readonly nothing: string | null
}

/** What was counted for a report, before it is added up: plain data, which a hub sends to a command. */
export interface GatheredUsage {
  readonly by: ReportKey
  /** All that pass the filter, whatever branch they are on. */
  readonly buckets: readonly UsageBucket[]
  /** The folders that were looked in, where there are no transcripts at all; else null. */
  readonly looked: readonly string[] | null
  /** The titles of sessions, where these are the groups and the index knows them. */
  readonly titles: readonly (readonly [session: string, title: string])[]
  /** The working directories of projects, by their folders, where rows name projects and the index knows them. */
  readonly paths: readonly (readonly [project: string, path: string])[]
}

type ReportOptions = UsageReportOptions & IndexOptions

/** Adds up the usage of some paths, or of all roots. Throws `UserError` for names that nothing has. */
export async function reportUsage(
  host: Host,
  paths: readonly string[],
  options: ReportOptions,
): Promise<UsageReport> {
  return reportOf(await gatherForReport(host, paths, options), options)
}

/** Counts the usage of some paths, or of all roots. Throws `UserError` for names that nothing has. */
export async function gatherForReport(
  host: Host,
  paths: readonly string[],
  options: ReportOptions,
): Promise<GatheredUsage> {
  const isOfBranches = options.branch === 'abandoned' || options.branch === 'live'
  const by = options.by ?? (options.branch === 'abandoned' ? 'line' : 'day')
  const span = cutsOf(options)
  const sessions = paths.length === 0 ? null : (await import('../locate/ref.js')).sessionsNamed(paths, host)
  const named = host.pushed === undefined ? null : await pushedProjects(paths, host)
  const ofRoots = paths.length === 0 || sessions !== null || named !== null
  const needsGraph = isOfBranches || options.session !== null || sessions !== null || !WITHOUT_GRAPH.has(by)
  const byDay = !needsGraph && by !== 'block'
  const roots = ofRoots ? await rootsFor(host) : undefined
  const all = roots
    ? await usageOfRoots(host, { index: options.index, needsGraph, byDay, cuts: span, found: roots })
    : gatherUsage(await (await import('./usage.js')).usageUnder(host, paths), currentPrices(), span)
  const own = all.filter(
    ({ session, project }) => (sessions?.has(session) ?? true) && (named?.has(project) ?? true),
  )
  const asked = paths.length === 0 ? host : everywhere(host)
  const isEmpty = all.length === 0 && roots?.every(({ projects }) => projects.length === 0) === true
  return {
    by,
    buckets: await chooseUsage(own, options, asked, ({ first }) => first),
    looked: isEmpty ? lookedIn([], host) : null,
    ...(ofRoots && NAMED.has(by) ? await namesIn(host, by, options) : { titles: [], paths: [] }),
  }
}

/** Thousands of files are asked for before optimised code is ready. */
async function rootsFor(host: Host): Promise<readonly FoundRoot[]> {
  return host.pushed === undefined ? await withEngine('brief', async () => findRoots([], host)) : []
}

/** HU49: the pushed projects that words name; null where they name sessions, or there are none. */
async function pushedProjects(words: readonly string[], host: Host): Promise<ReadonlySet<string> | null> {
  const { sortWords } = await import('../locate/session.js')
  return sortWords(words, host).scope?.names ?? null
}

/** Adds up what was counted. Days and hours are those of this machine. */
export function reportOf(
  { by, buckets, looked, titles, paths }: GatheredUsage,
  options: UsageReportOptions,
): UsageReport {
  const isOfAbandoned = options.branch === 'abandoned'
  const isOfBranches = isOfAbandoned || options.branch === 'live'
  const counted = isOfBranches ? buckets.filter(each => isAbandoned(each) === isOfAbandoned) : buckets
  const blocks = by === 'block' ? blocksOf(counted, Date.now()) : []
  const tally = tallyBuckets(counted, by === 'block' ? 'day' : by, isoDay, currentPrices())
  const whole = isOfAbandoned ? tallyBuckets(buckets, 'branch', isoDay).totals : null
  return {
    by,
    blocks,
    nothing: tally.totals.messages > 0 ? null : whyNothing(options, whole, looked),
    tally: by === 'block' ? { ...tally, groups: blocks } : tally,
    whole,
    projects: projectsOf(counted, by),
    titles: new Map(titles),
    paths: new Map(paths),
  }
}

function whyNothing(
  options: UsageReportOptions,
  whole: UsageSum | null,
  looked: readonly string[] | null,
): string {
  if (whole !== null && whole.messages > 0) return noAbandonedUsage()
  return noRows({ of: 'API messages', looked, filter: options })
}

/** What has sessions or projects in its rows. */
const NAMED: ReadonlySet<ReportKey> = new Set(['session', 'line', 'project'])

async function namesIn(
  host: Host,
  by: ReportKey,
  { index }: IndexOptions,
): Promise<Pick<GatheredUsage, 'titles' | 'paths'>> {
  const { knownSessions } = await import('./sessions.js')
  const sessions = host.pushed?.sessions() ?? knownSessions(index ?? usualIndex(), rootsOf(host.roots))
  const titled = by === 'session' ? sessions : []
  return {
    titles: titled.map(({ session, title, prompt }) => [session, title ?? prompt ?? ''] as const),
    paths: distinctPaths(sessions),
  }
}

/** A path that several folders share, as copies do, names none of them. */
function distinctPaths(sessions: readonly SessionFact[]): GatheredUsage['paths'] {
  const all = [...projectPaths(sessions)]
  const folders = groupBy(all, ([, path]) => path)
  return all.filter(([, path]) => folders.get(path)?.length === 1)
}

/** What the rows themselves say. */
const WITHOUT_GRAPH: ReadonlySet<ReportKey> = new Set(['day', 'week', 'month', 'project', 'model', 'block'])

/** The ids of sessions and branches say little: the project is shown beside them. */
function projectsOf(buckets: readonly UsageBucket[], by: ReportKey): ReadonlyMap<string, string> {
  if (by !== 'session' && by !== 'line') return new Map()
  return new Map(buckets.map(bucket => [bucket[by], bucket.project]))
}
