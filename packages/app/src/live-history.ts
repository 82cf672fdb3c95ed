/**
 * A history that stays up to date while it is open: files are watched, the index follows them, and graphs of open sessions
 * grow with their files. Every answer is plain data, made in one go: it never mixes two states of the index.
 */
import type {
  AgentsPage,
  BlamedFile,
  CommitSessions,
  GivenLabel,
  HealthPage,
  Home,
  SearchPage,
  ShareFindings,
  UsagePage,
  WastePage,
} from '@dagline/core/protocol'
import type { SessionFact } from '@dagline/store'
import { type Act, type Actions, createActions } from './actions/previews.js'
import { blameInWorker, commitInWorker } from './blame/worker.js'
import type { ExportedPage, PageOptions } from './export/worker.js'
import { watchLabels } from './files/labels.js'
import { createExamination } from './health/examiner.js'
import { UserError } from './host/user-error.js'
import type { IndexedSession } from './index/live-index.js'
import type { LiveContext } from './live/context.js'
import type { Events } from './live/events.js'
import { type LiveOptions, openContext, openPushedContext, type PushedOptions } from './live/open.js'
import { createPrefetch } from './live/prefetch.js'
import { createPushedExaminer } from './live/pushed-health.js'
import { watchProcesses } from './live/running.js'
import { createSurvey } from './live/survey.js'
import { createChanges, createSyncing, type Sync } from './live/syncing.js'
import { watchFolders } from './live/watch.js'
import { wasteInWorker } from './measure/waste-page.js'
import { type AgentsOptions, agentsPage } from './pages/agents.js'
import { exportSession, findingsOf } from './pages/download.js'
import { createHealthPage } from './pages/health.js'
import { createHome, givenLabel, type HomeOptions } from './pages/home.js'
import { type SearchPageOptions, searchPage } from './pages/search.js'
import type { SearchElsewhere } from './pages/search-workers.js'
import { lookAgain, type SessionWorkers } from './pages/session-workers.js'
import { createSessionPages, type SessionPages } from './pages/sessions.js'
import { createUsagePage, type UsagePageOptions } from './pages/usage.js'
import { withTitles } from './pages/waste.js'
import type { HubAnswer, HubQuestion } from './questions/hub.js'

/** A history that is kept up to date. Sessions and entries are named by their ids or unique beginnings of them. */
export interface LiveHistory extends Omit<SessionPages, 'prefetch'> {
  /** Sync progress and changed sessions, as they happen. */
  readonly events: Events
  /** Begins to watch the files and to bring the index up to date. */
  readonly start: () => void
  /** Somebody asks: prefetching waits until it is quiet again. */
  readonly noteActivity: () => void
  /** Some rows of the list of sessions. */
  readonly home: (options: HomeOptions) => Home
  readonly labels: (session: string) => readonly GivenLabel[]
  /** Once the signal is aborted, a search by a pattern ends. */
  readonly search: (options: SearchPageOptions, signal?: AbortSignal) => Promise<SearchPage>
  readonly usage: (options: UsagePageOptions) => UsagePage
  /** What was paid for in vain. */
  readonly waste: () => Promise<WastePage>
  readonly agents: (options: AgentsOptions) => AgentsPage
  readonly health: () => HealthPage
  /** V26: what the page may do; null where it may do nothing. */
  readonly actions: Actions | null
  /** Z7: a file that a session changed in its working directory, line by line. */
  readonly blame: (file: string) => Promise<BlamedFile>
  /** The sessions behind a commit in the repository that a session worked in. */
  readonly commits: (session: string, rev: string) => Promise<readonly CommitSessions[]>
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
  /** Answers about sessions in other processes; without it, this one answers. */
  readonly sessionWorkers?: SessionWorkers | null
  /** Does what the page asks for; without it, the page may do nothing. */
  readonly act?: Act | null
}

/** Opens a history that is kept up to date. Nothing is read before the first question or `start`. */
export function openLive(options: LiveOptions & LiveWork): LiveHistory {
  const { index, roots } = options
  const opened = openContext(options, () => syncing.look())
  const { context } = opened
  const { events } = context
  const workers = options.sessionWorkers ?? null
  const refresh = (): void => {
    workers?.refresh()
    opened.refresh()
  }
  const syncing = createSyncing({ context, refresh }, options.sync)
  const sessions = workers === null ? createSessionPages(context) : workers.pages(syncing.look)
  const prefetch = createPrefetch(context, sessions.prefetch)
  const look = createSurvey(context, index)
  const examined = createExamination(options.examine ?? null, context.sessions)
  const stops: (() => void)[] = [prefetch.stop, syncing.stop]
  return {
    ...pagesOf(context),
    ...sessions,
    start: () => {
      // It lists the folders after they are watched: another process has to be started first.
      syncing.look()
      stops.push(watchFolders(roots, syncing.look).stop)
      stops.push(watchProcesses(roots, () => events.tell({ kind: 'running' })))
      const renamed = (): void => events.tell({ kind: 'changed', sessions: [] })
      if (options.labels != null) stops.push(watchLabels(options.labels, renamed))
    },
    noteActivity: prefetch.postpone,
    search: async (asked, signal) => {
      const status = events.status
      const query = await withSeen(sessions, asked)
      if (options.search == null) return await searchPage({ ...context, status }, query, signal)
      return await lookAgain(options.search(query, status(), signal), syncing.look)
    },
    waste: async () => withTitles(await wasteInWorker({ index, roots }), context.sessions()),
    agents: choice => agentsPage(context, look, choice),
    health: createHealthPage(context, { look, examined }),
    actions: options.act == null ? null : createActions(options.act, context.now),
    blame: file => blameInWorker({ index, roots, file }),
    commits: (session, rev) =>
      commitInWorker({ index, roots, session: context.factOf(session).fact.session, rev }),
    close: () => {
      for (const stop of stops) stop()
      opened.close()
    },
  }
}

/** A history of pushed files. Somebody else brings its index up to date, and says so. */
export interface PushedHistory extends LiveHistory {
  /** The index has changed: tells the listeners what of it did. */
  readonly refresh: () => void
  /** All sessions, the newest first. */
  readonly sessions: () => readonly SessionFact[]
  /** A session by its id or a beginning of it, with the files of its file group, for each root that has it. */
  readonly find: (session: string) => readonly IndexedSession[]
  /** HU50: the sessions that a word of a command means: all of one id. */
  readonly called: (word: string) => readonly IndexedSession[]
  /** HU48: answers what a command asks. */
  readonly answer: (question: HubQuestion) => Promise<HubAnswer>
}

/**
 * Opens a history of pushed files. Nothing can be changed through it, and nothing of it is looked up on the disk of this
 * machine: neither files, processes and repositories, nor its archive.
 */
export function openPushed(options: PushedOptions): PushedHistory {
  const opened = openPushedContext(options)
  const { context, find, called } = opened
  const refresh = createChanges(opened)
  const look = createSurvey(context, null)
  const examiner = createPushedExaminer(context, options.elsewhere)
  const sessions = createSessionPages(context)
  const noteShown = (found: Iterable<string>): void => {
    for (const { fact, root } of [...found].flatMap(find))
      options.onRead?.({ how: 'search', session: fact.session, root })
  }
  return {
    ...pagesOf(context),
    ...sessions,
    start: refresh,
    refresh,
    sessions: context.sessions,
    find,
    called,
    answer: async question => {
      const { answerHub } = await import('./questions/hub.js')
      const idOf = (word: string): string => calledSession(word, called)
      const asked = { context, noteShown, idOf, seenAt: (ref: string) => seenAt(sessions, ref) }
      return await answerHub({ ...asked, examine: examiner.part }, question)
    },
    noteActivity: () => {},
    search: async (query, signal) => {
      const wanted = await withSeen(sessions, query)
      const page = await searchPage({ ...context, status: context.events.status }, wanted, signal)
      noteShown(new Set(page.hits.flatMap(({ session }) => session ?? [])))
      return page
    },
    waste: () => onlyAtHome('waste'),
    agents: choice => agentsPage(context, look, choice),
    health: createHealthPage(context, { look, examined: examiner.look }),
    actions: null,
    blame: () => onlyAtHome('blame'),
    commits: () => onlyAtHome('blame'),
    close: () => {
      examiner.stop()
      opened.close()
    },
  }
}

function calledSession(word: string, called: PushedHistory['called']): string {
  const [found] = called(word)
  if (found !== undefined) return found.fact.session
  throw new UserError(
    `No session begins with ${word}. Run \`dagline ls --everywhere --all\` to list them.`,
    'no-session',
  )
}

/** What needs the repository or the transcripts of the machine where the sessions ran. */
async function onlyAtHome(command: string): Promise<never> {
  const message = `This page needs the machine where the sessions ran: run "dagline ${command}" there.`
  throw new UserError(message, 'unavailable')
}

/** The answers that come from a context alone, and need no graph. */
type ContextPages = Pick<LiveHistory, 'events' | 'home' | 'labels' | 'usage' | 'exportHtml' | 'findings'>

/** H14: a search with the entries that the model saw at the answer which it names. */
async function withSeen(
  { context }: Pick<SessionPages, 'context'>,
  query: SearchPageOptions,
): Promise<SearchPageOptions> {
  return query.seenAt ? { ...query, nodes: await seenAt({ context }, query.seenAt) } : query
}

/** H14: the entries that the model saw at an answer: a uuid, or `SESSION:uuid`. */
async function seenAt({ context }: Pick<SessionPages, 'context'>, ref: string): Promise<readonly string[]> {
  const { context: seen, attachments } = await context(ref.split(':').at(-1) ?? ref, null)
  return [...seen.entries, ...attachments]
}

function pagesOf(context: LiveContext): ContextPages {
  return {
    events: context.events,
    home: createHome(context),
    labels: id => {
      const { fact } = context.factOf(id)
      const labels = [...context.labels().values()].filter(({ session }) => session === fact.session)
      return labels.map(givenLabel)
    },
    usage: createUsagePage(context),
    exportHtml: (session, page) => exportSession(context, session, page),
    findings: session => findingsOf(context, session),
  }
}
