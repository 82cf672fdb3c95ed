/**
 * Verdicts computed where the rows are. The process that reads files has their rows in memory and judges those that
 * link to each other, as far as it can see. The sync uses these verdicts where a file group consists of exactly these
 * files, and judges the group itself otherwise.
 */
import type { ParsedRow } from '@dagline/core'
import { unpackRows } from '@dagline/core/parse'
import type { Chunk, ReadingEnd, ReadJob } from '../db/facts.js'
import { wantKey } from '../db/link-keys.js'
import { byPath, DisjointSets } from './disjoint-sets.js'
import { type GroupFile, type GroupVerdict, judgeGroup } from './judge.js'

/** Rows that are kept as they are; those behind them are kept packed, which takes a fifth of the memory. */
const MOST_HELD = 4000
/** Rows of a batch beyond which nothing is precomputed: their graph would need too much memory. */
const MAX_ROWS = 40_000

/** The rows of a chunk, packed or not. */
type HeldRows = readonly ParsedRow[] | string

/** Collects files that are read from their start, and judges them at the end. */
export class Precomputation {
  private readonly rows = new Map<number, HeldRows[]>()
  private readonly files = new Map<number, GroupFile>()
  private readonly sets = new DisjointSets()
  /** The first file that has a link key, or that contains the entry that the key names. */
  private readonly firstWith = new Map<string, number>()
  private rowCount = 0

  addChunk({ file, from }: ReadJob, chunk: Chunk, rows: readonly ParsedRow[]): void {
    if (from !== null || this.rowCount > MAX_ROWS) return
    this.rowCount += rows.length
    if (this.rowCount > MAX_ROWS) {
      this.rows.clear()
      this.firstWith.clear()
      return
    }
    const known = this.rows.get(file) ?? []
    this.rows.set(file, known)
    known.push(this.rowCount > MOST_HELD ? chunk.rows : rows)
    this.sets.add(file)
    for (const key of chunk.linkKeys) this.link(file, key)
    for (const uuid of chunk.uuids) this.link(file, wantKey(uuid))
  }

  private link(file: number, key: string): void {
    const first = this.firstWith.get(key)
    if (first === undefined) this.firstWith.set(key, file)
    else if (first !== file) this.sets.join(first, file)
  }

  /** A file is read. One that could not be read is not judged. */
  endFile({ file, path, project, facts, archive }: ReadJob, { state, bytes, diagnostics }: ReadingEnd): void {
    const isArchived = archive !== null
    if (state === null) this.rows.delete(file)
    else this.files.set(file, { id: file, path, project, facts, bytes, diagnostics, isArchived })
  }

  /** The verdict on each group of files. */
  *verdicts(): Generator<GroupVerdict> {
    for (const group of this.sets.lists()) {
      const members = group.flatMap(id => {
        const [file, rows] = [this.files.get(id), this.rows.get(id)]
        return file === undefined || rows === undefined ? [] : [{ file, rows: rowsIn(rows) }]
      })
      if (members.length === group.length) yield judgeGroup(members.sort((a, b) => byPath(a.file, b.file)))
    }
  }
}

function* rowsIn(held: readonly HeldRows[]): Generator<ParsedRow> {
  for (const rows of held) yield* typeof rows === 'string' ? unpackRows(rows) : rows
}
