/**
 * Verdicts computed where the rows are. The thread that reads files builds their graphs meanwhile, and judges those that
 * link to each other, as far as it can see. The sync uses these verdicts where a file group consists of exactly these
 * files, and judges the group itself otherwise.
 */
import type { ParsedRow } from '@dagline/core'
import { unpackRows } from '@dagline/core/parse'
import type { Chunk, ReadingEnd, ReadJob } from '../db/facts.js'
import { wantedUuid } from '../db/link-keys.js'
import { byPath, DisjointSets } from './disjoint-sets.js'
import { type GroupFile, type GroupVerdict, judgeGroup, OpenGroup } from './judge.js'

/** Rows of a batch beyond which nothing is precomputed: their graph would need too much memory. */
const MAX_ROWS = 40_000

/** Rows of smaller files are held: there may be hundreds of them in a batch, and a graph needs more room than a few rows. */
const WORTH_GRAPH = 64 * 1024
/** Rows of a batch that are held as they are; those behind them are held packed, which takes a fifth of the memory. */
const MOST_HELD = 4000

/** The rows of a chunk; packed where there are many, and where they are in a graph already. */
type HeldRows = readonly ParsedRow[] | string

/** A file of a batch. */
interface OpenFile {
  readonly held: HeldRows[]
  /** The graph that its rows are added to. */
  readonly group: OpenGroup | null
  known: GroupFile | null
}

/**
 * Collects files that are read from their start one after the other, in the order of their paths, and judges them at the end.
 * The rows of a file go into the graph of the files that its first rows link it to, so that they need not be held. Where later
 * rows link files of two graphs, that of all of them is built from packed rows.
 */
export class Precomputation {
  private readonly files = new Map<number, OpenFile>()
  private readonly sets = new DisjointSets()
  /** The first file that has a link key. */
  private readonly firstWith = new Map<string, number>()
  /** The first file that contains an entry, or names it without containing it. */
  private readonly firstWithUuid = new Map<string, number>()
  private rowCount = 0
  private readonly worthGraph: number

  /** The rows of files with that many bytes go into graphs at once. */
  constructor(worthGraph: number = WORTH_GRAPH) {
    this.worthGraph = worthGraph
  }

  addChunk(job: ReadJob, chunk: Chunk, rows: readonly ParsedRow[]): void {
    const { file, from, facts } = job
    if (from !== null || this.rowCount > MAX_ROWS) return
    this.rowCount += rows.length
    if (this.rowCount > MAX_ROWS) {
      this.files.clear()
      this.firstWith.clear()
      this.firstWithUuid.clear()
      return
    }
    const linked = this.linkChunk(file, chunk)
    const { held, group } = this.files.get(file) ?? this.open(job, linked)
    held.push(group === null && this.rowCount <= MOST_HELD ? rows : chunk.rows)
    if (group !== null) for (const row of rows) group.addRow(facts, row)
  }

  /** Gives one of the files that it links this one to. */
  private linkChunk(file: number, { linkKeys, uuids }: Chunk): number | undefined {
    this.sets.add(file)
    let linked: number | undefined
    for (const key of linkKeys) {
      const uuid = wantedUuid(key)
      const first =
        uuid === null ? this.link(file, this.firstWith, key) : this.link(file, this.firstWithUuid, uuid)
      linked ??= first
    }
    for (const uuid of uuids) linked = this.link(file, this.firstWithUuid, uuid) ?? linked
    return linked
  }

  private link(file: number, firstWith: Map<string, number>, key: string): number | undefined {
    const first = firstWith.get(key)
    if (first === undefined) firstWith.set(key, file)
    else if (first !== file) this.sets.join(first, file)
    return first === file ? undefined : first
  }

  private open({ file, bytes }: ReadJob, linked: number | undefined): OpenFile {
    const known = linked === undefined ? undefined : this.files.get(linked)?.group
    const group = known ?? (bytes < this.worthGraph ? null : new OpenGroup())
    const open: OpenFile = { held: [], group, known: null }
    this.files.set(file, open)
    return open
  }

  /** A file is read. One that could not be read is not judged. */
  endFile({ file, path, project, facts, archive }: ReadJob, { state, bytes, diagnostics }: ReadingEnd): void {
    const open = this.files.get(file)
    if (open === undefined) return
    if (state !== null) {
      open.known = { id: file, path, project, facts, bytes, diagnostics, isArchived: archive !== null }
      open.group?.endFile(open.known)
    }
  }

  /** The verdict on each group of files. */
  *verdicts(): Generator<GroupVerdict> {
    for (const group of this.sets.lists()) {
      const members = group.flatMap(id => this.files.get(id) ?? [])
      const known = members.flatMap(member => member.known ?? [])
      if (known.length === group.length) yield judgeMembers(members, known.sort(byPath))
    }
  }
}

/** The verdict on files that were read, given with what is known of them, by path. */
function judgeMembers(members: readonly OpenFile[], known: readonly GroupFile[]): GroupVerdict {
  const group = members[0]?.group ?? null
  const isOne = group !== null && members.every(member => member.group === group)
  if (isOne && holdsExactly(group, known)) return group.judge()
  const held = new Map(members.map(member => [member.known, member.held]))
  return judgeGroup(known.map(file => ({ file, rows: rowsIn(held.get(file) ?? []) })))
}

function holdsExactly(group: OpenGroup, files: readonly GroupFile[]): boolean {
  const ended = group.files()
  return ended.length === files.length && ended.every((file, at) => file === files[at])
}

function* rowsIn(held: readonly HeldRows[]): Generator<ParsedRow> {
  for (const rows of held) yield* typeof rows === 'string' ? unpackRows(rows) : rows
}
