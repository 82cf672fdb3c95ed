/**
 * HU48: a team's history for a command. The hub answers lists, sums and searches; what needs the graph of a session is done here,
 * on its files, which are fetched first. Commands use it like a history of this machine.
 */
import { basename } from 'node:path'
import {
  type Edits,
  type FaceHistory,
  gatherHealth,
  type Host,
  type HubAnswers,
  type HubQuestions,
  type ListFilter,
  labelNamed,
  openFaceHistory,
  type SearchOptions,
  type SessionFigures,
  sumStats,
  sumUsage,
  UserError,
} from '@dagline/app'
import { groupBy } from '@dagline/core/model'
import type { Labels } from '@dagline/store'
import { dropOldGroups, forgetSession, keepGroup } from './cache.js'
import { openRemote, type RemoteHub, type RemoteOptions } from './client.js'
import { zoned } from './dates.js'
import { labelsOn } from './labels.js'

/** A history that a hub answers. Throws `UserError` where it cannot be asked. */
export async function openHubHistory(host: Host, options: RemoteOptions): Promise<FaceHistory> {
  const hub = openRemote(options)
  const home = openFaceHistory({ host })
  const labels = await labelsOn(hub, home)
  const { open, close } = openGroups(host, hub, labels)
  return {
    ...home,
    ...REFUSED,
    ...asked(host, hub, labels),
    ...fetchedMethods(open),
    labels,
    stats: async (paths = []) => await statsOf({ host, hub, labels, open }, paths),
    health: async (word = null) => await healthOf({ host, hub, labels, open }, word),
    edit: { ...home.edit, ...fetchedEdits(open), repair: atHome, planMove: atHome },
    close: () => {
      close()
      home.close()
    },
  }
}

/** Asks the hub, and notes what a command of its machine would have noted. */
async function ask<Kind extends keyof HubQuestions>(
  { host, hub }: { readonly host: Host; readonly hub: RemoteHub },
  kind: Kind,
  question: HubQuestions[Kind],
): Promise<HubAnswers[Kind]> {
  const { value, notes } = await hub.ask(kind, question)
  for (const note of notes) host.note(note)
  return value
}

type Asked = Pick<
  FaceHistory,
  | 'sessions'
  | 'agents'
  | 'branches'
  | 'files'
  | 'prompts'
  | 'search'
  | 'searchSessions'
  | 'usageReport'
  | 'sessionLists'
  | 'namesProject'
>

/** What the index of the hub answers. */
function asked(host: Host, hub: RemoteHub, labels: () => Labels): Asked {
  const to = { host, hub }
  const idOf = (word: string): string => idNamed(word, labels())
  const filterOf = (filter: ListFilter = {}): WireFilter => wireFilter(filter, idOf)
  const sessions = async (
    words: readonly string[],
    filter: ListFilter,
  ): Promise<readonly SessionFigures[]> => {
    const named = words.map(word => projectWord(idOf(word)))
    const found = await ask(to, 'sessions', { words: named, filter: filterOf(filter) })
    const persons = found.length === 0 ? new Map<number, string>() : await hub.persons()
    return found.map(({ owner, ...fact }) => ({ ...fact, person: persons.get(owner ?? 0) ?? '' }))
  }
  const searched = (text: string, { filter = {}, limit, sort, context = 0 }: SearchOptions) => {
    const { projects: _, nodes: __, seenAt, ...typed } = filter
    const own = { ...typed, ...filterOf(typed), ...(seenAt ? { seenAt: idOf(seenAt) } : {}) }
    return { text, filter: own, limit: limit ?? null, sort: sort ?? null, context }
  }
  return {
    sessions: async (paths = [], options = {}) => await sessions(paths, options),
    agents: async filter => await ask(to, 'agents', { filter: filterOf(filter) }),
    branches: async filter => await ask(to, 'branches', { filter: filterOf(filter) }),
    files: async filter => await ask(to, 'files', { filter: filterOf(filter) }),
    prompts: async (options = {}) =>
      await ask(to, 'prompts', { filter: filterOf(options), limit: options.limit ?? null }),
    search: async (text, options = {}) => await ask(to, 'search', searched(text, options)),
    searchSessions: async (text, options = {}) => await ask(to, 'searchSessions', searched(text, options)),
    usageReport: async (paths, options) => {
      const { by, branch, since, until, project, session } = options
      const typed = { since, until, project, session }
      const wire = { by, branch, ...NO_FILTER, ...filterOf(typed) }
      const gathered = await ask(to, 'usage', { words: paths.map(idOf), options: wire })
      return await sumUsage(gathered, { by, branch, ...typed })
    },
    sessionLists: async (folders = []) => {
      const all = await sessions(folders, {})
      const projects = groupBy(all, ({ project }) => project)
      return [...projects.values()].map(own => own.toSorted((a, b) => (a.first ?? 0) - (b.first ?? 0)))
    },
    namesProject: async word => {
      const found = await ask(to, 'sessions', { words: [projectWord(idOf(word))], filter: {} }).catch(
        () => [],
      )
      return found.length > 0 && found.every(({ session }) => !session.startsWith(word))
    },
  }
}

interface PartSources {
  readonly host: Host
  readonly hub: RemoteHub
  readonly labels: () => Labels
  readonly open: OpenGroups
}

/** HU54: of projects, or of all, the hub measures; the files of sessions are measured here. */
async function statsOf(
  { host, hub, labels, open }: PartSources,
  words: readonly string[],
): ReturnType<FaceHistory['stats']> {
  const { namesProject } = asked(host, hub, labels)
  const isProject = await Promise.all(words.map(word => namesProject(word)))
  if (words.length > 0 && !isProject.every(Boolean)) {
    if (isProject.some(Boolean)) throw new UserError('Give either projects or sessions with --hub, not both.')
    const { history, words: named } = await open(words)
    return await history.stats(named)
  }
  const question = {
    projects: words.map(projectWord),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  try {
    return await sumStats(async after => {
      const part = await ask({ host, hub }, 'stats', { ...question, after })
      host.progress(`Measured ${part.done} of ${part.of} file groups`)
      return part
    })
  } finally {
    host.progress(null)
  }
}

/** HU56: of a project, or of all, the hub examines the sessions; the files of one session are examined here. */
async function healthOf(
  { host, hub, labels, open }: PartSources,
  word: string | null,
): ReturnType<FaceHistory['health']> {
  const { namesProject } = asked(host, hub, labels)
  if (word !== null && !(await namesProject(word))) {
    const { history, words } = await open([word])
    return await history.healthOfFetched(words[0] ?? word)
  }
  const projects = word === null ? [] : [projectWord(word)]
  try {
    return await gatherHealth(host, async after => {
      const part = await ask({ host, hub }, 'health', { projects, after })
      host.progress(`Examined ${part.done} of ${part.of} file groups`)
      return part
    })
  } finally {
    host.progress(null)
  }
}

/** The project of the working directory is known to the hub by its name. */
function projectWord(word: string): string {
  return word === '.' ? basename(process.cwd()) : word
}

const NO_FILTER = { since: null, until: null, project: null, session: null }

type WireFilter = { readonly [Key in keyof ListFilter]?: string }

/** Times are those of this machine, and so are names and the project "here"; the hub knows neither. */
function wireFilter(filter: ListFilter, idOf: (word: string) => string): WireFilter {
  const { project, session, file } = filter
  return {
    ...zoned(filter),
    ...(project == null ? {} : { project: projectWord(project) }),
    ...(session == null ? {} : { session: idOf(session) }),
    ...(file == null ? {} : { file }),
  }
}

/** The id of what a word names; the word itself where nothing has that name. */
function idNamed(word: string, labels: Labels): string {
  const label = labelNamed(labels, word)
  if (label === null) return word
  return label.kind === 'entry' ? `${label.session}:${label.id}` : label.id
}

type Fetched = Pick<
  FaceHistory,
  | 'find'
  | 'locate'
  | 'graphOf'
  | 'entryOf'
  | 'costOf'
  | 'compare'
  | 'dropped'
  | 'context'
  | 'contextDiff'
  | 'lessons'
  | 'sessionsBeside'
  | 'facts'
  | 'contexts'
  | 'summary'
  | 'export'
>

/** What is done here, on the files of the sessions that are named. */
function fetchedMethods(open: OpenGroups): Fetched {
  const one = oneOf(open)
  const two = async <T>(
    [a, b]: readonly [string, string],
    work: (at: FaceHistory, a: string, b: string) => Promise<T>,
  ): Promise<T> => {
    const { history, words } = await open([a, b])
    return await work(history, words[0] ?? a, words[1] ?? b)
  }
  const all = async <T>(
    given: readonly string[],
    work: (at: FaceHistory, words: readonly string[]) => Promise<T>,
  ): Promise<T> => {
    const { history, words } = await open(given.length === 0 ? [needsSession()] : given)
    return await work(history, words)
  }
  return {
    find: ref => one(ref, (at, word) => at.find(word)),
    locate: session => one(session, (at, word) => at.locate(word)),
    graphOf: (session, load) => one(session, (at, word) => at.graphOf(word, load)),
    entryOf: (ref, load) => one(ref, (at, word) => at.entryOf(word, load)),
    costOf: ref => one(ref, (at, word) => at.costOf(word)),
    compare: (a, b) =>
      b === null ? one(a, (at, word) => at.compare(word, null)) : two([a, b], (at, x, y) => at.compare(x, y)),
    dropped: ref => one(ref, (at, word) => at.dropped(word)),
    context: (ref, shape) => one(ref, (at, word) => at.context(word, shape)),
    contextDiff: (a, b) => two([a, b], (at, x, y) => at.contextDiff(x, y)),
    lessons: async (options = {}) =>
      await one(options.session ?? needsSession(), (at, session) => at.lessons({ ...options, session })),
    sessionsBeside: session => one(session, (at, word) => at.sessionsBeside(word)),
    facts: paths => all(paths, (at, words) => at.facts(words)),
    contexts: paths => all(paths, (at, words) => at.contexts(words)),
    summary: paths => all(paths, (at, words) => at.summary(words)),
    export: async (session, chosen, exporter) =>
      await one(session ?? needsSession(), (at, word) => at.export(word, chosen, exporter)),
  }
}

/** No process writes to a fetched copy. */
const AS_PUSHED = { snapshot: true }

/** HU52: what is made of a session of the hub is a session of this machine, in the project of the working directory. */
function fetchedEdits(open: OpenGroups): Pick<Edits, 'checkout' | 'fork' | 'pick' | 'trim' | 'split'> {
  const one = oneOf(open)
  return {
    checkout: (ref, options) =>
      one(ref, ({ edit }, word) => edit.checkout(word, { ...options, ...AS_PUSHED })),
    fork: (ref, options) => one(ref, ({ edit }, word) => edit.fork(word, { ...options, ...AS_PUSHED })),
    pick: async (refs, options) => {
      const { history, words } = await open([options.onto, ...refs])
      const [onto = '', ...picked] = words
      return await history.edit.pick(picked, { ...options, onto, ...AS_PUSHED })
    },
    trim: (session, options) =>
      one(session, ({ edit }, word) => edit.trim(word, { ...options, ...AS_PUSHED })),
    split: (session, options) =>
      one(session, ({ edit }, word) => edit.split(word, { ...options, ...AS_PUSHED })),
  }
}

/** Work on what one word names. */
function oneOf(open: OpenGroups) {
  return async <T>(word: string, work: (at: FaceHistory, word: string) => Promise<T>): Promise<T> => {
    const { history, words } = await open([word])
    return await work(history, words[0] ?? word)
  }
}

/** For questions that only the machine where the sessions ran can answer. */
async function atHome(): Promise<never> {
  throw new UserError(
    'This does not work on a hub. Run it without --hub, on the machine where the sessions ran.',
  )
}

type Refused = Pick<
  FaceHistory,
  | 'projects'
  | 'usage'
  | 'waste'
  | 'now'
  | 'sync'
  | 'follow'
  | 'blame'
  | 'commits'
  | 'census'
  | 'checkPolicy'
  | 'exportTables'
  | 'healthOfFetched'
  | 'measureStatus'
  | 'sql'
  | 'writeSql'
  | 'shownRoots'
  | 'blameShown'
  | 'commitShown'
  | 'locateShown'
  | 'viewer'
>

const REFUSED: Refused = {
  ...{
    projects: atHome,
    usage: atHome,
    waste: atHome,
    now: atHome,
    sync: atHome,
    follow: atHome,
  },
  ...{ blame: atHome, commits: atHome, census: atHome, checkPolicy: atHome, exportTables: atHome },
  ...{ healthOfFetched: atHome, measureStatus: atHome, sql: atHome, writeSql: atHome, shownRoots: atHome },
  ...{ blameShown: atHome, commitShown: atHome, locateShown: atHome, viewer: atHome },
}

type OpenGroups = (words: readonly string[]) => Promise<OpenedGroups>

interface OpenedGroups {
  /** A history of the fetched files alone. */
  readonly history: FaceHistory
  /** The words, with the ids of what only the hub or the user's names know. */
  readonly words: readonly string[]
}

/** Histories of fetched file groups; each group is fetched once. */
function openGroups(
  host: Host,
  hub: RemoteHub,
  labels: () => Labels,
): { readonly open: OpenGroups; readonly close: () => void } {
  const opened: FaceHistory[] = []
  const known = new Map<string, Promise<FetchedGroup>>()
  return {
    open: async words => {
      const groups: FetchedGroup[] = []
      for (const word of words) {
        const fetching = known.get(word) ?? fetchGroup(host, hub, idNamed(word, labels()))
        known.set(word, fetching)
        groups.push(await fetching)
      }
      const roots = [...new Set(groups.map(({ root }) => root))]
      // What is made of a session goes to the project of the working directory.
      const history = openFaceHistory({ host: { ...host, roots, here: process.cwd() } })
      opened.push(history)
      return { history, words: groups.map(({ word }) => word) }
    },
    close: () => {
      for (const history of opened) history.close()
    },
  }
}

interface FetchedGroup {
  readonly root: string
  readonly word: string
}

async function fetchGroup(host: Host, hub: RemoteHub, word: string): Promise<FetchedGroup> {
  if (word === '') throw new UserError('The SESSION is empty. Give a session id or `latest`.')
  dropOldGroups(hub.url, Date.now())
  try {
    const group = await hub.group(word)
    const root = await keepGroup(hub, group, host.progress)
    return { root, word: word === 'latest' ? group.session : word }
  } catch (error) {
    // What the hub does not show any more is not read from a copy either.
    if (error instanceof UserError && error.code === 'no-session') forgetSession(hub.url, word)
    throw error
  }
}

function needsSession(): never {
  throw new UserError(
    'On a hub this works for single sessions. Give a SESSION; `dagline ls --hub` lists them.',
  )
}
