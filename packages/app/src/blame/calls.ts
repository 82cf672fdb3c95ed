/** Z4: the calls that changed a file or saw all of it, with the turn that each belongs to. */
import { isAbsolute, sep } from 'node:path'
import { type Graph, type Line, plainHead, toolUseId } from '@dagline/core'
import type { FileEvent } from '@dagline/core/blame'
import { cleanLine, type FileCall, fileCalls, fileChangeOf } from '@dagline/core/content'
import { promptOf } from '@dagline/core/edit'
import { asText } from '@dagline/core/parse'
import type { BlamedAgent, BlamedEdit, BlamedPrompt } from '@dagline/core/protocol'
import type { FoundText } from '@dagline/store'
import { backupsIn, type FileBackup, seenIn } from './backups.js'
import type { Copies } from './copies.js'
import { wholePath } from './copies.js'
import { type BlamedEntry, type BlameSession, type BlameSource, entriesOf } from './source.js'

/** Who made a call, and in which turn. */
export type CallOrigin = Omit<BlamedEdit, 'fate' | 'written' | 'present'>

/** What happened to the copies of a file. */
interface FileCalls {
  readonly events: readonly FileEvent[]
  /** Who made the call of each event; null for one that changed nothing. */
  readonly origins: readonly (CallOrigin | null)[]
  /** Calls that failed or were denied. */
  readonly failed: number
}

/** The calls that name a copy of a file. A call that several files of a session repeat counts once. */
export function callsFor(source: BlameSource, copies: Copies): FileCalls {
  const seen = new Set<string>()
  const events: FileEvent[] = []
  const origins: (CallOrigin | null)[] = []
  const backups = openBackups(copies)
  let failed = 0
  for (const entry of entriesOf(source, findCalls(source, copies.keys()))) {
    const json = source.record(entry.session, entry.node)
    for (const call of json === null ? [] : fileCalls(json)) {
      const track = copies.get(wholePath(call.path, asText(json?.cwd)))
      if (track === undefined || seen.has(call.id)) continue
      seen.add(call.id)
      const outcome = readOutcome(source, entry, { ...call, track })
      if (outcome === 'failed') failed++
      if (outcome === null || outcome === 'failed') continue
      events.push(backups.complete(entry, outcome))
      origins.push(outcome.change.kind === 'seen' ? null : originOf(entry, call, outcome.time))
    }
  }
  const seenBefore = backups.rest()
  return { events: [...events, ...seenBefore], origins: [...origins, ...seenBefore.map(() => null)], failed }
}

/** Z8: the copies of the file that the sessions of some calls kept. */
interface Backups {
  /** The event of a call, with the file before it where only a copy has that. */
  readonly complete: (entry: BlamedEntry, event: FileEvent) => FileEvent
  /** What the other copies say. */
  readonly rest: () => readonly FileEvent[]
}

function openBackups(copies: Copies): Backups {
  const bySession = new Map<string, FileBackup[]>()
  const keptBy = (session: BlameSession): FileBackup[] => {
    const id = session.fact.session
    const kept = bySession.get(id) ?? [...backupsIn(session, copies)]
    bySession.set(id, kept)
    return kept
  }
  return {
    complete: ({ session, node }, event) => {
      const { change, track } = event
      if (change.kind === 'seen') return event
      const kept = keptBy(session)
      const { id, time } = session.graph.node(node)
      const at = kept.findIndex(
        backup =>
          backup.track === track &&
          backup.call === id &&
          backup.time >= (time ?? 0) &&
          backup.time <= event.time,
      )
      const [own] = at < 0 ? [] : kept.splice(at, 1)
      return own === undefined || change.kind === 'cell' || change.before !== null
        ? event
        : { ...event, change: { ...change, before: own.content } }
    },
    rest: () => [...bySession.values()].flat().map(seenIn),
  }
}

function* findCalls(source: BlameSource, paths: Iterable<string>): Generator<FoundText> {
  const { index, roots } = source
  const touched = source.touched()
  const relative = [...touched].filter(path => !isAbsolute(path))
  for (const path of paths)
    for (const spelled of [path, ...relative.filter(other => isEndOf(other, path))]) {
      if (!touched.has(spelled)) continue
      for (const found of index.each({ roots, fields: ['input'], touching: spelled }, 'time'))
        if (found.tool !== null && TOOLS.has(found.tool)) yield found
    }
}

/** Whether a path that is not whole may mean a file. */
function isEndOf(path: string, whole: string): boolean {
  const end = path.replace(/^(?:~|\.{1,2})[\\/]/, '').replace(/^(?:\.{1,2}[\\/])+/, '')
  return whole.endsWith(sep + end.split(/[\\/]/).join(sep))
}

const TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Read'])

/** What a call did, at the time of its result. */
function readOutcome(
  source: BlameSource,
  { session, node }: BlamedEntry,
  call: FileCall & { readonly track: string },
): FileEvent | 'failed' | null {
  const { graph } = session
  const result = graph.resultOf(toolUseId(call.id))
  const change = result === null ? null : fileChangeOf(call, source.record(session, result))
  if (result === null || change === null || change === 'failed') return change === 'failed' ? change : null
  return { track: call.track, time: graph.node(result).time ?? graph.node(node).time ?? 0, change }
}

function originOf({ session, node }: BlamedEntry, { tool, path }: FileCall, time: number): CallOrigin {
  const { graph, fact } = session
  const line = graph.lineOf(node)
  return {
    session: line?.domain.session ?? fact.session,
    title: fact.title ?? fact.prompt,
    node: graph.id(node),
    tool,
    path,
    time,
    prompt: promptBehind(graph, node),
    agent: agentOf(graph, line),
    line: line?.id ?? null,
    status: line?.status ?? 'live',
  }
}

function agentOf(graph: Graph, line: Line | null): BlamedAgent | null {
  const id = line?.domain.agent ?? null
  if (id === null) return null
  return { id, name: graph.agents().find(agent => agent.id === id)?.name ?? 'unknown' }
}

/** Longer prompts are cut: nobody shows more of them. */
const MOST_WORDS = 200

/** What a person typed before a call: for a call of a subagent at the beginning of the turn that started it. */
export function promptBehind(graph: Graph, node: number): BlamedPrompt | null {
  const main = callerOf(graph, node)
  const prompt = main === null ? -1 : promptOf(graph, main)
  if (prompt < 0) return null
  const { id, time, head } = graph.node(prompt)
  const text = cleanLine(plainHead(head ?? '')).slice(0, MOST_WORDS)
  return { node: id, time, text, turn: turnNumber(graph, prompt) }
}

/** The entry of the main conversation that a call comes from; null where the call of a subagent is not known. */
function callerOf(graph: Graph, node: number): number | null {
  let at: number | null = node
  // A subagent's caller may be a subagent itself; damaged files may make that a circle.
  for (let depth = 0; depth < 50 && at !== null; depth++) {
    const agent: Line['domain']['agent'] = graph.lineOf(at)?.domain.agent ?? null
    if (agent === null) return at
    at = graph.spawnOf(agent)?.node ?? null
  }
  return null
}

/** Which turn of its conversation a prompt begins, counted over the forks before it. */
function turnNumber(graph: Graph, prompt: number): number {
  let count = 0
  let last: number | null = prompt
  while (last !== null) {
    const line = graph.lineOf(last)
    for (const node of line?.nodes ?? []) {
      if (graph.startsTurn(node)) count++
      if (node === last) break
    }
    last = line?.kind === 'branch' ? line.at : null
  }
  return count
}
