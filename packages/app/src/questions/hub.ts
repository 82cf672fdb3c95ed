/**
 * HU48: what a command asks a hub for: the lists, sums and hits that it makes from the index of its own machine elsewhere. They are
 * made by the same functions, from pushed files alone; the command adds up days and prints.
 */
import type { SearchSort } from '@dagline/core/protocol'
import type { Hit, Label, SessionFact } from '@dagline/store'
import { type Host, type PushedFiles, silentHost } from '../host/host.js'
import type { LiveContext } from '../live/context.js'
import type { HealthPart, PushedExaminer } from '../live/pushed-health.js'
import type { ListFilter } from '../locate/list-filter.js'
import { pushedScope } from '../locate/project.js'
import {
  type AgentItem,
  type BranchItem,
  type FileItem,
  listAgents,
  listBranches,
  listFiles,
  listPrompts,
  type PromptItem,
} from '../measure/lists.js'
import { sessionsOf } from '../measure/sessions.js'
import { type GatheredUsage, gatherForReport, type UsageReportOptions } from '../measure/usage-report.js'
import { type SessionSearchResult, searchHistory, searchHistorySessions } from '../search/history.js'
import type { SearchFilter, SearchResult } from '../search/search.js'
import { noTranscripts } from '../text/nothing.js'
import { measurePart, type StatsPart } from './stats.js'

/** What is searched for. */
interface SearchQuestion {
  readonly text: string
  readonly filter: SearchFilter
  readonly limit: number | null
  readonly sort: SearchSort | null
  readonly context: number
}

/** What can be asked, by its kind. */
export interface HubQuestions {
  readonly sessions: { readonly words: readonly string[]; readonly filter: ListFilter }
  readonly agents: { readonly filter: ListFilter }
  readonly branches: { readonly filter: ListFilter }
  readonly files: { readonly filter: ListFilter }
  readonly prompts: { readonly filter: ListFilter; readonly limit: number | null }
  readonly search: SearchQuestion
  readonly searchSessions: SearchQuestion
  readonly usage: { readonly words: readonly string[]; readonly options: UsageReportOptions }
  /** HU80: those of the sessions that are shown. */
  readonly labels: Readonly<Record<never, never>>
  /** HU54: projects alone; sessions are measured where they are asked for. */
  readonly stats: { readonly projects: readonly string[]; readonly zone: string; readonly after: number }
  /** HU56: the same for health. */
  readonly health: { readonly projects: readonly string[]; readonly after: number }
}

/** A session, and the number of the person whose it is. */
interface OwnedSession extends SessionFact {
  readonly owner: number | null
}

/** The answer to each. */
export interface HubAnswers {
  readonly sessions: readonly OwnedSession[]
  readonly agents: readonly AgentItem[]
  readonly branches: readonly BranchItem[]
  readonly files: readonly FileItem[]
  readonly prompts: readonly PromptItem[]
  readonly search: SearchResult
  readonly searchSessions: SessionSearchResult
  readonly usage: GatheredUsage
  readonly labels: readonly Label[]
  readonly stats: StatsPart
  readonly health: HealthPart
}

/** A question with its kind. */
export type HubQuestion = {
  readonly [Kind in keyof HubQuestions]: { readonly kind: Kind } & HubQuestions[Kind]
}[keyof HubQuestions]

/** An answer, and what a command of the same machine would have noted. */
export interface HubAnswer<Value = HubAnswers[keyof HubAnswers]> {
  readonly value: Value
  readonly notes: readonly string[]
}

/** Pushed files, and who is told what an answer reads. */
interface Answering {
  readonly context: LiveContext
  readonly idOf: (word: string) => string
  /** The entries that the model saw at the answer which a word names. */
  readonly seenAt: (ref: string) => Promise<readonly string[]>
  readonly examine: PushedExaminer['part']
  /** Is told of the sessions whose words an answer shows. */
  readonly noteShown: (sessions: Iterable<string>) => void
}

/** Answers a question. Throws `UserError` where it names what is not there. */
export async function answerHub(answering: Answering, question: HubQuestion): Promise<HubAnswer> {
  const notes: string[] = []
  const host = hostOn(answering, text => notes.push(text))
  return { value: await answer(host, answering, question), notes }
}

/** Answers come from the one state of the index that they begin with. */
function hostOn({ context, idOf }: Answering, note: (text: string) => void): Host {
  const index = context.index()
  const sessions = context.sessions
  const pushed: PushedFiles = {
    index: { ...index, sessions },
    ranges: context.ranges,
    roots: context.rootIds(),
    ...{ sessions, idOf },
  }
  return { ...silentHost([]), note, pushed }
}

async function answer(
  host: Host,
  answering: Answering,
  question: HubQuestion,
): Promise<HubAnswers[keyof HubAnswers]> {
  const index = null
  switch (question.kind) {
    case 'sessions':
      return owned(answering, await sessionsOf(host, question.words, { ...question.filter, index }))
    case 'labels':
      return shownLabels(answering.context)
    case 'agents':
      return await listAgents(host, { ...question.filter, index })
    case 'branches':
      return await listBranches(host, { ...question.filter, index })
    case 'files':
      return await listFiles(host, { ...question.filter, index })
    case 'prompts':
      return shown(answering, await listPrompts(host, { ...question.filter, limit: question.limit, index }))
    case 'stats':
      return measurePart(answering.context, { ...question, projects: foldersOf(host, question.projects) })
    case 'health':
      return examined(host, answering, question)
    case 'usage':
      return await gatherForReport(host, question.words, { ...question.options, index })
    default:
      return await searchAnswer(host, answering, question)
  }
}

function examined(
  host: Host,
  { examine }: Answering,
  { projects, after }: HubQuestions['health'],
): HealthPart {
  const part = examine({ projects: foldersOf(host, projects), after })
  if (part.of === 0) host.note(noTranscripts([]))
  return part
}

/** The folders of all projects that the words name; null without words. */
function foldersOf(host: Host, words: readonly string[]): ReadonlySet<string> | null {
  const sessions = host.pushed?.sessions() ?? []
  return words.length === 0 ? null : new Set(words.flatMap(word => [...pushedScope(word, sessions).names]))
}

async function searchAnswer(
  host: Host,
  answering: Answering,
  question: Extract<HubQuestion, SearchQuestion>,
): Promise<SearchResult | SessionSearchResult> {
  const { kind, text, limit, sort, context } = question
  const { seenAt, ...filter } = question.filter
  const nodes = seenAt ? { nodes: await answering.seenAt(seenAt) } : {}
  const options = {
    filter: { ...filter, ...nodes },
    sort: sort ?? undefined,
    ...(limit === null ? {} : { limit }),
  }
  if (kind === 'searchSessions') {
    const found = await searchHistorySessions(host, text, options)
    shown(answering, found.sessions)
    return found
  }
  const found = await searchHistory(host, text, { ...options, context })
  return {
    ...found,
    hits: shown(answering, found.hits).map(asPushed),
    around: found.around.map(({ before, after }) => ({
      before: before.map(asPushed),
      after: after.map(asPushed),
    })),
  }
}

function asPushed(hit: Hit): Hit {
  return { ...hit, isArchived: false }
}

function shownLabels(context: LiveContext): readonly Label[] {
  const shown = new Set(context.sessions().map(({ session }) => session))
  return [...context.labels().values()].filter(({ session }) => shown.has(session))
}

function owned({ context }: Answering, sessions: readonly SessionFact[]): readonly OwnedSession[] {
  return sessions.map(fact => ({ ...fact, owner: context.ownerOf(fact) }))
}

/** HU35: words of these sessions are shown. */
function shown<T extends { readonly session: string | null }>(
  { noteShown }: Answering,
  rows: readonly T[],
): readonly T[] {
  noteShown(new Set(rows.flatMap(({ session }) => session ?? [])))
  return rows
}
