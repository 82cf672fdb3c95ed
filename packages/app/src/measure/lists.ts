/** X12: lists from the index. Each has the newest first, and takes the same filter. */
import { plainHead } from '@dagline/core'
import { isoDay } from '@dagline/core/format'
import { fileAction, tallyBuckets, tokensIn, type UsageBucket } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import {
  type AgentFact,
  type BranchFact,
  createTextReader,
  type IndexStore,
  type RangeReader,
  type SessionFact,
  type TextFilter,
} from '@dagline/store'
import { lookedIn } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { bucketsOf } from '../index/buckets.js'
import { askIndex } from '../index/open.js'
import { type ListFilter, readFilter } from '../locate/list-filter.js'
import { spanOf } from '../text/dates.js'
import { type Listed, noFile, noRows } from '../text/nothing.js'

/** Which rows are listed. */
interface ListOptions extends ListFilter {
  readonly index: string | null
}

/** The session of a row. */
export interface OfSession {
  readonly session: string
  /** Its folder below the root, and its working folder; null where that is not known. */
  readonly project: string
  readonly cwd: string | null
  readonly title: string | null
}

/** What was spent; null where no price is known. */
export interface Cost {
  readonly tokens: number
  readonly costUSD: number | null
}

/** A subagent in a list. */
export interface AgentItem extends AgentFact, OfSession, Cost {}

/** An abandoned branch in a list; its cost includes that of subagents called on it. */
export interface BranchItem extends BranchFact, OfSession, Cost {}

/** A row that is chosen by its session, its project and its time. */
interface Row {
  readonly session: string
  readonly project: string
  readonly first: number | null
  readonly last: number | null
}

/** The index, and what rows are chosen and completed with. */
interface ListSource {
  readonly index: IndexStore
  readonly ranges: RangeReader
  readonly roots: readonly number[]
  /** The id of the session that was named; null where none was. */
  readonly session: string | null
  readonly isWanted: (row: Row) => boolean
  readonly sessionOf: (row: Pick<Row, 'session' | 'project'>) => OfSession
  readonly factOf: (session: string) => SessionFact | undefined
}

/** Asks the index for a list; where it is empty, that is noted. Throws `UserError` where a date, a session or a project is not valid. */
async function askList<T>(
  host: Host,
  of: Listed,
  options: ListOptions,
  list: (source: ListSource) => readonly T[],
): Promise<readonly T[]> {
  const { isInTime, session, scope } = readFilter(host, options)
  return await askIndex(host, { index: options.index }, ({ index, ranges, roots, found }) => {
    const facts = index.sessions(roots)
    const known = new Map(facts.map(fact => [fact.session, fact]))
    const sessionOf: ListSource['sessionOf'] = row => {
      const fact = known.get(row.session)
      const { project = row.project, cwd = null } = fact ?? {}
      return { session: row.session, project, cwd, title: fact?.title ?? fact?.prompt ?? null }
    }
    const isWanted = (row: Row): boolean =>
      (session === null || row.session === session) &&
      isInTime(row) &&
      (scope?.names.has(sessionOf(row).project) ?? true)
    const rows = list({ index, ranges, roots, session, isWanted, sessionOf, factOf: id => known.get(id) })
    const isEmpty = facts.length === 0 && found.every(({ projects }) => projects.length === 0)
    const looked = isEmpty ? lookedIn([], host) : null
    if (rows.length === 0) host.note(noRows({ of, looked, filter: { ...options, session } }))
    return rows
  })
}

/** X13: subagents, and calls that left none. */
export async function listAgents(host: Host, options: ListOptions): Promise<readonly AgentItem[]> {
  return await askList(host, 'subagents', options, source => {
    const rows = source.index.agents(source.roots).filter(source.isWanted)
    const costOf = createCosts(source, rows, ({ session, agentId }) => agentKey(session, agentId))
    return newestFirst(
      rows.map(row => ({ ...row, ...source.sessionOf(row), ...costOf(agentKey(row.session, row.agent)) })),
    )
  })
}

function agentKey(session: string, agent: string | null): string {
  return agent === null ? '' : `${session} ${agent}`
}

/** X14: branches that were abandoned. */
export async function listBranches(host: Host, options: ListOptions): Promise<readonly BranchItem[]> {
  return await askList(host, 'branches', options, source => {
    const rows = source.index.branches(source.roots).filter(source.isWanted)
    const costOf = createCosts(source, rows, ({ line }) => line)
    return newestFirst(rows.map(row => ({ ...row, ...source.sessionOf(row), ...costOf(row.line) })))
  })
}

/** What was spent by each key. An empty key has no cost; without rows nothing is added up. */
function createCosts(
  { index, roots }: ListSource,
  rows: readonly unknown[],
  keyOf: (bucket: UsageBucket) => string,
): (key: string) => Cost {
  const buckets = rows.length === 0 ? [] : bucketsOf(index, roots)
  const groups = groupBy(buckets, keyOf)
  return key => {
    const own = key === '' ? [] : (groups.get(key) ?? [])
    const { totals } = tallyBuckets(own, 'model', isoDay)
    return { tokens: tokensIn(totals), costUSD: own.length === 0 ? null : totals.cost }
  }
}

function newestFirst<T extends Pick<Row, 'last'>>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0))
}

/** X15: a file that calls name. */
export interface FileItem {
  readonly path: string
  /** The working folder of the last session that touched it; null where that is not known. */
  readonly cwd: string | null
  readonly project: string
  readonly reads: number
  readonly edits: number
  readonly writes: number
  /** Calls of other tools that name it. */
  readonly others: number
  /** Of all these, calls of the main conversation and of subagents. */
  readonly main: number
  readonly subagents: number
  /** The ids of the sessions, the last one first. */
  readonly sessions: readonly string[]
  readonly first: number | null
  readonly last: number | null
}

/** X15: the files that were touched. */
export async function listFiles(host: Host, options: ListOptions): Promise<readonly FileItem[]> {
  return await askList(host, 'files', options, source => {
    const ends = options.file?.toLowerCase() ?? null
    const all = source.index.touches(source.roots)
    const named = ends === null ? all : all.filter(({ path }) => path.toLowerCase().endsWith(ends))
    if (named.length === 0 && all.length > 0) throw new UserError(noFile(options.file ?? ''))
    const rows = named
      .map(touch => ({ ...touch, first: touch.time, last: touch.time }))
      .filter(source.isWanted)
    const items = [...groupBy(newestFirst(rows), ({ path }) => path)].map(([path, own]) => {
      const [latest] = own
      const { project, cwd } = source.sessionOf(latest ?? { session: '', project: '' })
      return { path, cwd, project, ...countTouches(own) }
    })
    return newestFirst(items)
  })
}

type Touch = Row & { readonly tool: string; readonly agentId: string | null }

function countTouches(own: readonly Touch[]): Omit<FileItem, 'path' | 'cwd' | 'project'> {
  const kinds = groupBy(own, ({ tool }) => fileAction(tool))
  const counted = (kind: ReturnType<typeof fileAction>): number => kinds.get(kind)?.length ?? 0
  const main = own.filter(({ agentId }) => agentId === null).length
  const times = own.flatMap(({ first }) => first ?? [])
  return {
    reads: counted('read'),
    edits: counted('edit'),
    writes: counted('write'),
    others: counted('other'),
    main,
    subagents: own.length - main,
    sessions: [...new Set(own.map(({ session }) => session))],
    first: times.at(-1) ?? null,
    last: times[0] ?? null,
  }
}

/** X16: something that a person typed. */
export interface PromptItem extends OfSession {
  /** The entry; null for queued text that never arrived. */
  readonly node: string | null
  readonly time: number | null
  readonly text: string
  /** `live` in the next request; `kept` on a live branch; `abandoned`; `lost` or `recalled` queued text that never arrived. */
  readonly state: 'live' | 'kept' | 'abandoned' | 'lost' | 'recalled'
}

/** X16: what people typed, the newest first; at most so many. Prompts of subagents were typed by nobody. */
export async function listPrompts(
  host: Host,
  { limit, ...options }: ListOptions & { readonly limit?: number | null },
): Promise<readonly PromptItem[]> {
  return await askList(host, 'prompts', options, source => {
    const { index, ranges, isWanted, sessionOf, factOf } = source
    const texts = createTextReader(ranges)
    const items: PromptItem[] = []
    for (const found of index.each(promptFilter(source, options), 'time')) {
      if (items.length === (limit ?? Number.POSITIVE_INFINITY)) break
      const { time, project, node, line } = found
      const row = { session: found.session ?? '', project, first: time, last: time }
      if (line?.agent != null || factOf(row.session)?.isIdle === true || !isWanted(row)) continue
      const text = typedText(texts(found, []) ?? '')
      items.push({ ...sessionOf(row), node, time, text, state: stateOf(found) })
    }
    return items
  })
}

function promptFilter({ roots, session }: ListSource, options: ListOptions): TextFilter {
  const [since, until] = spanOf(options)
  return {
    roots,
    fields: ['prompt', 'queued'],
    ...(session === null ? {} : { session }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
  }
}

/** A command without its tags, and a prompt without what an editor added; lines stay lines. */
function typedText(text: string): string {
  const plain = plainHead(text)
  return text.trimStart().startsWith('<') ? plain : text.trim()
}

type Found = ReturnType<IndexStore['find']>[number]

function stateOf({ became, live, line }: Found): PromptItem['state'] {
  if (became === 'lost' || became === 'recalled') return became
  if (live) return 'live'
  return line !== null && line.branchStatus !== 'live' ? 'abandoned' : 'kept'
}
