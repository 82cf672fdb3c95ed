/**
 * I3: file groups: files that are judged together. No link key leads out of a group, so its graph gives the same verdicts as
 * the graph of the whole root. A changed file has its group judged again; a new link between groups joins them.
 */
import type { ParsedRow } from '@dagline/core'
import type { IndexStore, KnownFile } from '../db/index-store.js'
import { linkKeysOf } from '../db/link-keys.js'
import { byPath, DisjointSets } from './disjoint-sets.js'

/** Files to judge together, and the groups they were in before. */
interface ChangedGroup {
  readonly files: readonly KnownFile[]
  readonly before: readonly number[]
}

/** Rows that are kept in memory until they are judged; further ones are unpacked from the index again. */
const MAX_ROWS = 15_000

export class FileGroups {
  private readonly index: IndexStore
  private readonly files: Map<number, KnownFile>
  private readonly members = new Map<number, Set<number>>()
  /** Files to be judged, with their first new entry and their new link keys. */
  private readonly open = new Map<number, { firstNew: number; readonly keys: Set<string> }>()
  /** The group that a file was in before this sync. */
  private readonly before = new Map<number, number>()
  /** Files that are being read: their groups wait. */
  private readonly reading = new Set<number>()
  private readonly held = new Map<number, ParsedRow[]>()
  private heldRows = 0

  constructor(index: IndexStore, known: readonly KnownFile[]) {
    this.index = index
    this.files = new Map(known.map(file => [file.id, file]))
    for (const { id, group } of known) {
      if (group === null) this.mark(id, 0)
      else this.memberSet(group).add(id)
    }
    // A sync that ended early has stored no new keys: they are computed again.
    for (const [id, { keys }] of this.open) {
      const facts = this.files.get(id)?.facts
      if (facts !== undefined) for (const key of linkKeysOf(facts, [...index.rowsOf(id)])) keys.add(key)
    }
  }

  private memberSet(group: number): Set<number> {
    const set = this.members.get(group) ?? new Set()
    this.members.set(group, set)
    return set
  }

  /** A file has changed: its whole group is judged again. */
  markChanged(file: number): void {
    const group = this.files.get(file)?.group ?? null
    if (group === null) return
    this.index.release(group)
    const members = this.memberSet(group)
    this.members.delete(group)
    for (const member of members) {
      const known = this.files.get(member)
      if (known !== undefined) this.files.set(member, { ...known, group: null })
      this.before.set(member, group)
      // Members of the old group are joined by that group, so their keys are not needed.
      this.mark(member, Number.POSITIVE_INFINITY)
    }
  }

  remove(file: number): void {
    this.files.delete(file)
    this.open.delete(file)
    // The number may be used for another file.
    this.before.delete(file)
    this.drop(file)
  }

  update(file: KnownFile): void {
    this.files.set(file.id, file)
    this.mark(file.id, Number.POSITIVE_INFINITY)
  }

  /** A file is being read: its entries from the nth on are new and may link it to other files. */
  beginReading(file: number, nth: number): void {
    this.mark(file, nth)
    this.reading.add(file)
  }

  endReading(file: number): void {
    this.reading.delete(file)
  }

  private mark(file: number, nth: number): void {
    const known = this.open.get(file)
    if (known === undefined) this.open.set(file, { firstNew: nth, keys: new Set() })
    else known.firstNew = Math.min(known.firstNew, nth)
  }

  /** Adds new link keys of a file. */
  addKeys(file: number, keys: readonly string[]): void {
    const open = this.open.get(file)
    for (const key of keys) open?.keys.add(key)
  }

  /** Keeps the rows of a file that is read from its start. */
  addRows(file: number, rows: readonly ParsedRow[]): void {
    const held = this.held.get(file) ?? []
    const isWhole = (held.at(-1)?.row ?? 0) === (rows[0]?.row ?? 0) - 1
    if (!isWhole || this.heldRows + rows.length > MAX_ROWS) {
      this.drop(file)
      return
    }
    for (const row of rows) held.push(row)
    this.held.set(file, held)
    this.heldRows += rows.length
  }

  private drop(file: number): void {
    this.heldRows -= this.held.get(file)?.length ?? 0
    this.held.delete(file)
  }

  rowsOf(file: number): Iterable<ParsedRow> {
    return this.held.get(file) ?? this.index.rowsOf(file)
  }

  /** The groups to judge. Groups with files that are still being read are left out. */
  changed(): readonly ChangedGroup[] {
    const sets = new DisjointSets()
    for (const [file, { firstNew, keys }] of [...this.open]) {
      if (this.reading.has(file)) continue
      sets.add(file)
      const group = this.before.get(file)
      if (group !== undefined) sets.join(file, -group)
      if (firstNew === Number.POSITIVE_INFINITY && keys.size === 0) continue
      for (const linked of this.index.linkedTo(file, firstNew, keys)) this.joinLinked(sets, file, linked)
    }
    // Groups that were joined have members that have not changed themselves.
    for (const [file] of this.open) {
      sets.add(file)
      const group = this.before.get(file)
      if (group !== undefined) sets.join(file, -group)
    }
    const ready = sets.lists().filter(group => !group.some(file => this.reading.has(file)))
    return ready.map(group => this.describe(group))
  }

  private joinLinked(sets: DisjointSets, file: number, linked: number): void {
    if (!this.files.has(linked)) return
    this.markChanged(linked)
    sets.join(file, linked)
  }

  private describe(group: readonly number[]): ChangedGroup {
    const files = group.flatMap(id => this.files.get(id) ?? [])
    const before = group.flatMap(id => this.before.get(id) ?? [])
    return { files: files.sort(byPath), before: [...new Set(before)] }
  }

  /** The files were judged together and are one group now. */
  setJudged(files: readonly KnownFile[]): void {
    const group = Math.min(...files.map(({ id }) => id))
    for (const { id } of files) {
      const known = this.files.get(id)
      if (known !== undefined) this.files.set(id, { ...known, group })
      this.memberSet(group).add(id)
      this.open.delete(id)
      this.before.delete(id)
      this.drop(id)
    }
  }
}
