/** The history with what only the command and the viewer need, and the installed library does not offer. */
import type { BlamedFile, CommitSessions, RequestContext } from '@dagline/core/protocol'
import type { Exporter } from './export/export.js'
import type { TablesOptions, TablesReport } from './export/tables.js'
import type { ShownRoots } from './files/projects.js'
import type { ProjectFacts } from './graphs/facts.js'
import type { Examined } from './health/examine.js'
import type { PolicyPart, PolicyReport } from './health/policy.js'
import { type History, type HistoryOptions, type IndexChoice, openHistory } from './history.js'
import { type Host, lookingOnce } from './host/host.js'
import type { ShownLocation } from './locate/shown.js'
import type { Census } from './measure/census.js'
import type { SessionFigures, SessionNeighbours } from './measure/sessions.js'
import type { GraphSummary } from './measure/summary.js'
import type { UsageReport, UsageReportOptions } from './measure/usage-report.js'
import type { SqlAnswer, SqlOptions, SqlTarget } from './sql/sql.js'
import type { StatusFigures } from './text/status-file.js'
import type { Viewer } from './viewer.js'

/** A history as faces of dagline use it. */
export interface FaceHistory extends History {
  /** The sessions of each project, by their first time: of all from the index, or from the files of some folders. */
  readonly sessionLists: (
    folders?: readonly string[],
    options?: IndexChoice,
  ) => Promise<readonly (readonly SessionFigures[])[]>
  /** The sessions of the project that a session is in. */
  readonly sessionsBeside: (session: string) => Promise<SessionNeighbours>
  /** Whether a word names a project or a folder instead of a session. */
  readonly namesProject: (word: string) => Promise<boolean>
  /** Everything that is known of the conversation graph, project by project, without contents. */
  readonly facts: (paths: readonly string[]) => Promise<GraphSummary<ProjectFacts>>
  /** What the request behind every answer carried, file by file, subagents included. */
  readonly contexts: (paths: readonly string[]) => Promise<Iterable<RequestContext>>
  /** Its totals and diagnostics alone. */
  readonly summary: (paths: readonly string[]) => Promise<GraphSummary<never>>
  /** Types of records by version, and what is not known of the format. */
  readonly census: (paths?: readonly string[], options?: IndexChoice) => Promise<Census>
  /** D27: all transcripts below some paths, against parts of the policy. */
  readonly checkPolicy: (paths: readonly string[], parts: readonly PolicyPart[]) => Promise<PolicyReport>
  /** Usage, added up; without an index where it is missing and the question needs none. */
  readonly usageReport: (
    paths: readonly string[],
    options: UsageReportOptions & IndexChoice,
  ) => Promise<UsageReport>
  /** Exports all tables as Parquet, by project and month; again only what changed. */
  readonly exportTables: (
    options: Omit<TablesOptions, 'index'> & IndexChoice,
    exporter: Pick<Exporter, 'approve'>,
  ) => Promise<TablesReport>
  /** HU56: the health of a session whose files were fetched from a hub. */
  readonly healthOfFetched: (session: string) => Promise<readonly Examined[]>
  /** J4: measures the figures of a session's status line, and keeps them for it. */
  readonly measureStatus: (session: string, options?: IndexChoice) => Promise<StatusFigures>
  /** Runs SQL over the tables, and lets somebody use the answer while they are open. */
  readonly sql: <T>(
    query: string,
    options: Omit<SqlOptions, 'index'> & IndexChoice,
    use: (answer: SqlAnswer) => Promise<T>,
  ) => Promise<T>
  /** The same, with the answer in a file. */
  readonly writeSql: (
    query: string,
    options: Omit<SqlOptions, 'index'> & IndexChoice,
    target: SqlTarget,
  ) => Promise<{ readonly path: string; readonly bytes: number }>
  /** The roots that have projects; the bundled samples where none has. */
  readonly shownRoots: () => Promise<ShownRoots>
  /** The session that a tool call belongs to, while the call runs; null where no transcript has it. */
  readonly sessionOfCall: (callId: string) => Promise<string | null>
  /** Z7: `blame` for a file that a session changed in its working directory, and no other; a relative path begins here. */
  readonly blameShown: (file: string) => Promise<BlamedFile>
  /** Z7: the sessions behind a commit in the repository that a session worked in; without a name, in the one here. */
  readonly commitShown: (hash: string, session: string | null) => Promise<readonly CommitSessions[]>
  /** Where the viewer shows a session, branch or entry. */
  readonly locateShown: (ref: string) => Promise<ShownLocation>
  /** A history that is kept up to date, for a server: what is under some paths, or under the roots. */
  readonly viewer: (paths: readonly string[], options?: IndexChoice) => Promise<Viewer>
}

/** Opens a history for a face. Nothing is read yet. */
export function openFaceHistory(options: HistoryOptions = {}): FaceHistory {
  const history = openHistory(options)
  const { host } = history
  const indexOf = (choice: IndexChoice = {}): { readonly index: string | null } => ({
    index: choice.index ?? options.index ?? null,
  })
  return {
    ...history,
    sessionLists: async (folders = [], choice) =>
      (await import('./measure/sessions.js')).sessionLists(lookingOnce(host), folders, indexOf(choice)),
    sessionsBeside: async session => (await import('./measure/sessions.js')).sessionsBeside(host, session),
    namesProject: async word =>
      (await import('./locate/session.js')).sortWords([word], lookingOnce(host)).sessions.length === 0,
    facts: async paths => (await import('./measure/summary.js')).describeAll(paths, host),
    contexts: async paths => (await import('./compare/contexts.js')).listContexts(paths, host),
    summary: async paths => (await import('./measure/summary.js')).summariseAll(paths, host),
    census: async (paths = [], choice) =>
      (await import('./measure/census.js')).takeCensus(paths, lookingOnce(host), indexOf(choice)),
    checkPolicy: async (paths, parts) =>
      (await import('./health/policy.js')).checkPolicy(paths, new Set(parts), lookingOnce(host)),
    usageReport: async (paths, asked) => {
      const { reportUsage } = await import('./measure/usage-report.js')
      return await reportUsage(lookingOnce(host), paths, { ...asked, ...indexOf(asked) })
    },
    exportTables: async (tables, exporter) => {
      const { exportTables } = await import('./export/tables.js')
      return await exportTables({ host, ...exporter }, { ...tables, ...indexOf(tables) })
    },
    healthOfFetched: async session =>
      (await import('./health/examine.js')).examineFetched(session, lookingOnce(host)),
    measureStatus: async (session, choice) =>
      (await import('./measure/status.js')).measureStatus(host, session, indexOf(choice)),
    sql: async (query, asked, use) =>
      (await import('./sql/sql.js')).askSql(host, query, { ...asked, ...indexOf(asked) }, use),
    writeSql: async (query, asked, target) =>
      (await import('./sql/sql.js')).writeSql(host, query, { ...asked, ...indexOf(asked) }, target),
    shownRoots: async () => (await import('./files/projects.js')).shownRoots(host),
    sessionOfCall: async callId => (await import('./locate/calling.js')).sessionOfCall(callId, host),
    ...shownBlameOf(host, indexOf()),
    locateShown: async ref => (await import('./locate/shown.js')).locateShown(ref, host),
    viewer: async (words, choice) => {
      const paths = words.length === 0 ? [] : (await import('./locate/ref.js')).pathsOf(words, host)
      return (await import('./viewer.js')).openViewer(host, paths, indexOf(choice).index)
    },
  }
}

function shownBlameOf(
  host: Host,
  index: { readonly index: string | null },
): Pick<FaceHistory, 'blameShown' | 'commitShown'> {
  return {
    blameShown: async file => {
      const [{ askSessions }, { blameChanged }] = await blameParts()
      return await askSessions(host, index, source => blameChanged(source, file, host.here))
    },
    commitShown: async (hash, session) => {
      const [{ askSessions }, { commitOfTyped }] = await blameParts()
      return await askSessions(host, index, source => commitOfTyped(source, host, { session, hash }))
    },
  }
}

async function blameParts(): Promise<
  [typeof import('./blame/source.js'), typeof import('./blame/shown.js')]
> {
  return await Promise.all([import('./blame/source.js'), import('./blame/shown.js')])
}
