/**
 * I3: file groups: files that are judged together. No link key leads out of a group, so its graph gives the same verdicts as
 * the graph of the whole root. A changed file has its group judged again; a new link between groups joins them.
 */
import type { IndexStore, KnownFile } from '../db/index-store.js'
import { linkKeysOf } from '../db/link-keys.js'
import { byPath, DisjointSets } from './disjoint-sets.js'

/** Files to judge together, and the groups they were in before. */
interface ChangedGroup {
  readonly files: readonly KnownFile[]
  readonly before: readonly number[]
}

/** A file to be judged. */
interface OpenFile {
  /** Its first new entry. */
  firstNew: number
  /** Its new link keys. */
  readonly keys: Set<string>
  /** Other files that it links to; null until they are looked up, once. */
  links: readonly number[] | null
}

export class FileGroups {
  private readonly index: IndexStore
  private readonly root: number
  /** I10: links are not looked up file by file, but all of them at the end. */
  readonly isFilling: boolean
  private readonly files: Map<number, KnownFile>
  private readonly members = new Map<number, Set<number>>()
  private readonly open = new Map<number, OpenFile>()
  /** The group that a file was in before this sync. */
  private readonly before = new Map<number, number>()
  /** Files that are being read: their groups wait. */
  private readonly reading = new Set<number>()
  /** Groups that were judged in this sync. */
  private readonly judged = new Set<number>()

  constructor(index: IndexStore, root: number, known: readonly KnownFile[]) {
    this.index = index
    this.root = root
    this.isFilling = index.isFilling()
    this.files = new Map(known.map(file => [file.id, file]))
    for (const { id, group } of known) {
      if (group === null) this.mark(id, 0)
      else this.memberSet(group).add(id)
    }
    if (!this.isFilling) this.computeKeys()
  }

  /** A sync that ended early has stored no new keys: they are computed again. */
  private computeKeys(): void {
    for (const [id, { keys }] of this.open) {
      const facts = this.files.get(id)?.facts
      if (facts !== undefined) for (const key of linkKeysOf(facts, [...this.index.rowsOf(id)])) keys.add(key)
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
    if (known === undefined) this.open.set(file, { firstNew: nth, keys: new Set(), links: null })
    else known.firstNew = Math.min(known.firstNew, nth)
  }

  /** Adds new link keys of a file. */
  addKeys(file: number, keys: readonly string[]): void {
    if (this.isFilling) return
    const open = this.open.get(file)
    for (const key of keys) open?.keys.add(key)
  }

  /** Whether files can be judged now, as far as they themselves are concerned: all are read, and new. */
  areNew(files: readonly number[]): boolean {
    return files.every(file => this.open.has(file) && !this.reading.has(file) && !this.before.has(file))
  }

  /**
   * The groups to judge. Groups with files that are still being read are left out, and until the last time those that
   * join one that this sync has judged already: they may grow with every file that is still to be read.
   */
  changed(isLast: boolean): readonly ChangedGroup[] {
    if (this.isFilling && !isLast) return []
    const sets = this.isFilling ? this.linkAll() : this.linkChanged()
    const ready = sets.lists().filter(group => this.isReady(group, isLast))
    for (const file of ready.flat()) this.markChanged(file)
    return ready.map(group => this.describe(group))
  }

  private isReady(group: readonly number[], isLast: boolean): boolean {
    if (group.some(file => this.reading.has(file))) return false
    const groups = new Set(group.map(file => this.files.get(file)?.group ?? null))
    if (isLast) return groups.size > 1 || groups.has(null)
    return [...groups].every(known => known === null || !this.judged.has(known))
  }

  /** Joins the files of the root by everything that links them. */
  private linkAll(): DisjointSets {
    const sets = new DisjointSets()
    for (const file of this.files.keys()) this.addWithGroup(sets, file)
    for (const [file, linked] of this.index.links(this.root)) sets.join(file, linked)
    return sets
  }

  /** Joins the changed files with those that they link to, and with the groups of both. */
  private linkChanged(): DisjointSets {
    const sets = new DisjointSets()
    const joined = new Set<number>()
    for (const [file, open] of this.open) {
      if (this.reading.has(file) && !this.before.has(file)) continue
      this.addWithGroup(sets, file)
      if (this.reading.has(file)) continue
      open.links ??= this.linksOf(file, open)
      for (const linked of open.links) {
        sets.join(file, linked)
        const group = this.files.get(linked)?.group ?? null
        if (group !== null && !joined.has(group))
          for (const member of this.memberSet(group)) this.addWithGroup(sets, member)
        if (group !== null) joined.add(group)
      }
    }
    return sets
  }

  private linksOf(file: number, { firstNew, keys }: OpenFile): readonly number[] {
    if (firstNew === Number.POSITIVE_INFINITY && keys.size === 0) return []
    return this.index.linkedTo(file, firstNew, keys).filter(linked => this.files.has(linked))
  }

  /** Adds a file to the set of its group, the one that it is in or the one that it was in before. */
  private addWithGroup(sets: DisjointSets, file: number): void {
    sets.add(file)
    const group = this.files.get(file)?.group ?? this.before.get(file)
    if (group !== undefined) sets.join(file, -group)
  }

  private describe(group: readonly number[]): ChangedGroup {
    const files = group.flatMap(id => this.files.get(id) ?? [])
    const before = group.flatMap(id => this.before.get(id) ?? [])
    return { files: files.sort(byPath), before: [...new Set(before)] }
  }

  /** The files were judged together and are one group now. */
  setJudged(files: readonly number[]): void {
    const group = Math.min(...files)
    this.judged.add(group)
    for (const id of files) {
      const known = this.files.get(id)
      if (known !== undefined) this.files.set(id, { ...known, group })
      this.memberSet(group).add(id)
      this.open.delete(id)
      this.before.delete(id)
    }
  }
}
