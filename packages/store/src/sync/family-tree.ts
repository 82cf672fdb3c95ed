/**
 * Which files are judged together. A family is closed: whatever ties files together lies within it, so its graph says
 * the same as that of the whole root. A change disturbs the families it touches; ties between them join them.
 */
import type { ParsedRow } from '@dagline/core'
import type { IndexStore, KnownFile } from '../db/index-store.js'
import { tiesOf } from '../db/link-keys.js'
import { byPath, Groups } from './groups.js'

/** Files that are judged together, and the families they were in. */
interface Disturbed {
  readonly files: readonly KnownFile[]
  readonly before: readonly number[]
}

/** Rows that are held until they are judged; beyond this they are unpacked again from the index. */
const MOST_HELD = 15_000

export class FamilyTree {
  private readonly index: IndexStore
  private readonly files: Map<number, KnownFile>
  private readonly members = new Map<number, Set<number>>()
  /** Files to be judged, with the entry from which on they are new and the keys that came with them. */
  private readonly open = new Map<number, { firstNew: number; readonly keys: Set<string> }>()
  /** The family that a file was in before this sync. */
  private readonly before = new Map<number, number>()
  /** Files whose reading has not ended: their families wait. */
  private readonly reading = new Set<number>()
  private readonly held = new Map<number, ParsedRow[]>()
  private heldRows = 0

  constructor(index: IndexStore, known: readonly KnownFile[]) {
    this.index = index
    this.files = new Map(known.map(file => [file.id, file]))
    for (const { id, family } of known) {
      if (family === null) this.mark(id, 0)
      else this.memberSet(family).add(id)
    }
    // A sync that ended early has kept no keys: they are found once more.
    for (const [id, { keys }] of this.open) {
      const facts = this.files.get(id)?.facts
      if (facts !== undefined) for (const key of tiesOf(facts, [...index.rowsOf(id)])) keys.add(key)
    }
  }

  private memberSet(family: number): Set<number> {
    const set = this.members.get(family) ?? new Set()
    this.members.set(family, set)
    return set
  }

  /** Something happened to a file: all of its family is to be judged again. */
  disturb(file: number): void {
    const family = this.files.get(file)?.family ?? null
    if (family === null) return
    this.index.release(family)
    const members = this.memberSet(family)
    this.members.delete(family)
    for (const member of members) {
      const known = this.files.get(member)
      if (known !== undefined) this.files.set(member, { ...known, family: null })
      this.before.set(member, family)
      // What it is tied to within the old family it stays tied to: they are joined by that, not by keys.
      this.mark(member, Number.POSITIVE_INFINITY)
    }
  }

  remove(file: number): void {
    this.files.delete(file)
    this.open.delete(file)
    // Its number may be given to another file.
    this.before.delete(file)
    this.drop(file)
  }

  update(file: KnownFile): void {
    this.files.set(file.id, file)
    this.mark(file.id, Number.POSITIVE_INFINITY)
  }

  /** A file is being read: entries from the nth on will be new, and may tie it to others. */
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

  /** Something new ties a file to others. */
  addKeys(file: number, keys: readonly string[]): void {
    const open = this.open.get(file)
    for (const key of keys) open?.keys.add(key)
  }

  /** Holds the rows of a file that is read from its start. */
  addRows(file: number, rows: readonly ParsedRow[]): void {
    const held = this.held.get(file) ?? []
    const isWhole = (held.at(-1)?.row ?? 0) === (rows[0]?.row ?? 0) - 1
    if (!isWhole || this.heldRows + rows.length > MOST_HELD) {
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

  /** The families to be judged, as they are now. */
  disturbed(): readonly Disturbed[] {
    const groups = new Groups()
    for (const [file, { firstNew, keys }] of [...this.open]) {
      if (this.reading.has(file)) continue
      groups.add(file)
      const family = this.before.get(file)
      if (family !== undefined) groups.join(file, -family)
      if (firstNew === Number.POSITIVE_INFINITY && keys.size === 0) continue
      for (const tied of this.index.tiedTo(file, firstNew, keys)) this.joinTied(groups, file, tied)
    }
    // Families that were drawn in have members that nothing else happened to.
    for (const [file] of this.open) {
      groups.add(file)
      const family = this.before.get(file)
      if (family !== undefined) groups.join(file, -family)
    }
    const ready = groups.lists().filter(group => !group.some(file => this.reading.has(file)))
    return ready.map(group => this.describe(group))
  }

  private joinTied(groups: Groups, file: number, tied: number): void {
    if (!this.files.has(tied)) return
    this.disturb(tied)
    groups.join(file, tied)
  }

  private describe(group: readonly number[]): Disturbed {
    const files = group.flatMap(id => this.files.get(id) ?? [])
    const before = group.flatMap(id => this.before.get(id) ?? [])
    return { files: files.sort(byPath), before: [...new Set(before)] }
  }

  /** They were judged together: a family, until something happens to one of them. */
  settle(files: readonly KnownFile[]): void {
    const family = Math.min(...files.map(({ id }) => id))
    for (const { id } of files) {
      const known = this.files.get(id)
      if (known !== undefined) this.files.set(id, { ...known, family })
      this.memberSet(family).add(id)
      this.open.delete(id)
      this.before.delete(id)
      this.drop(id)
    }
  }
}
