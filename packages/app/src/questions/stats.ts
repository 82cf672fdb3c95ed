/**
 * HU54: what `stats` measures, file group by file group, on pushed files. An answer is a part of it: whoever asks goes on from where it
 * ended, so that others are served in between. The server keeps nothing.
 */
import { startGraph } from '@dagline/core'
import { messageText } from '@dagline/core/content'
import { createPricer, idleSessions, joinStats, measureGraph, type Stats } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import type { KnownFile } from '@dagline/store'
import type { ReadGraph } from '../contents/reading.js'
import { addGroup } from '../graphs/indexed.js'
import { currentPrices } from '../host/prices.js'
import { UserError } from '../host/user-error.js'
import type { LiveContext } from '../live/context.js'
import type { MeasuredStats } from '../measure/stats.js'

/** A part of what is measured. */
interface StatsQuestion {
  /** The time zone of the command, such as `Europe/Berlin`: days and hours are those of its clock. */
  readonly zone: string
  /** The folders of projects; null for all. */
  readonly projects: ReadonlySet<string> | null
  /** Groups up to this one were measured; 0 for none. */
  readonly after: number
}

/** Some of the groups, measured and added up. */
export interface StatsPart {
  readonly stats: Stats
  /** The names under which their sessions are listed. */
  readonly projects: readonly string[]
  /** The last group that was measured; null where none is left. */
  readonly next: number | null
  /** Groups up to that one, and all of them. */
  readonly done: number
  readonly of: number
}

/** Milliseconds that one answer may take; a group is never cut. */
const LONGEST = 1500

/** Measures some groups behind one. What is pushed meanwhile moves none of them. */
export function measurePart(context: LiveContext, { zone, projects, after }: StatsQuestion): StatsPart {
  const shown = new Set(context.sessions().map(({ session }) => session))
  const measuring = { context, clock: clockOf(zone), shown }
  const groups = groupsIn(context).filter(
    ({ files }) => projects === null || files.some(({ project }) => projects.has(project)),
  )
  const left = groups.filter(({ key }) => key > after)
  const end = context.now() + LONGEST
  const measured: GroupStats[] = []
  for (const group of left) {
    measured.push(measureGroup(measuring, group))
    if (context.now() > end) break
  }
  return {
    stats: joinStats(measured.map(({ stats }) => stats)),
    projects: [...new Set(measured.flatMap(each => each.projects))],
    next: measured.length < left.length ? (left[measured.length - 1]?.key ?? null) : null,
    done: groups.length - left.length + measured.length,
    of: groups.length,
  }
}

/** All parts, added up. */
export function joinParts(parts: readonly StatsPart[]): MeasuredStats {
  return {
    stats: joinStats(parts.map(({ stats }) => stats)),
    projects: new Set(parts.flatMap(({ projects }) => projects)).size,
    isEmpty: parts.every(({ of }) => of === 0),
  }
}

interface Group {
  /** The number of its first file: files that come later have higher ones. */
  readonly key: number
  readonly root: string
  readonly files: readonly KnownFile[]
}

function groupsIn(context: LiveContext): readonly Group[] {
  const index = context.index()
  const groups = context.roots.flatMap(root => {
    const id = index.findRoot(root)
    const known = (id === null ? [] : index.files(id)).filter(({ group }) => group !== null)
    return [...groupBy(known, ({ group }) => group).values()].map(files => ({
      key: files.reduce((least, file) => Math.min(least, file.id), Number.POSITIVE_INFINITY),
      ...{ root, files },
    }))
  })
  return groups.sort((a, b) => a.key - b.key)
}

interface GroupStats {
  readonly stats: Stats
  readonly projects: readonly string[]
}

/** What all groups are measured with. */
interface Measuring {
  readonly context: LiveContext
  readonly clock: Clock
  /** The sessions that the person is shown. */
  readonly shown: ReadonlySet<string>
}

function measureGroup({ context, clock, shown }: Measuring, { root, files }: Group): GroupStats {
  const index = context.index()
  const builder = startGraph()
  for (const _ of addGroup(builder, index, files));
  const read: ReadGraph = { graph: builder.build(), root }
  const price = createPricer(currentPrices())
  const costs = new Map(index.messages(files.map(({ id }) => id)).map(each => [each.message, price(each)]))
  const wordsOf = (node: number): string | null => {
    const record = context.reading.record(read, node)
    return record === null ? null : messageText(record)
  }
  const { graph } = read
  const idle = idleSessions(graph)
  const folders = new Map(files.map(({ path, project }) => [path, project]))
  const listed = graph.sessions().filter(({ id }) => !idle.has(id))
  // HU47: of a group that went on elsewhere only the sessions that are shown are counted.
  const isWhole = listed.every(({ id }) => shown.has(id))
  const options = { ...clock, costOf: (message: string) => costs.get(message) ?? null, wordsOf }
  return {
    stats: measureGraph(graph, isWhole ? options : { ...options, sessions: shown }),
    projects: listed.flatMap(({ id }) => folders.get(graph.currentFile(id)?.facts.path ?? '') ?? []),
  }
}

interface Clock {
  readonly dayOf: (time: number) => string
  readonly hourOf: (time: number) => number
}

/** No zone changes its day or its hour within a quarter of an hour. */
const QUARTER = 15 * 60 * 1000

/** The clock of a time zone. Throws `UserError` for a zone that is not known here. */
function clockOf(zone: string): Clock {
  const format = formatOf(zone)
  const known = new Map<number, readonly [day: string, hour: number]>()
  const at = (time: number): readonly [day: string, hour: number] => {
    const quarter = Math.floor(time / QUARTER)
    const before = known.get(quarter)
    if (before !== undefined) return before
    const [day = '', hour = '0'] = format.format(quarter * QUARTER).split(', ')
    const read = [day, Number(hour)] as const
    known.set(quarter, read)
    return read
  }
  return { dayOf: time => at(time)[0], hourOf: time => at(time)[1] }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const parts = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone })
  } catch {
    throw new UserError(`The hub does not know the time zone ${timeZone}. Set TZ to another one.`)
  }
}
