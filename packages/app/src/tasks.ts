/** The tasks that worker processes run, by name. A name crosses between processes, a function cannot. */
import type { Reread } from '@dagline/core/edit'
import type {
  ActionOutcome,
  BlamedFile,
  CommitSessions,
  SearchPage,
  ShareFindings,
  WastePage,
} from '@dagline/core/protocol'
import type { ActInput } from './act.js'
import type { BlameInput, CommitInput } from './blame/worker.js'
import type { ProveInput } from './edits/prove.js'
import type { ExportedPage, ExportInput } from './export/worker.js'
import type { describeProject } from './graphs/facts.js'
import type { ProjectsInput, ProjectsOutput } from './graphs/run.js'
import type { examineProject } from './health/examine.js'
import type { HealthResult } from './health/examiner.js'
import type { SyncInput, SyncOutput } from './index/sync.js'
import type { countRecords } from './measure/census.js'
import type { learnProject } from './measure/lessons.js'
import type { listSessions } from './measure/sessions.js'
import type { analyseProject } from './measure/stats.js'
import type { summarise } from './measure/summary.js'
import type { measureProject } from './measure/usage.js'
import type { findWasteIn } from './measure/waste.js'
import type { WasteInput } from './measure/waste-page.js'
import type { SearchInput } from './pages/search-workers.js'
import type { PageInput } from './pages/session-workers.js'
import { WORKER_ARGUMENT } from './workers/entry.js'
import type { Task } from './workers/protocol.js'

/** What each task takes and gives. */
export interface Tasks {
  /** Reads projects and describes, lists, measures or examines them. */
  readonly read: Task<ProjectsInput, ProjectsOutput>
  /** Reads files for the index, batch by batch. */
  readonly index: Task<null, null>
  /** Brings an index up to date. */
  readonly sync: Task<SyncInput, SyncOutput>
  /** Reads a new transcript while it is written. */
  readonly prove: Task<ProveInput, Reread>
  /** Examines all sessions. */
  readonly examine: Task<SyncInput, readonly HealthResult[]>
  /** Searches an index. */
  readonly search: Task<SearchInput, SearchPage>
  /** Answers about sessions. */
  readonly sessions: Task<PageInput, unknown>
  /** Attributes the lines of a file. */
  readonly blame: Task<BlameInput, BlamedFile>
  /** Names the sessions behind a commit. */
  readonly commits: Task<CommitInput, readonly CommitSessions[]>
  /** Finds the waste of all sessions. */
  readonly waste: Task<WasteInput, WastePage>
  /** Makes one HTML file of a session. */
  readonly export: Task<ExportInput, ExportedPage>
  /** Counts what a file of a session would tell about its author. */
  readonly findings: Task<string, ShareFindings>
  /** Edits, names, archives or restores sessions. */
  readonly act: Task<ActInput, ActionOutcome>
}

/** The readers of a project that the task `read` runs. */
export interface Readers {
  readonly summarise: typeof summarise
  readonly listSessions: typeof listSessions
  readonly describeProject: typeof describeProject
  readonly measureProject: typeof measureProject
  readonly analyseProject: typeof analyseProject
  readonly examineProject: typeof examineProject
  readonly countRecords: typeof countRecords
  readonly learnProject: typeof learnProject
  readonly findWasteIn: typeof findWasteIn
}

/** Loaded when they are needed: a worker loads its own task only. */
const TASKS: { readonly [N in keyof Tasks]: () => Promise<Tasks[N]> } = {
  read: async () => {
    const { readProjects } = await import('./graphs/run.js')
    return input => readProjects(input, loadReader)
  },
  index: async () => (await import('./index/reader.js')).readBatches,
  sync: async () => (await import('./index/sync.js')).syncIndex,
  prove: async () => (await import('./edits/prove.js')).rereadFile,
  examine: async () => (await import('./health/examiner.js')).examineAll,
  search: async () => (await import('./pages/search-workers.js')).searchIndex,
  sessions: async () => (await import('./pages/session-workers.js')).answerPage,
  blame: async () => (await import('./blame/worker.js')).blameShown,
  commits: async () => (await import('./blame/worker.js')).commitShown,
  waste: async () => (await import('./measure/waste-page.js')).wasteShown,
  export: async () => (await import('./export/worker.js')).exportPage,
  act: async () => (await import('./act.js')).act,
  findings: async () => (await import('./export/findings.js')).findingsIn,
}

const READERS: { readonly [N in keyof Readers]: () => Promise<Readers[N]> } = {
  summarise: async () => (await import('./measure/summary.js')).summarise,
  listSessions: async () => (await import('./measure/sessions.js')).listSessions,
  describeProject: async () => (await import('./graphs/facts.js')).describeProject,
  measureProject: async () => (await import('./measure/usage.js')).measureProject,
  analyseProject: async () => (await import('./measure/stats.js')).analyseProject,
  examineProject: async () => (await import('./health/examine.js')).examineProject,
  learnProject: async () => (await import('./measure/lessons.js')).learnProject,
  findWasteIn: async () => (await import('./measure/waste.js')).findWasteIn,
  countRecords: async () => (await import('./measure/census.js')).countRecords,
}

async function loadReader(name: keyof Readers): Promise<Readers[keyof Readers]> {
  return await READERS[name]()
}

/** A task by its name. */
async function loadTask<N extends keyof Tasks>(name: N): Promise<Tasks[N]> {
  return await TASKS[name]()
}

/** Runs the worker that the arguments of a process ask for; false where they ask for none. */
export async function runAsWorker([word, name]: readonly string[]): Promise<boolean> {
  if (word !== WORKER_ARGUMENT || !isTask(name)) return false
  // Loaded while its first request is on the way.
  const task = loadTask(name)
  task.catch(() => {})
  const { serveTasks } = await import('./workers/worker.js')
  serveTasks(() => task)
  return true
}

function isTask(name: string | undefined): name is keyof Tasks {
  return name !== undefined && Object.hasOwn(TASKS, name)
}
