/**
 * Judging where the rows are. Whoever reads files has their rows at hand, and judges those that belong together as far
 * as it can see. Whether they do is for the index to say: it takes such an opinion where the family is just these files.
 */
import type { ParsedRow } from '@dagline/core'
import type { ReadingEnd, ReadJob, Stretch } from '../db/facts.js'
import { wantKey } from '../db/link-keys.js'
import { byPath, Groups } from './groups.js'
import { type FamilyFile, judgeFamily, type Opinion } from './judge.js'

/** Rows that are held for it; of more there is no opinion. */
const MOST_HELD = 15_000

/** Files that are read from their start, one after another, and what they have in common. */
export class Opinions {
  private readonly rows = new Map<number, ParsedRow[]>()
  private readonly files = new Map<number, FamilyFile>()
  private readonly groups = new Groups()
  /** The first file that has a key, or writes what a key names. */
  private readonly firstWith = new Map<string, number>()
  private held = 0

  addStretch({ file, from }: ReadJob, stretch: Stretch, rows: readonly ParsedRow[]): void {
    if (from !== null || this.held > MOST_HELD) return
    this.held += rows.length
    if (this.held > MOST_HELD) {
      this.rows.clear()
      this.firstWith.clear()
      return
    }
    const held = this.rows.get(file) ?? []
    this.rows.set(file, held)
    for (const row of rows) held.push(row)
    this.groups.add(file)
    for (const key of stretch.ties) this.tie(file, key)
    for (const uuid of stretch.uuids) this.tie(file, wantKey(uuid))
  }

  private tie(file: number, key: string): void {
    const first = this.firstWith.get(key)
    if (first === undefined) this.firstWith.set(key, file)
    else if (first !== file) this.groups.join(first, file)
  }

  /** A file is read; one that could not be is none to have an opinion of. */
  endFile({ file, path, project, facts, archive }: ReadJob, { state, bytes, diagnostics }: ReadingEnd): void {
    if (state === null) this.rows.delete(file)
    else
      this.files.set(file, {
        id: file,
        path,
        project,
        facts,
        bytes,
        diagnostics,
        isArchived: archive !== null,
      })
  }

  /** What there is to say of each family. */
  *all(): Generator<Opinion> {
    for (const group of this.groups.lists()) {
      const members = group.flatMap(id => {
        const [file, rows] = [this.files.get(id), this.rows.get(id)]
        return file === undefined || rows === undefined ? [] : [{ file, rows }]
      })
      if (members.length === group.length) yield judgeFamily(members.sort((a, b) => byPath(a.file, b.file)))
    }
  }
}
