/**
 * Verdicts computed where the rows are. The process that reads files has their rows in memory and judges those that
 * link to each other, as far as it can see. The sync uses these verdicts where a file group consists of exactly these
 * files, and judges the group itself otherwise.
 */
import type { ParsedRow } from '@dagline/core'
import type { Chunk, ReadingEnd, ReadJob } from '../db/facts.js'
import { wantKey } from '../db/link-keys.js'
import { byPath, DisjointSets } from './disjoint-sets.js'
import { type GroupFile, type GroupVerdict, judgeGroup } from './judge.js'

/** Rows that are kept in memory; beyond this nothing is precomputed. */
const MAX_ROWS = 15_000

/** Collects files that are read from their start, and judges them at the end. */
export class Precomputation {
  private readonly rows = new Map<number, ParsedRow[]>()
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
    for (const row of rows) known.push(row)
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
        return file === undefined || rows === undefined ? [] : [{ file, rows }]
      })
      if (members.length === group.length) yield judgeGroup(members.sort((a, b) => byPath(a.file, b.file)))
    }
  }
}
