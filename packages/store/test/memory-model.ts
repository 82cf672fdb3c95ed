/** What the index in memory is made of. */
import type { Diagnostic, ParsedRow } from '@dagline/core'
import { recordsWithCarried } from '@dagline/core/parse'
import type { Chunk } from '../src/db/facts.js'
import type {
  AgentFact,
  BranchFact,
  KeptAnswer,
  KnownFile,
  KnownLine,
  QueueFact,
  RootAnswer,
  SessionFact,
} from '../src/db/index-store.js'
import { nodeId } from '../src/db/schema.js'

/** Rows of a file that were added together. */
interface MemoryChunk {
  readonly chunk: Chunk
  readonly rows: readonly ParsedRow[]
  /** The number of its first text. */
  readonly firstText: number
}

/** What was said of an entry. */
interface MemoryVerdict {
  readonly owner: number
  readonly line: KnownLine | null
  readonly live: boolean
  readonly compacted: number
}

/** A file with everything that is known of it. */
export interface MemoryFile {
  known: KnownFile
  readonly root: number
  chunks: MemoryChunk[]
  readonly linkKeys: Set<string>
  verdicts: MemoryVerdict[]
}

/** What was said of a group, beside its entries. */
export interface MemoryGroup {
  readonly root: number
  readonly sessions: readonly SessionFact[]
  readonly agents: readonly AgentFact[]
  readonly branches: readonly BranchFact[]
  readonly queue: readonly QueueFact[]
  readonly diagnostics: readonly Diagnostic[]
}

/** All that the index holds. */
export interface Memory {
  readonly roots: string[]
  readonly listings: Map<number, string | null>
  readonly files: Map<number, MemoryFile>
  readonly groups: Map<number, MemoryGroup>
  /** By group, kind and part. */
  readonly answers: Map<string, KeptAnswer>
  /** By root and kind. */
  readonly rootAnswers: Map<string, RootAnswer>
  isFilling: boolean
}

/** The uuids of a file's entries, in their order. */
export function uuidsOf({ chunks }: Pick<MemoryFile, 'chunks'>): readonly string[] {
  const records = chunks.flatMap(({ rows }) => rows).flatMap(recordsWithCarried)
  return records.flatMap(record => ('id' in record ? [record.id] : []))
}

/** The sessions that rows of a file name. */
export function sessionsNamed({ linkKeys }: Pick<MemoryFile, 'linkKeys'>): readonly string[] {
  return [...linkKeys].filter(key => key.startsWith('s ')).map(key => key.slice(2))
}

/** Whether the entry that a text stands in is owned here; a text outside of any entry always is. */
export function isOwned({ known, verdicts }: MemoryFile, nth: number): boolean {
  return (verdicts[nth]?.owner ?? nodeId(known.id, nth)) === nodeId(known.id, nth)
}
