/**
 * A history that stays up to date while it is open: files are watched, the index follows them, and graphs of open sessions
 * grow with their files. Every answer is plain data, made in one go: it never mixes two states of the index.
 */
import type {
  AgentsPage,
  BlamedFile,
  CommitSessions,
  CompareChoices,
  Comparison,
  ContextBandPage,
  ContextPage,
  GivenLabel,
  HealthPage,
  Home,
  ImageContent,
  NodeLocation,
  NowPage,
  RowContent,
  SearchPage,
  ShareFindings,
  SheetUpdate,
  UsagePage,
  WastePage,
  Why,
} from '@dagline/core/protocol'
import { type ImageAddress, type RowRange, rowContents } from '@dagline/core/view'
import { type Act, type Actions, createActions } from './actions/previews.js'
import { blameInWorker, commitInWorker } from './blame/worker.js'
import { readerOf } from './contents/reading.js'
import type { ExportedPage, PageOptions } from './export/worker.js'
import { watchLabels } from './files/labels.js'
import { createExamination } from './health/examiner.js'
import { UserError } from './host/user-error.js'
import type { Events } from './live/events.js'
import { type LiveOptions, openContext } from './live/open.js'
import { createPrefetch } from './live/prefetch.js'
import { watchProcesses } from './live/running.js'
import { createSurvey } from './live/survey.js'
import { createSyncing, type Sync } from './live/syncing.js'
import { watchFolders } from './live/watch.js'
import { wasteInWorker } from './measure/waste-page.js'
import { type AgentsOptions, agentsPage } from './pages/agents.js'
import { comparisonChoices, comparisonPage } from './pages/compare.js'
import { createContextPages } from './pages/contexts.js'
import { exportSession, findingsOf } from './pages/download.js'
import { type BlockOptions, imageOf, locationOf, rawText, textOf, whyOf } from './pages/entry.js'
import { createHealthPage } from './pages/health.js'
import { createHome, givenLabel, type HomeOptions } from './pages/home.js'
import { nowPage } from './pages/now.js'
import { type SearchPageOptions, searchPage } from './pages/search.js'
import type { SearchElsewhere } from './pages/search-workers.js'
import { createUsagePage, type UsagePageOptions } from './pages/usage.js'

/** A history that is kept up to date. Sessions and entries are named by their ids or unique beginnings of them. */
export interface LiveHistory {
  /** Sync progress and changed sessions, as they happen. */
  readonly events: Events
  /** Begins to watch the files and to bring the index up to date. */
  readonly start: () => void
  /** Somebody asks: prefetching waits until it is quiet again. */
  readonly noteActivity: () => void
  /** Some rows of the list of sessions. */
  readonly home: (options: HomeOptions) => Home
  /** The session as JSON bytes of a `Sheet`. */
  readonly sessionJson: (session: string) => Uint8Array
  /** What changed in a session since a version that was returned before. */
  readonly sessionSince: (session: string, version: string) => SheetUpdate
  /** The contents of some rows of a session. */
  readonly contents: (session: string, rows: RowRange, addressOf: ImageAddress) => readonly RowContent[]
  readonly labels: (session: string) => readonly GivenLabel[]
  readonly entry: (uuid: string) => NodeLocation
  readonly explain: (uuid: string, session: string | null) => Why
  readonly raw: (uuid: string) => string
  readonly text: (uuid: string, options: BlockOptions) => string
  readonly image: (uuid: string, options: BlockOptions) => ImageContent
  /** Once the signal is aborted, a search by a pattern ends. */
  readonly search: (options: SearchPageOptions, signal?: AbortSignal) => Promise<SearchPage>
  readonly usage: (options: UsagePageOptions) => UsagePage
  /** What was paid for in vain. */
  readonly waste: () => Promise<WastePage>
  readonly agents: (options: AgentsOptions) => AgentsPage
  readonly health: () => HealthPage
  /** The sessions that are running. */
  readonly now: () => NowPage
  /** V26: what the page may do; null where it may do nothing. */
  readonly actions: Actions | null
  readonly compare: (a: string, b: string) => Comparison
  /** V27: the requests of a session, or of one of its subagents, over time. */
  readonly contexts: (session: string, agent: string | null) => Promise<ContextBandPage>
  /** V27: the request behind the answer that an entry is a part of, or the first that carried it. */
  readonly context: (uuid: string, session: string | null) => Promise<ContextPage>
  /** Z7: a file that a session changed in its working directory, line by line. */
  readonly blame: (file: string) => Promise<BlamedFile>
  /** The sessions behind a commit in the repository that a session worked in. */
  readonly commits: (session: string, rev: string) => Promise<readonly CommitSessions[]>
  readonly comparable: (session: string) => CompareChoices
  /** R5: what a file of the session would tell about its author. */
  readonly findings: (session: string) => Promise<ShareFindings>
  /** The session as one HTML file. Throws `UserError` with the code `secrets` where likely secrets are in the way. */
  readonly exportHtml: (
    session: string,
    options: PageOptions,
  ) => Promise<{ readonly session: string; readonly page: ExportedPage }>
  readonly close: () => void
}

/** What a live history lets others do. */
interface LiveWork {
  readonly sync: Sync
  /** Searches in another process; without it, this one searches. */
  readonly search?: SearchElsewhere | null
  /** Does what the page asks for; without it, the page may do nothing. */
  readonly act?: Act | null
}

/** Opens a history that is kept up to date. Nothing is read before the first question or `start`. */
export function openLive(options: LiveOptions & LiveWork): LiveHistory {
  const opened = openContext(options, () => syncing.look())
  const { context } = opened
  const { events, sheets, reading, graphOf, nodeOf } = context
  const prefetch = createPrefetch(context)
  const syncing = createSyncing(opened, options.sync)
  const look = createSurvey(context, options.index)
  const examined = createExamination(options.examine ?? null, context.sessions)
  const contexts = createContextPages(context)
  const stops: (() => void)[] = [prefetch.stop, syncing.stop]
  return {
    events,
    start: () => {
      // It lists the folders after they are watched: another process has to be started first.
      syncing.look()
      stops.push(watchFolders(options.roots, syncing.look).stop)
      stops.push(watchProcesses(options.roots, () => events.tell({ kind: 'running' })))
      const renamed = (): void => events.tell({ kind: 'changed', sessions: [] })
      if (options.labels != null) stops.push(watchLabels(options.labels, renamed))
    },
    noteActivity: prefetch.postpone,
    home: createHome(context),
    sessionJson: session => sheets.jsonOf(graphOf(session)),
    sessionSince: (session, version) => sheets.since(graphOf(session), version),
    contents: (id, rows, addressOf) => {
      const session = graphOf(id)
      const messages = sheets.messagesOf(session)
      const reader = readerOf(reading, session)
      return rowContents(session.graph, sheets.of(session), rows, { reader, messages, addressOf })
    },
    labels: id => {
      const { fact } = graphOf(id)
      const labels = [...context.labels().values()].filter(({ session }) => session === fact.session)
      return labels.map(givenLabel)
    },
    entry: uuid => locationOf(nodeOf(uuid)),
    explain: (uuid, session) => whyOf(nodeOf(uuid), session),
    raw: uuid => rawText(reading, nodeOf(uuid)),
    text: (uuid, block) => textOf(reading, nodeOf(uuid), block),
    image: (uuid, block) => imageOf(reading, nodeOf(uuid), block),
    search: async (query, signal) => {
      const status = events.status
      if (options.search == null) return await searchPage({ ...context, status }, query, signal)
      return await options.search(query, status(), signal).catch((error: unknown) => {
        // I15: the worker may have set a damaged index aside.
        if (error instanceof UserError && error.code === 'not-ready') syncing.look()
        throw error
      })
    },
    usage: createUsagePage(context),
    waste: () => wasteInWorker({ index: options.index, roots: options.roots }),
    agents: choice => agentsPage(context, look, choice),
    health: createHealthPage(context, { look, examined }),
    now: () => nowPage(context),
    actions: options.act == null ? null : createActions(options.act, context.now),
    compare: (a, b) => comparisonPage(context, a, b),
    contexts: contexts.band,
    context: contexts.detail,
    blame: file => blameInWorker({ index: options.index, roots: options.roots, file }),
    commits: (session, rev) =>
      commitInWorker({
        index: options.index,
        roots: options.roots,
        session: graphOf(session).fact.session,
        rev,
      }),
    comparable: session => comparisonChoices(context, session),
    exportHtml: (session, page) => exportSession(context, session, page),
    findings: session => findingsOf(context, session),
    close: () => {
      for (const stop of stops) stop()
      opened.close()
    },
  }
}
