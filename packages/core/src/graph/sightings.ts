/** Sightings: an entry as it stands in one file. A uuid in several files has a sighting in each. */

import type { SessionId } from '../model/ids.js'
import type { OpenFile } from './file-record.js'
import { findIn, nameOf } from './names.js'
import type { State } from './state.js'
import * as t from './table.js'

/** The file a sighting stands in. */
export function fileOf(state: State, node: number): OpenFile {
  const file = state.files[t.int(state.table.file, node)]
  if (file === undefined) throw new RangeError(`sighting ${node} outside 0..${state.table.size - 1}`)
  return file
}

/** The session that an entry names. */
export function sessionOf({ sessions, table }: State, node: number): SessionId {
  return nameOf(sessions, t.int(table.session, node))
}

/** The first sighting of a uuid, or none. */
export function sightingOf(state: State, id: string): number {
  return findIn(state.byId, state.table.ids, id)
}

/** Every sighting of a uuid. */
export function* sightings(state: State, id: string): Generator<number> {
  let node = sightingOf(state, id)
  for (; node !== t.none; node = t.int(state.table.sameId, node)) yield node
}

/** The sighting of a uuid in a file, or none. */
export function sightingIn(state: State, id: string, file: number): number {
  let node = sightingOf(state, id)
  for (; node !== t.none; node = t.int(state.table.sameId, node)) {
    if (t.int(state.table.file, node) === file) return node
  }
  return t.none
}

/** Whether a sighting owns its node. */
export function isOwned(table: t.Table, node: number): boolean {
  return t.int(table.owner, node) === node && !t.marked(table, node, t.Repeated)
}

/** Whether a sighting is on a line: it owns its node and is not a copy. */
export function isPlaced({ table }: State, node: number): boolean {
  return isOwned(table, node) && t.int(table.copyOf, node) === t.none
}

// What single entries are, by their columns and by the release that wrote them.

/** Whether an entry is a part of the conversation itself: a `user` or `assistant` entry. */
export function isConversation(table: t.Table, node: number): boolean {
  const kind = t.byte(table.kind, node)
  return kind === t.User || kind === t.Assistant
}

/** Whether an entry is a part of an answer. Stubs and notices of failed requests are written by the client. */
export function isAnswer({ table }: State, node: number): boolean {
  return t.byte(table.kind, node) === t.Assistant && !t.marked(table, node, t.Synthetic | t.ApiError)
}

/** Whether an entry begins a turn: a prompt, a command, a notification, or a compaction. */
export function startsTurn(table: t.Table, node: number): boolean {
  if (t.byte(table.kind, node) === t.User) return !isWithinTurn(t.byte(table.says, node))
  return t.marked(table, node, t.Boundary)
}

/** Whether a process may begin with an entry: a prompt, or a notification of a task that ended while none ran. */
export function isInput({ says }: t.Table, node: number): boolean {
  return t.byte(says, node) === t.SaysPrompt || t.byte(says, node) === t.SaysNotification
}

/** User entries that stand within a turn: results, interruptions, what the client adds such as hook feedback. */
function isWithinTurn(says: number): boolean {
  return says === t.SaysResult || says === t.SaysInterrupt || says === t.SaysMeta
}

/** Whether a release writes why a reply ended only where the reply was not streamed, as 2.1.0 to 2.1.6x do. */
export const leavesStopsOut = (version: string | null): boolean => /^2\.1\.[1-6]?\d$/.test(version ?? '')

/** What the release that wrote an entry does otherwise than others. */
interface Release {
  readonly isOldest: boolean
  readonly isEarly: boolean
  readonly walksParents: boolean
  readonly marksNoEnds: boolean
  readonly sendsNotices: boolean
  readonly forgetsNotices: boolean
  readonly losesProgress: boolean
  readonly sendsOpenCalls: boolean
  readonly makesUpResults: boolean
  readonly writesCosts: boolean
  readonly thoughts: 'sent' | 'sent-unless-loaded' | 'dropped'
}

/** Whether an entry was written by 1.x or before: without boundaries, an automatic compaction can leave no trace. */
export const isOldest = (state: State, node: number): boolean => releaseOf(state, node).isOldest

/** Whether an entry was written by 1.x or 2.0.x: results are one line, and a resume loads the bare chain. */
export const isEarly = (state: State, node: number): boolean => releaseOf(state, node).isEarly

/** 2.1.0 to 2.1.7x hang each result on its own call, and walk parents alone when they load a file (2.1.81 does not). */
export const walksParents = (state: State, node: number): boolean => releaseOf(state, node).walksParents

/** Releases that leave no mark where a process ends (2.1.75 leaves one). */
export const marksNoEnds = (state: State, node: number): boolean => releaseOf(state, node).marksNoEnds

/** 2.0.46 and older send notices of failed requests on as the model's words (walks of 1.0.128 and 2.0.35); 2.0.47 does not. */
export const sendsNotices = (state: State, node: number): boolean => releaseOf(state, node).sendsNotices

/** Of these, 2.0.32 and newer send a notice only where they have loaded it from the file (walks of 2.0.35). */
export const forgetsNotices = (state: State, node: number): boolean => releaseOf(state, node).forgetsNotices

/** 2.1.8 writes progress rows into the chain, but does not load them: what stands above one is lost to the next process. */
export const losesProgress = (state: State, node: number): boolean => releaseOf(state, node).losesProgress

/** 1.0.27 and older send calls without results on (probes of 1.0.24 to 1.0.31); 1.0.30 leaves them out. */
export const sendsOpenCalls = (state: State, node: number): boolean => releaseOf(state, node).sendsOpenCalls

/** 2.1.20 and newer send a made-up result with a call whose result they have not loaded; 2.1.17 sends none. */
export const makesUpResults = (state: State, node: number): boolean => releaseOf(state, node).makesUpResults

/** Releases that write `cost-state` where a process ends: from 2.1.246 on. */
export const writesCosts = (state: State, node: number): boolean => releaseOf(state, node).writesCosts

/**
 * Messages of thinking only: 2.1.6 and older send them (walks of 2.1.3); 2.1.7 drops them when it loads a file, and 2.1.34 in every
 * request.
 */
export const thoughtsOf = (state: State, node: number): Release['thoughts'] => releaseOf(state, node).thoughts

function releaseOf(state: State, node: number): Release {
  const version = nameOf(state.versions, t.word(state.table.version, node))
  const known = releases.get(version)
  if (known !== undefined) return known
  const release = {
    isOldest: /^[01]\./.test(version),
    isEarly: /^[01]\.|^2\.0\./.test(version),
    walksParents: /^2\.1\.[1-7]?\d$/.test(version),
    marksNoEnds: /^[01]\.|^2\.0\.|^2\.1\.[1-6]?\d$/.test(version),
    sendsNotices: /^[01]\.|^2\.0\.([1-3]?\d|4[0-6])$/.test(version),
    forgetsNotices: /^2\.0\.(3[2-9]|4[0-6])$/.test(version),
    losesProgress: version === '2.1.8',
    sendsOpenCalls: /^0\.|^1\.0\.[12]?\d$/.test(version),
    makesUpResults: !/^[01]\.|^2\.0\.|^2\.1\.1?\d$/.test(version),
    writesCosts: !/^[01]\.|^2\.0\.|^2\.1\.(\d\d?|1\d\d|2[0-3]\d|24[0-5])$|^$/.test(version),
    thoughts: thoughtsBy(version),
  }
  releases.set(version, release)
  return release
}

function thoughtsBy(version: string): Release['thoughts'] {
  if (/^[01]\.|^2\.0\.|^2\.1\.[0-6]$/.test(version)) return 'sent'
  return /^2\.1\.([7-9]|[12]\d|3[0-3])$/.test(version) ? 'sent-unless-loaded' : 'dropped'
}

/** By version: asked for every message. */
const releases = new Map<string, Release>()
