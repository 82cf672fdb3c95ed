/** Usage from transcripts: what every message cost, and whose it was. */

import type { Graph } from '@dagline/core'
import { readMessageUsage } from '@dagline/core/content'
import { assignUsage, type UsagePart, type UsageRow, uniqueMessages } from '@dagline/core/measure'
import { withCarried } from '@dagline/core/parse'
import { findProjectsOrNote, nothingFound, type ProjectLocation, projectName } from '../files/projects.js'
import { loadProject, type Meter, type SeeInFile } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { askIndex, type IndexOptions } from '../index/open.js'
import { ambiguous, pathsOf } from '../locate/session.js'
import { timeOf } from '../text/dates.js'

/** The messages of all roots, from the index. */
async function usageOfRoots(host: Host, options: IndexOptions): Promise<readonly UsageRow[]> {
  return await askIndex(host, options, ({ index, roots, report }) => {
    if (roots.length === 0 || report?.present === 0) host.note(nothingFound([], host))
    return index.usage(roots)
  })
}

/** The messages of some paths, or of all roots from the index, as far as a filter lets them through. */
export async function usageOf(
  host: Host,
  paths: readonly string[],
  options: IndexOptions & Partial<UsageFilter>,
): Promise<readonly UsageRow[]> {
  const rows = paths.length === 0 ? await usageOfRoots(host, options) : await usageUnder(host, paths)
  const { since = null, until = null, project = null, session = null } = options
  return chooseRows(rows, { since, until, project, session })
}

/** T3: the messages of some paths, each once, also where projects repeat each other. */
async function usageUnder(host: Host, paths: readonly string[]): Promise<readonly UsageRow[]> {
  const locations = findProjectsOrNote(pathsOf(paths, host), host)
  const projects = await runOnProjects('measureProject', measureProject, locations, host)
  return projects.length === 1 ? (projects[0] ?? []) : uniqueMessages(projects.flat())
}

/** Reads a project and gives its messages, each once. */
export function measureProject(location: ProjectLocation, meter?: Meter): readonly UsageRow[] {
  const parts: UsagePart[] = []
  const see: SeeInFile = withCarried((json, record) => {
    const usage = readMessageUsage(json)
    if (usage === null) return
    const entry = record.kind === 'assistant' ? record : null
    parts.push({
      usage,
      entry: entry?.id ?? null,
      session: record.session,
      version: entry?.version ?? null,
    })
  })
  const { graph, project } = loadProject(location, meter, { see })
  const homes = homeFiles(graph)
  return assignUsage(graph, parts, session => projectName(project, homes.get(session) ?? null))
}

/** The file that is named by its session: where the session belongs. */
function homeFiles(graph: Graph): ReadonlyMap<string, string> {
  return new Map(
    graph
      .files()
      .flatMap(({ facts: { kind, session, path } }) =>
        kind === 'session' && session !== null ? [[session, path]] : [],
      ),
  )
}

/** What to count; null is everything. */
export interface UsageFilter {
  readonly since: string | null
  readonly until: string | null
  readonly project: string | null
  readonly session: string | null
}

/** The rows that pass a filter. Throws `UserError` for names that nothing has. */
function chooseRows(rows: readonly UsageRow[], filter: UsageFilter): readonly UsageRow[] {
  const { project, session } = filter
  const inProject = project === null ? rows : ofProject(rows, project)
  const inSession = session === null ? inProject : ofSession(inProject, session)
  return within(inSession, filter)
}

function ofProject(rows: readonly UsageRow[], name: string): readonly UsageRow[] {
  const wanted = name.toLowerCase()
  const names = new Set(rows.map(row => row.project))
  const chosen = names.has(name)
    ? new Set([name])
    : new Set([...names].filter(each => each.toLowerCase().includes(wanted)))
  if (chosen.size === 0 && rows.length > 0)
    throw new UserError(
      `No project with usage has ${name} in its name. Run \`dagline usage --by project\` to list them.`,
    )
  return rows.filter(row => chosen.has(row.project))
}

function ofSession(rows: readonly UsageRow[], word: string): readonly UsageRow[] {
  if (rows.length === 0) return rows
  const ids = [...new Set(rows.map(row => row.session))]
  const near =
    word === 'latest' ? [latest(rows)] : ids.includes(word) ? [word] : ids.filter(id => id.startsWith(word))
  const [id] = near
  if (near.length > 1) throw new UserError(ambiguous(word, near, 'sessions'))
  if (id === undefined)
    throw new UserError(
      `No session with usage begins with ${word}. Run \`dagline usage --by session --json\` to list them.`,
    )
  return rows.filter(row => row.session === id)
}

function latest(rows: readonly UsageRow[]): string {
  return rows.reduce((last, row) => ((row.time ?? 0) > (last.time ?? 0) ? row : last)).session
}

/** Messages without a time are on no day. */
function within(rows: readonly UsageRow[], { since, until }: UsageFilter): readonly UsageRow[] {
  if (since === null && until === null) return rows
  const from = timeOf(since, false) ?? Number.NEGATIVE_INFINITY
  const to = timeOf(until, true) ?? Number.POSITIVE_INFINITY
  return rows.filter(({ time }) => time !== null && time >= from && time < to)
}
