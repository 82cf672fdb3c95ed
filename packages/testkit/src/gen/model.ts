/**
 * The simulated world. A *process* is a running CLI: it has a conversation in memory (its *state*) and writes rows to
 * a *file*. A *node* is a chained entry it wrote. States are never changed, only replaced, so that a rewind is the
 * return to an older state. The *ledger* is the truth in the making.
 */
import type { Json } from '../base/json.js'
import type { Rng } from '../base/rng.js'
import type { Sink } from './sink.js'
import type { Style } from './styles.js'
import type { AgentTruth, QueueTruth } from './truth.js'

/** A chained entry as its writer remembers it. */
export interface Node {
  readonly uuid: string
  readonly parent: Node | null
  /** What came before in the conversation: the parent, or what a compaction summarised. Kept for `is_active` only. */
  readonly before: Node | null
  /** The row, kept only in worlds that copy rows. */
  readonly row: Json | null
  /** Number of the entry in its file. */
  readonly place: number
  children: number
  branch: Branch | null
}

/** An API message: the parts share its id. */
export interface ApiMessage {
  readonly id: string
  readonly requestId: string
  readonly output: number
  parts: number
}

/** What the process remembers of a node. */
export interface Item {
  readonly node: Node
  /** `other`: in the chain, but no message (attachments, system entries, progress). */
  readonly kind: 'user' | 'assistant' | 'other'
  readonly message: ApiMessage | null
  readonly calls: readonly string[]
  readonly answers: string | null
  readonly thinking: boolean
  /** A notice that a request failed: never sent, or from the next turn on. */
  readonly error: false | 'never' | 'later'
}

/** The conversation in memory, newest item first. */
export interface Memory {
  readonly item: Item
  readonly before: Memory | null
}

/** A real fork while it grows. */
export interface Branch {
  readonly session: string
  readonly at: string | null
  readonly heads: string[]
  readonly kind: 'rewind' | 'two-writers'
  readonly copied: boolean
  liveHead: string | null
}

/** The side taken at each fork on the way to a state, newest first. */
export interface Choice {
  readonly branch: Branch
  readonly head: string
  readonly before: Choice | null
}

/** Where a conversation stands. */
export interface Standing {
  readonly tip: Node | null
  readonly memory: Memory | null
  readonly choices: Choice | null
}

/** A place to which the user can go back. */
export interface RewindPoint {
  readonly before: Standing
  readonly head: Node
  /** The end of the answer before it, for `--resume-session-at`. */
  readonly answered: Standing | null
}

/** A process's memory: where it stands, and the ways back. */
export interface State extends Standing {
  readonly points: readonly RewindPoint[]
  readonly answered: Standing | null
}

/** An agent that a process plays. */
export interface Agent {
  /** Null for an inline agent, which has no id on disk. */
  readonly id: string | null
  readonly depth: number
  /** Key of the agent in the truth. */
  key: string
}

/** The end of a background agent, not yet told. */
interface Notice {
  readonly agent: string
  readonly toolUse: string
  readonly reply: string
}

/** A transcript file. */
export interface TranscriptFile {
  readonly path: string
  readonly session: string
  /** All nodes, kept only in worlds that copy whole files. */
  readonly nodes: Node[] | null
  /** Rows held back until the end, to be marked with `is_active`. */
  readonly marked: { readonly row: Json; readonly node: Node | null }[] | null
  entries: number
  /** The process that wrote the last chained row: its conversation is the live one. */
  owner: Process | null
  rootBranch: Branch | null
  /** A row that will stand behind the next one. */
  held: string | null
}

/** A running CLI. */
export interface Process {
  readonly world: World
  readonly style: Style
  readonly file: TranscriptFile
  readonly agent: Agent | null
  readonly headless: boolean
  readonly hooks: boolean
  state: State
  promptId: string
  notices: Notice[]
  /** It has compacted by hand before. */
  compacted: boolean
  /** It resumed a killed one and has not sent anything yet. */
  revived: boolean
}

/** The truth in the making. */
interface Ledger {
  readonly branches: Branch[]
  readonly parents: Set<string>
  readonly agents: Record<string, AgentTruth>
  readonly takenBack: string[]
  readonly retried: string[]
  readonly copies: Record<string, string>
  readonly queue: QueueTruth[]
  messages: number
  output: number
}

/** A sidecar or other small file written whole. */
interface SideFile {
  readonly path: string
  readonly text: string
}

/** Everything that one run of the generator knows. */
export interface World {
  readonly rng: Rng
  readonly sink: Sink
  readonly project: string
  readonly keepRows: boolean
  readonly keepFiles: boolean
  /** 2.0.64 leaves an empty file beside each resumed session. */
  readonly emptyFiles: boolean
  /** How often an agent's prompt stands behind the row of its answer (2.1.101). */
  readonly lateRoots: number
  /** How often an agent's row names a parent that was never written (2.0.64). */
  readonly unwritten: number
  /** Runs the agent that a call spawns; here, so that tools and agents need not import each other. */
  readonly runAgent: (p: Process, call: SpawnCall) => AgentRun
  readonly ledger: Ledger
  readonly metas: SideFile[]
  readonly files: TranscriptFile[]
  /** Epoch milliseconds of the last row. */
  clock: number
  texts: number
  entries: number
}

/** A call that starts an agent. */
export interface SpawnCall {
  readonly id: string
  readonly node: Node
  readonly spawn: Spawn
}

/** What a spawning call asks for. */
export interface Spawn {
  readonly name: string
  readonly prompt: string
  readonly background: boolean
}

/** How an agent ended. */
export interface AgentRun {
  readonly id: string | null
  readonly reply: string
}
