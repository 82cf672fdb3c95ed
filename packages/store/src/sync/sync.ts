/**
 * I2, I6: bringing the index up to date with a root.
 *
 *   discover -> plan -> read what is new -> find the file groups that it changes -> judge them
 *
 * The newest sessions are read, judged and committed before the others (I9).
 *
 * A crash at any moment leaves a usable index: the next sync reads a file without a state again, and judges a file
 * without a group again. Everything else was committed together.
 */
import type { Diagnostic } from '@dagline/core'
import { LIST_PRICES, type Prices } from '@dagline/core/measure'
import { packRows } from '@dagline/core/parse'
import type { Chunk, ReadingEnd, ReadJob } from '../db/facts.js'
import type { FileDraft, IndexStore, KnownFile } from '../db/index-store.js'
import { linkKeysOf } from '../db/link-keys.js'
import { keepBuckets } from '../db/usage-buckets.js'
import type { FoundRoot } from '../files/discover.js'
import { readHere } from './batch.js'
import { type ArchivedPart, allPresent } from './behind.js'
import { FileGroups } from './file-groups.js'
import { type GroupVerdict, judgeGroup } from './judge.js'
import { listingOf, type PresentFile, planSteps, type Step } from './plan.js'
import { FIRST_STAGE, type FirstStage, inStages } from './stages.js'

/** The progress of a sync. */
export interface SyncProgress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
  /** I9: the newest sessions are in the index. */
  readonly hasNewest: boolean
}

/** What a sync did. */
export interface SyncReport {
  readonly present: number
  /** Files that were read; those that could not be are in `failed`. */
  readonly read: number
  readonly removed: number
  readonly rows: number
  readonly bytes: number
  readonly judged: number
  /** Files that were not read, because the sync was stopped. */
  readonly left: number
  /** What could not be read. */
  readonly failed: readonly Diagnostic[]
}

/** Receives what a reader finds. */
export interface ReadSink {
  /** How many of the jobs come before all others. */
  readonly first: number
  readonly chunk: (job: number, chunk: Chunk) => void
  readonly end: (job: number, end: ReadingEnd) => void
  /** A precomputed verdict on files, before the last of them ends. */
  readonly verdict: (verdict: GroupVerdict) => void
  /** Whether to stop before the next file. */
  readonly isStopped: () => boolean
}

/** Reads files, in this process or in others. The chunks of one file arrive in order. */
export type Reader = (jobs: readonly ReadJob[], sink: ReadSink) => Promise<void>

export interface SyncOptions {
  readonly reader?: Reader
  readonly onProgress?: (progress: SyncProgress) => void
  /** I9: the newest sessions are in the index, and others are still to be read. */
  readonly onNewest?: (bytesLeft: number) => void
  /** What counts as the newest sessions. */
  readonly newest?: FirstStage
  /** Sessions of the root that are in the archive only. */
  readonly archived?: ArchivedPart
  /** What the sums of usage are priced with; the list unless given. */
  readonly prices?: Prices

  /** Ends the sync after the file that is being read; what was done is kept. */
  readonly signal?: AbortSignal
  /** Bytes of transcripts after which what was done is committed; 64 MiB unless given. */
  readonly commitEvery?: number
}

const COMMIT_EVERY = 64 * 1024 * 1024

/** Brings the index up to date with what was found under a root. */
export async function syncRoot(
  index: IndexStore,
  found: FoundRoot,
  options: SyncOptions = {},
): Promise<SyncReport> {
  const root = index.rootId(found.root)
  const present = allPresent(found, options.archived)
  const nothing = { read: 0, removed: 0, rows: 0, bytes: 0, judged: 0, left: 0 }
  const none = { present: present.length, ...nothing, failed: [] }
  const listing = listingOf(present)
  if (index.listing(root) === listing) return none
  const known = index.files(root)
  const sync = new Sync(index, { root, known, listing, options })
  try {
    return { ...none, ...(await sync.run(planSteps(present, known, options.archived?.hasGrown))) }
  } catch (error) {
    index.rollback()
    throw error
  }
}

/** Whether an index is up to date with what was found under a root. */
export function isSynced(
  index: IndexStore,
  found: FoundRoot,
  options: Pick<SyncOptions, 'archived'> = {},
): boolean {
  const root = index.findRoot(found.root)
  return root !== null && index.listing(root) === listingOf(allPresent(found, options.archived))
}

interface Setting {
  readonly root: number
  readonly known: readonly KnownFile[]
  /** What is there now. */
  readonly listing: string
  readonly options: SyncOptions
}

/** A file that is being read. */
interface Open {
  readonly id: number
  readonly now: PresentFile
  /** No row of it is known. */
  isBare: boolean
}

/** A file with the job of reading it. */
interface OpenJob {
  readonly file: Open
  readonly job: ReadJob
}

class Sync {
  private readonly index: IndexStore
  private readonly setting: Setting
  private readonly groups: FileGroups
  /** Files that have only grown, and the groups that these are in. */
  private readonly grown = new Set<number>()
  private readonly growing = new Set<number>()
  /** Verdicts that readers computed, by the files of the group. */
  private readonly precomputed = new Map<string, GroupVerdict>()
  /** Files that are read, of projects that are not. */
  private ended: Open[] = []
  private sinceCommit = 0
  private readonly done = { read: 0, removed: 0, rows: 0, bytes: 0, judged: 0 }
  /** Files that could not be read, or not to their end, and why. */
  private readonly unread = { files: 0, bytes: 0 }
  private readonly failed: Diagnostic[] = []

  constructor(index: IndexStore, setting: Setting) {
    this.index = index
    this.setting = setting
    this.groups = new FileGroups(index, setting.root, setting.known)
  }

  async run(steps: readonly Step[]): Promise<Omit<SyncReport, 'present'>> {
    this.index.begin()
    this.index.keepListing(this.setting.root, null)
    for (const step of steps) this.prepare(step)
    const open = steps.flatMap(step => this.open(step))
    await this.readAll(open)
    this.judgeLast()
    // Verdicts on files that are still to be read stay until then.
    if (!this.isStopped()) {
      this.index.sweep()
      const { prices = LIST_PRICES } = this.setting.options
      keepBuckets(this.index, this.setting.root, { growing: this.growing, prices })
    }
    // A file that could not be read is tried again at the next sync, even if it does not change.
    const isWhole = !this.isStopped() && this.unread.files === 0
    if (isWhole) this.index.keepListing(this.setting.root, this.setting.listing)
    this.index.commit()
    const { files, bytes } = this.unread
    const done = { ...this.done, read: this.done.read - files, bytes: this.done.bytes - bytes }
    return { ...done, left: open.length - this.done.read, failed: this.failed }
  }

  /** Marks the verdicts that a change makes invalid. */
  private prepare(step: Step): void {
    if (step.kind === 'add') return
    this.groups.markChanged(step.known.id)
    if (step.kind === 'forget') {
      this.index.removeFile(step.known.id)
      this.groups.remove(step.known.id)
      this.done.removed++
    }
    if (step.kind === 'describe')
      this.save(step.known.id, { ...step.known, ...described(step.now, step.known) })
  }

  /** The files to read, each with the job of reading it. */
  private open(step: Step): readonly OpenJob[] {
    if (step.kind === 'forget' || step.kind === 'describe') return []
    const { now } = step
    if (step.kind === 'read-on' && step.known.state !== null) {
      const { offset, row, damage } = step.known.state
      const nodes = this.index.dropRows(step.known.id, row)
      const file = { id: step.known.id, now, isBare: row === 1 }
      this.grown.add(file.id)
      this.groups.beginReading(file.id, nodes)
      const from = { offset, row, nodes, damage }
      return [{ file, job: { ...jobOf(file), bytes: Math.max(0, now.bytes - offset), from } }]
    }
    const draft = draftOf(now)
    const id = step.kind === 'add' ? this.index.addFile(this.setting.root, draft) : step.known.id
    if (step.kind === 'read') {
      this.index.dropRows(id, 0)
      this.index.updateFile(id, draft)
    }
    this.groups.update({ ...draft, id, group: null })
    this.groups.beginReading(id, 0)
    const file = { id, now, isBare: true }
    return [{ file, job: jobOf(file) }]
  }

  private save(id: number, draft: FileDraft): void {
    this.index.updateFile(id, draft)
    this.groups.update({ ...draft, id, group: null })
  }

  /** Reads the newest sessions first. A group is judged when its project is read, while its rows are still in memory. */
  private async readAll(opened: readonly OpenJob[]): Promise<void> {
    const { reader = readHere, onProgress, newest = FIRST_STAGE } = this.setting.options
    const totalBytes = opened.reduce((sum, { job }) => sum + job.bytes, 0)
    const left = countBy(opened.map(({ file }) => file.now.project))
    const { first, rest } = inStages(opened, newest)
    const open = [...first, ...rest]
    let newestLeft = rest.length === 0 ? -1 : first.length
    await reader(
      open.map(({ job }) => job),
      {
        first: first.length,
        chunk: (job, chunk) => {
          const at = open[job]
          if (at !== undefined) this.addChunk(at.file, chunk)
        },
        end: (job, end) => {
          const at = open[job]
          if (at === undefined) return
          this.endFile(at, end)
          const { project } = at.file.now
          left.set(project, (left.get(project) ?? 1) - 1)
          if (this.groups.isFilling) this.takeVerdicts()
          else if (left.get(project) === 0) this.judge(file => file.now.project === project)
          this.done.bytes += at.job.bytes
          if (job < first.length && --newestLeft === 0) this.endNewest(totalBytes - this.done.bytes)
          const { read: files, bytes } = this.done
          onProgress?.({ files, bytes, totalFiles: open.length, totalBytes, hasNewest: newestLeft <= 0 })
          this.commitSometimes(at.job.bytes)
        },
        verdict: verdict => this.precomputed.set(verdict.files.join(), verdict),
        isStopped: () => this.isStopped(),
      },
    )
  }

  private isStopped(): boolean {
    return this.setting.options.signal?.aborted === true
  }

  private addChunk(file: Open, chunk: Chunk): void {
    this.index.addChunk(file.id, chunk)
    this.groups.addKeys(file.id, chunk.linkKeys)
    file.isBare = false
    this.done.rows += chunk.count
    if (chunk.rows.length > this.commitEvery() / 8) this.commitSometimes(chunk.rows.length)
  }

  private endFile({ file, job }: OpenJob, { state, bytes, diagnostics }: ReadingEnd): void {
    // A file without rows is linked by its name alone.
    if (file.isBare) this.addChunk(file, { ...NOTHING, linkKeys: [...linkKeysOf(file.now.facts, [])] })
    const { now } = file
    this.save(file.id, { ...draftOf(now), state, bytes: state === null ? now.bytes : bytes, diagnostics })
    this.ended.push(file)
    if (state === null) this.noteUnread(job, diagnostics)
    this.done.read++
  }

  private noteUnread({ bytes }: ReadJob, diagnostics: readonly Diagnostic[]): void {
    this.unread.files++
    this.unread.bytes += bytes
    this.failed.push(...diagnostics)
  }

  private commitEvery(): number {
    return this.setting.options.commitEvery ?? COMMIT_EVERY
  }

  private commitSometimes(bytes: number): void {
    this.sinceCommit += bytes
    if (this.sinceCommit >= this.commitEvery()) this.commitNow()
  }

  private commitNow(): void {
    this.sinceCommit = 0
    this.index.commit()
    this.index.begin()
  }

  /** What other files say of these sessions is known later: then their groups are judged again. */
  private endNewest(bytesLeft: number): void {
    this.judge()
    this.commitNow()
    this.setting.options.onNewest?.(bytesLeft)
  }

  /** Judges every group that has changed and whose files are read; of the files that were read only those that are ready. */
  private judge(isReady: (file: Open) => boolean = () => true, isLast = false): void {
    for (const { id } of this.ended.filter(isReady)) this.groups.endReading(id)
    this.ended = this.ended.filter(file => !isReady(file))
    for (const { files, before } of this.groups.changed(isLast)) this.store(this.verdictOn(files), before)
  }

  /** I10: a sync that was stopped leaves the index to be filled by the next one. */
  private judgeLast(): void {
    if (this.groups.isFilling && this.isStopped()) return
    if (this.groups.isFilling) this.index.endFilling()
    this.judge(() => true, true)
  }

  /** I10: takes verdicts as they are while the index is filled; links to files of other batches are found at the end. */
  private takeVerdicts(): void {
    for (const { id } of this.ended) this.groups.endReading(id)
    this.ended = []
    for (const [key, verdict] of this.precomputed) {
      if (!this.groups.areNew(verdict.files)) continue
      this.precomputed.delete(key)
      this.store(verdict, [])
    }
  }

  private store(verdict: GroupVerdict, before: readonly number[]): void {
    this.index.judge({ ...verdict, root: this.setting.root, before })
    this.groups.setJudged(verdict.files)
    if (verdict.files.some(file => this.grown.has(file))) this.growing.add(Math.min(...verdict.files))
    this.done.judged++
  }

  private verdictOn(files: readonly KnownFile[]): GroupVerdict {
    const key = files.map(({ id }) => id).join()
    const given = this.precomputed.get(key)
    this.precomputed.delete(key)
    return given ?? judgeGroup(files.map(file => ({ file, rows: this.index.rowsOf(file.id) })))
  }
}

const NOTHING: Chunk = {
  row: 1,
  firstNode: 0,
  count: 0,
  rows: packRows([]),
  uuids: [],
  calls: [],
  texts: [],
  messages: [],
  touched: [],
  linkKeys: [],
}

function jobOf({ id, now }: Open): ReadJob {
  const { root, path, project, facts, archive, bytes } = now
  return { file: id, root, path, project, facts, archive, bytes, from: null }
}

function draftOf(now: PresentFile): FileDraft {
  const { path, project, facts, bytes, archive } = now
  return { path, project, facts, bytes, state: null, diagnostics: [], isArchived: archive !== null }
}

/** What has changed of a file whose bytes have not: its path, its project, its sidecar. */
function described(now: PresentFile, known: KnownFile): Partial<FileDraft> {
  const { path, project, facts, mtime, archive } = now
  const state = known.state === null ? null : { ...known.state, mtime }
  const diagnostics = known.diagnostics.map(diagnostic => ({ ...diagnostic, file: facts.path }))
  return { path, project, facts, diagnostics, isArchived: archive !== null, state }
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
