/**
 * A2: which call spawned which agent. Evidence is tried over all agents from strong to weak, so that a call that is
 * claimed by an id is never guessed for another agent by its prompt.
 */

import type { ToolCall, UserEntry } from '../model/entry.js'
import { type AgentId, agentId, type SessionId, sessionId, toolUseId } from '../model/ids.js'
import type { AgentMeta } from '../model/source.js'
import { type AttachedTo, attachDomains } from './attach.js'
import { subtypeOf } from './compactions.js'
import { originalOf } from './copies.js'
import { type Domain, domainOf } from './domains.js'
import { Conversation } from './facts.js'
import { agentMetaOf, type OpenFile } from './file-record.js'
import { liveLeaf } from './live.js'
import { compareTimes, compareWritten, filesAmong, filesInOrder, mainFile, ownFiles } from './order.js'
import { sessionOf } from './sightings.js'
import type { SpawnCall, State } from './state.js'
import * as t from './table.js'
import {
  callsOf,
  endingOf,
  findNotifications,
  findTool,
  resultFor,
  tellsCompletion,
  toolsOf,
} from './tools.js'

/** How the call that started a subagent was found. */
export type SpawnEvidence =
  | 'meta'
  | 'result'
  | 'progress'
  | 'team'
  | 'inline'
  | 'prompt'
  | 'prompt-folded'
  | 'promptId'
  | 'journal'

/** How far a subagent came. `orphaned`: its call is unknown; `warmup`: it only warmed the cache; `empty`: no entries. */
export type AgentState = 'complete' | 'incomplete' | 'orphaned' | 'warmup' | 'empty'

/**
 * Where an agent's messages were read: in a file of its own, in a sidechain of the session's file, or, where the file is
 * gone, in the progress rows of its caller.
 */
export type AgentSource = 'file' | 'sidechain' | 'progress'

/** A subagent: its conversation, its state, and the call that started it. */
export interface Agent {
  /** Its conversation. */
  readonly domain: Domain
  readonly id: AgentId
  /** Its type, such as `Explore`; `unknown` where nothing tells it. */
  readonly name: string
  /** 1 for a subagent that the session itself started, 2 for one that such a subagent started. */
  readonly depth: number
  readonly state: AgentState
  readonly source: AgentSource
  /** Null where the call that started it is not known. */
  readonly spawnedBy: AgentSpawn | null
  /** The entry it hangs on: with the call, else where its first entry or its sidecar says; null where nothing does. */
  readonly at: number | null
  /** What its `.meta.json` says, or a row like it (A12); null without one. */
  readonly meta: AgentMeta | null
}

/** The tool call that started a subagent, and how it was found. */
export interface AgentSpawn {
  readonly call: ToolCall
  /** The entry with the call. */
  readonly node: number
  readonly evidence: SpawnEvidence
}

/** All agents with what spawned them. */
export function findAgents(state: State): readonly Agent[] {
  const known = state.domains.list.filter(({ kind }) => kind === 'agent')
  const domains = [...known, ...emptyAgents(state)].sort(byStart(state))
  const originals = copiedAgents(state, domains)
  const spawns = claimSpawns(state, domains, originals)
  const hangsOn = attachDomains(state, domains, spawns)
  const depths = new Map<number, number>()
  return domains.map(domain => {
    const spawnedBy = spawns.get(domain.index) ?? null
    const meta = metaOf(state, domain)
    const at = hangsOn.get(domain.index) ?? null
    const depth = depthOf(state, domain, hangsOn, depths)
    const id = domain.agent ?? agentId('')
    const name = meta?.agentType ?? spawnedBy?.call.agentType ?? attributionOf(state, domain) ?? unnamed(id)
    const source = sourceOf(state, domain)
    const begun = originals.get(domain.index) ?? domain
    const end = stateOf(state, domain, begun, { spawnedBy, meta })
    return { domain, id, name, depth, state: end, source, spawnedBy, at, meta }
  })
}

/** A3: the client starts a subagent of its own to write the summary of a compaction; its id says so. */
export function isCompactionAgent(id: string): boolean {
  return id.startsWith('acompact')
}

function unnamed(id: string): string {
  return isCompactionAgent(id) ? 'compaction' : 'unknown'
}

function sourceOf(state: State, domain: Domain): AgentSource {
  if (ownFiles(state, domain).some(({ facts }) => facts.kind === 'agent')) return 'file'
  return isFromProgress(state, domain) ? 'progress' : 'sidechain'
}

/** A9: whether progress rows are all that is left of the agent. */
function isFromProgress({ table }: State, { roots }: Domain): boolean {
  return roots.length > 0 && roots.every(root => t.marked(table, root, t.Carried))
}

/** A7: agents whose file holds no entry at all. They have no domain of their own. */
function emptyAgents(state: State): readonly Domain[] {
  const known = new Set(state.domains.list.map(domain => domain.agent))
  const files = filesInOrder(state).filter(({ facts }) => facts.kind === 'agent' && !known.has(facts.agent))
  return files.map(({ index, facts }, nth) => ({
    index: -1 - nth,
    kind: 'agent',
    session: facts.session ?? sessionId(''),
    agent: facts.agent,
    inline: false,
    roots: [],
    files: new Set([index]),
  }))
}

/**
 * A10: agents all of whose entries stand in the file of another agent, to that other one. 2.1.75 begins a new file, under a
 * new id, with the history of a teammate that gets a message.
 */
function copiedAgents(state: State, domains: readonly Domain[]): ReadonlyMap<number, Domain> {
  const originals = new Map<number, Domain>()
  for (const domain of domains) {
    const first = domain.roots.length > 0 ? undefined : ownFiles(state, domain)[0]?.nodes[0]
    const original = first === undefined ? domain : domainOf(state, originalOf(state.table, first))
    if (original !== domain && original.kind === 'agent') originals.set(domain.index, original)
  }
  return originals
}

/** A3: the name that the agent's own answers carry; the rows of a session do not name one. */
function attributionOf(state: State, domain: Domain): string | null {
  if (isFromProgress(state, domain)) return null
  for (const file of ownFiles(state, domain)) if (file.attribution !== null) return file.attribution
  return null
}

function byStart(state: State): (a: Domain, b: Domain) => number {
  const timeOf = (root: number): number => t.real(state.table.time, root)
  return ({ roots: [a = t.none] }, { roots: [b = t.none] }) => {
    if (a === t.none || b === t.none) return a - b
    return compareTimes(timeOf(a), timeOf(b)) || compareWritten(state, a, b)
  }
}

type Claims = Map<number, AgentSpawn>

/** What the evidence is looked for in. */
interface Search {
  readonly state: State
  readonly named: NamedSpawns
  /** The ids of calls that were claimed. */
  readonly taken: Set<string>
}

/** Finds the call that started an agent, and how where that is not the evidence that it stands for. */
type SpawnFinder = (search: Search, domain: Domain) => SpawnCall | AgentSpawn | null | undefined

/** From strong evidence to weak. */
const FINDERS: readonly (readonly [SpawnEvidence, SpawnFinder])[] = [
  ['meta', byMeta],
  ['progress', byOwnRows],
  ['result', byName],
  ['inline', byParent],
  ['prompt', (search, domain) => callWithPrompt(search, domain, 'hash')],
  // The same where white space differs.
  ['prompt-folded', (search, domain) => callWithPrompt(search, domain, 'folded')],
  ['promptId', byPromptId],
  ['journal', byRun],
]

/** A copied agent and its original are one: evidence for either is evidence for both. */
function claimSpawns(
  state: State,
  domains: readonly Domain[],
  originals: ReadonlyMap<number, Domain>,
): Claims {
  const claims: Claims = new Map()
  const search: Search = { state, named: namedSpawns(state), taken: new Set() }
  for (const [evidence, find] of FINDERS) {
    for (const domain of domains) {
      const { index } = originals.get(domain.index) ?? domain
      const spawn = claims.has(index) ? null : (find(search, domain) ?? null)
      if (spawn === null) continue
      claims.set(index, { evidence, ...spawn })
      search.taken.add(spawn.call.id)
    }
  }
  for (const [copy, { index }] of originals) {
    const spawn = claims.get(index)
    if (spawn !== undefined) claims.set(copy, spawn)
  }
  return claims
}

/** Strongest: the agent's own sidecar names the call. */
function byMeta({ state }: Search, domain: Domain): SpawnCall | null {
  return callById(state, metaOf(state, domain)?.toolUseId ?? null, domain.session)
}

/** A9: the rows that carry the agent's messages name the call themselves. */
function byOwnRows({ state }: Search, domain: Domain): SpawnCall | null {
  const [root = t.none] = domain.roots
  const row = isFromProgress(state, domain) ? state.table.entries[root - 1] : null
  return callById(state, row?.kind === 'progress' ? (row.spawned?.call ?? null) : null, domain.session)
}

/** What the agent's file and its sidecar say of the agent. */
function metaOf(state: State, domain: Domain): AgentMeta | null {
  for (const file of filesAmong(state, domain.files)) {
    const meta = agentMetaOf(file)
    if (meta !== null) return meta
  }
  return null
}

/** The entry with a call, in a given session where the id occurs in several; null for no id. */
function callById(state: State, id: string | null, session: SessionId): SpawnCall | null {
  if (id === null) return null
  const { table } = state
  const all = callsOf(state, findTool(state, id))
  const seen = all.find(call => sessionOf(state, call) === session) ?? (all.length === 1 ? all[0] : undefined)
  if (seen === undefined) return null
  const node = t.int(table.owner, seen)
  const entry = table.entries[node]
  const call = entry?.kind === 'assistant' ? entry.calls.find(made => made.id === id) : undefined
  return {
    node,
    call: call ?? { id: toolUseId(id), name: subtypeOf(state, node), prompt: null, agentType: null },
  }
}

/** Results and progress entries that name an agent: the agent to the call. The first to name it counts. */
function namedSpawns(state: State): NamedSpawns {
  const named = new Map<string, AgentSpawn[]>()
  for (const node of spawnsInOrder(state)) {
    const entry = state.table.entries[node]
    if (entry?.kind === 'progress' && entry.spawned !== null) {
      const spawn = callById(state, entry.spawned.call, sessionOf(state, node))
      if (spawn !== null) nameSpawn(state, named, entry.spawned.agent, { ...spawn, evidence: 'progress' })
    }
    if (entry?.kind === 'user') nameByResult(state, node, entry, named)
  }
  return named
}

/** Entries that name an agent, in the order of writing. */
export function spawnsInOrder(state: State): readonly number[] {
  return [...state.spawns].sort((a, b) => compareWritten(state, a, b))
}

function nameByResult(state: State, node: number, entry: UserEntry, named: Map<string, AgentSpawn[]>): void {
  const spawn = callById(state, entry.results[0]?.id ?? null, sessionOf(state, node))
  if (spawn === null || entry.spawn === null || entry.spawn.agent === null) return
  nameSpawn(state, named, entry.spawn.agent, { ...spawn, evidence: entry.spawn.mate ? 'team' : 'result' })
}

/** Agents by the name that results give them; mates of one name may live in several sessions. */
type NamedSpawns = ReadonlyMap<string, readonly AgentSpawn[]>

/** The first to name an agent of a session counts (a later SendMessage names it, too), but results beat progress. */
function nameSpawn(state: State, named: Map<string, AgentSpawn[]>, agent: string, spawn: AgentSpawn): void {
  const session = sessionOf(state, spawn.node)
  const known = named.get(agent) ?? []
  const at = known.findIndex(other => sessionOf(state, other.node) === session)
  if (at < 0) named.set(agent, [...known, spawn])
  else if (known[at]?.evidence === 'progress' && spawn.evidence !== 'progress') known[at] = spawn
}

function byName({ state, named }: Search, domain: Domain): AgentSpawn | null {
  const byId = named.get(domain.agent ?? '') ?? []
  return inSession(state, byId, domain) ?? byId[0] ?? mateOf(state, named, domain)
}

function inSession(state: State, spawns: readonly AgentSpawn[], domain: Domain): AgentSpawn | null {
  return spawns.find(spawn => sessionOf(state, spawn.node) === domain.session) ?? null
}

/** A team mate's file is named `a<name>-<hex>`, its result names `<name>@<team>`; both are of one session. */
function mateOf(state: State, named: NamedSpawns, domain: Domain): AgentSpawn | null {
  const mate = /^a(.+)-[0-9a-f]+$/.exec(domain.agent ?? '')?.[1]
  for (const [name, spawns] of named) {
    const spawn = name.split('@')[0] === mate ? inSession(state, spawns, domain) : null
    if (spawn?.evidence === 'team') return spawn
  }
  return null
}

/** A2: an inline sidechain whose root hangs on the entry with the call. */
function byParent({ state: { table }, taken }: Search, { roots }: Domain): SpawnCall | null {
  const root = roots[0] ?? t.none
  const parent = t.int(table.up, root)
  const entry = table.entries[parent]
  if (entry?.kind !== 'assistant') return null
  const calls = entry.calls.filter(
    call => (call.prompt !== null || call.agentType !== null) && !taken.has(call.id),
  )
  const call = calls.find(made => made.prompt?.hash === t.real(table.hash, root)) ?? calls[0]
  return call === undefined ? null : { call, node: parent }
}

/** A2: the agent's first prompt is the call's prompt; each call is taken once. */
function callWithPrompt(search: Search, domain: Domain, field: 'hash' | 'folded'): SpawnCall | undefined {
  const wanted = firstPrompt(search.state, domain)?.text?.[field]
  if (wanted === undefined) return undefined
  const open = openCalls(search, domain, ({ call }) => call.prompt?.[field] === wanted)
  return open.sort((a, b) => compareWritten(search.state, a.node, b.node))[0]
}

/** The calls that pass a test, that nobody claims, and that can have started an agent. */
function openCalls(
  { state, taken }: Search,
  domain: Domain,
  test: (made: SpawnCall) => boolean,
): SpawnCall[] {
  return state.spawnCalls.filter(
    made => !taken.has(made.call.id) && isOutside(state, made.node, domain) && test(made),
  )
}

/** A call of the same session, not one of the agent's own. */
function isOutside(state: State, node: number, domain: Domain): boolean {
  return sessionOf(state, node) === domain.session && t.int(state.table.domain, node) !== domain.index
}

/** The first user entry of an agent. */
function firstPrompt(state: State, domain: Domain): UserEntry | null {
  for (const root of domain.roots) {
    const entry = state.table.entries[root]
    if (entry?.kind === 'user') return entry
  }
  return null
}

/** The turn of the same prompt id has exactly one call that nobody claims. */
function byPromptId(search: Search, domain: Domain): SpawnCall | null {
  const promptId = firstPrompt(search.state, domain)?.promptId ?? null
  if (promptId === null) return null
  const [only, ...others] = openCalls(search, domain, ({ node }) => turnOf(search.state, node) === promptId)
  return only === undefined || others.length > 0 ? null : only
}

/** The prompt id of the turn a call belongs to: that of the nearest user entry above it. */
function turnOf(state: State, node: number): string | null {
  const { table } = state
  for (
    let up = t.int(table.up, node), steps = 0;
    up !== t.none && steps < 1000;
    up = t.int(table.up, up), steps++
  ) {
    const entry = table.entries[up]
    if (entry?.kind === 'user' && entry.promptId !== null) return entry.promptId
  }
  return null
}

/** A workflow's agents lie in the folder of their run, which the workflow's result names. */
function byRun({ state }: Search, domain: Domain): SpawnCall | null {
  for (const { facts } of filesAmong(state, domain.files)) {
    const spawn = facts.run === null ? null : callOfRun(state, facts.run)
    if (spawn !== null) return spawn
  }
  return null
}

function callOfRun(state: State, run: string): SpawnCall | null {
  for (const node of spawnsInOrder(state)) {
    const entry = state.table.entries[node]
    if (entry?.kind !== 'user' || entry.spawn?.run !== run) continue
    const id = entry.results[0]?.id
    if (id !== undefined) return callById(state, id, sessionOf(state, node))
  }
  return null
}

/** A5: one more than the conversation it hangs on; where it hangs on none, what it says of itself. */
function depthOf(state: State, domain: Domain, hangsOn: AttachedTo, depths: Map<number, number>): number {
  const path: number[] = []
  const met = new Set<number>()
  let above: Domain | null = domain
  let depth = 0
  while (above !== null && above.kind === 'agent' && !met.has(above.index)) {
    const known = depths.get(above.index)
    if (known !== undefined) {
      depth = known
      break
    }
    path.push(above.index)
    met.add(above.index)
    const at: number | undefined = hangsOn.get(above.index)
    if (at === undefined) depth = ownDepth(state, above) - 1
    above = at === undefined ? null : domainOf(state, at)
  }
  for (const index of path.reverse()) depths.set(index, ++depth)
  return depths.get(domain.index) ?? 1
}

/** The depth that an agent's sidecar or its first entry names. */
function ownDepth(state: State, domain: Domain): number {
  const nesting = state.table.entries[domain.roots[0] ?? t.none]?.nesting ?? null
  return Math.max(1, metaOf(state, domain)?.spawnDepth ?? nesting ?? 1)
}

/** A7: how the agent ended. `begun` has its first entries: the agent itself, or the one whose file it repeats. */
function stateOf(
  state: State,
  domain: Domain,
  begun: Domain,
  { spawnedBy, meta }: Pick<Agent, 'spawnedBy' | 'meta'>,
): AgentState {
  if (!begun.roots.some(root => (t.byte(state.table.facts, root) & Conversation) !== 0)) return 'empty'
  if (firstPrompt(state, begun)?.text?.head.trim() === 'Warmup') return 'warmup'
  if (spawnedBy === null) return 'orphaned'
  if (meta?.finished === true || endsInAnswer(state, domain)) return 'complete'
  return isFromProgress(state, domain) && isAnswered(state, spawnedBy) ? 'complete' : 'incomplete'
}

/**
 * A11: progress rows end before the last answer, which is the result of the call. For an agent in the background the
 * result is only the launch, and a notification tells the end.
 */
function isAnswered(state: State, { call, node }: AgentSpawn): boolean {
  const tool = findTool(state, call.id)
  const result = resultFor(state, tool, node)
  if (result === t.none) return false
  const entry = state.table.entries[result]
  if (entry?.kind === 'user' && entry.spawn?.async === true) {
    const ends = findNotifications(state)
    return tellsCompletion(state, ends.get(entry.spawn.agent ?? '') ?? ends.get(call.id) ?? t.none)
  }
  const nth = toolsOf(state, result).indexOf(tool)
  const ending = endingOf(state, result, nth)
  return ending === 'ok' || ending === 'spilled'
}

/** The last entry, in the half written last where the file was split, is an answer that waits for no result. */
function endsInAnswer(state: State, domain: Domain): boolean {
  const { table } = state
  const file = mainFile(state, domain)
  const leaf = file === null ? t.none : lastOf(state, file, domain)
  if (leaf === t.none || t.byte(table.kind, leaf) !== t.Assistant) return false
  return !t.marked(table, leaf, t.HasCalls) && !t.marked(table, leaf, t.ApiError)
}

/** The last entry of an agent in one of its files, which may hold other conversations, too. */
function lastOf(state: State, file: OpenFile, domain: Domain): number {
  if (isFromProgress(state, domain)) return file.lastCarried.get(domain.agent ?? '') ?? t.none
  if (!domain.inline) return liveLeaf(state, file)
  return file.nodes.findLast(node => t.int(state.table.domain, node) === domain.index) ?? t.none
}
