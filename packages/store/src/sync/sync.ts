/**
 * Bringing the index up to date with a root.
 *
 *   discover -> plan -> read what is new -> find the families that it touches -> judge them
 *
 * A crash at any moment leaves a usable index: a file without a state is read again, a file without a family is judged
 * again. Everything else was committed together.
 */
import { type Diagnostic, type ParsedRow, packRows } from '@dagline/core'
import type { ReadingEnd, ReadJob, Stretch } from '../db/facts.js'
import type { FileDraft, IndexStore, KnownFile } from '../db/index-store.js'
import { tiesOf } from '../db/link-keys.js'
import type { FoundRoot } from '../files/discover.js'
import { FamilyTree } from './family-tree.js'
import { judgeFamily, type Opinion } from './judge.js'
import { listingOf, type PresentFile, planSteps, presentFiles, type Step } from './plan.js'
import { readFacts } from './read.js'

/** How far a sync is. */
export interface SyncProgress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

/** What a sync did. */
export interface SyncReport {
  readonly present: number
  readonly read: number
  readonly removed: number
  readonly rows: number
  readonly bytes: number
  readonly judged: number
  /** What could not be read. */
  readonly failed: readonly Diagnostic[]
}

/** Hears what a reading finds; `rows` is null where they were parsed in another process. */
export interface Sink {
  readonly stretch: (job: number, stretch: Stretch, rows: readonly ParsedRow[] | null) => void
  readonly end: (job: number, end: ReadingEnd) => void
  /** What is thought of files, before the last of them ends. */
  readonly opinion: (opinion: Opinion) => void
  /** Whether to stop before the next file. */
  readonly isStopped: () => boolean
}

/** Reads files, in this process or in others. The stretches of one file come in their order. */
export type Reader = (jobs: readonly ReadJob[], sink: Sink) => Promise<void>

export interface SyncOptions {
  readonly reader?: Reader
  readonly tell?: (progress: SyncProgress) => void
  /** Sessions of the root that are in the archive only. */
  readonly archived?: { readonly archive: string; readonly found: FoundRoot }

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
  const { archived } = options
  const kept = archived === undefined ? [] : presentFiles(archived.found, archived.archive)
  const present = [...presentFiles(found, null), ...kept]
  const none = { present: present.length, read: 0, removed: 0, rows: 0, bytes: 0, judged: 0, failed: [] }
  const listing = listingOf(present)
  if (index.listing(root) === listing) return none
  const known = index.files(root)
  const sync = new Sync(index, { root, known, listing, options })
  try {
    return { ...none, ...(await sync.run(planSteps(present, known))) }
  } catch (error) {
    index.rollback()
    throw error
  }
}

/** Reads in this process. */
export const readHere: Reader = async (jobs, sink) => {
  for (const [job, work] of jobs.entries()) {
    if (sink.isStopped()) return
    const end = readFacts(work, (stretch, rows) => sink.stretch(job, stretch, rows))
    sink.end(job, end)
    // Interrupts are heard between files.
    await new Promise(resolve => setImmediate(resolve))
  }
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

class Sync {
  private readonly index: IndexStore
  private readonly setting: Setting
  private readonly families: FamilyTree
  /** What readers think of families, by their files. */
  private readonly opinions = new Map<string, Opinion>()
  /** Files that are read, of projects that are not. */
  private ended: Open[] = []
  private sinceCommit = 0
  private readonly done = { read: 0, removed: 0, rows: 0, bytes: 0, judged: 0 }
  /** Files that could not be read, or not to their end, and why. */
  private unread = 0
  private readonly failed: Diagnostic[] = []

  constructor(index: IndexStore, setting: Setting) {
    this.index = index
    this.setting = setting
    this.families = new FamilyTree(index, setting.known)
  }

  async run(steps: readonly Step[]): Promise<Omit<SyncReport, 'present'>> {
    this.index.begin()
    this.index.keepListing(this.setting.root, null)
    for (const step of steps) this.prepare(step)
    const open = steps.flatMap(step => this.open(step))
    await this.readAll(open)
    this.judge()
    // What was said of files that are still to be read stays until they are.
    if (!this.isStopped()) this.index.sweep()
    // A file that could not be read is tried again, whether it changes or not.
    const isWhole = !this.isStopped() && this.unread === 0
    if (isWhole) this.index.keepListing(this.setting.root, this.setting.listing)
    this.index.commit()
    return { ...this.done, failed: this.failed }
  }

  /** What a change does to verdicts that were given. */
  private prepare(step: Step): void {
    if (step.kind === 'add') return
    this.families.disturb(step.known.id)
    if (step.kind === 'forget') {
      this.index.removeFile(step.known.id)
      this.families.remove(step.known.id)
      this.done.removed++
    }
    if (step.kind === 'describe')
      this.save(step.known.id, { ...step.known, ...described(step.now, step.known) })
  }

  /** The files to read, each with the job of reading it. */
  private open(step: Step): readonly { readonly file: Open; readonly job: ReadJob }[] {
    if (step.kind === 'forget' || step.kind === 'describe') return []
    const { now } = step
    if (step.kind === 'read-on' && step.known.state !== null) {
      const { offset, row, damage } = step.known.state
      const nodes = this.index.dropRows(step.known.id, row)
      const file = { id: step.known.id, now, isBare: row === 1 }
      this.families.beginReading(file.id, nodes)
      const from = { offset, row, nodes, damage }
      return [{ file, job: { ...jobOf(file), bytes: Math.max(0, now.bytes - offset), from } }]
    }
    const draft = draftOf(now)
    const id = step.kind === 'add' ? this.index.addFile(this.setting.root, draft) : step.known.id
    if (step.kind === 'read') this.index.dropRows(id, 0)
    this.save(id, draft)
    this.families.beginReading(id, 0)
    const file = { id, now, isBare: true }
    return [{ file, job: jobOf(file) }]
  }

  private save(id: number, draft: FileDraft): void {
    this.index.updateFile(id, draft)
    this.families.update({ ...draft, id, family: null })
  }

  /** Project by project, so that what belongs together is judged while its rows are at hand. */
  private async readAll(open: ReturnType<typeof this.open>): Promise<void> {
    const { reader = readHere, tell } = this.setting.options
    const totalBytes = open.reduce((sum, { job }) => sum + job.bytes, 0)
    const left = countBy(open.map(({ file }) => file.now.project))
    await reader(
      open.map(({ job }) => job),
      {
        stretch: (job, stretch, rows) => {
          const at = open[job]
          if (at !== undefined) this.addStretch(at.file, stretch, rows)
        },
        end: (job, end) => {
          const at = open[job]
          if (at === undefined) return
          this.endFile(at.file, end)
          const { project } = at.file.now
          left.set(project, (left.get(project) ?? 1) - 1)
          if (left.get(project) === 0) this.judge(project)
          this.done.bytes += at.job.bytes
          tell?.({ files: this.done.read, bytes: this.done.bytes, totalFiles: open.length, totalBytes })
          this.commitSometimes(at.job.bytes)
        },
        opinion: opinion => this.opinions.set(opinion.files.join(), opinion),
        isStopped: () => this.isStopped(),
      },
    )
  }

  private isStopped(): boolean {
    return this.setting.options.signal?.aborted === true
  }

  private addStretch(file: Open, stretch: Stretch, rows: readonly ParsedRow[] | null): void {
    this.index.addStretch(file.id, stretch)
    this.families.addKeys(file.id, stretch.ties)
    if (rows !== null) this.families.addRows(file.id, rows)
    file.isBare = false
    this.done.rows += stretch.count
    if (stretch.rows.length > this.commitEvery() / 8) this.commitSometimes(stretch.rows.length)
  }

  private endFile(file: Open, { state, bytes, diagnostics }: ReadingEnd): void {
    // What a file without rows belongs to is known by its name.
    if (file.isBare) this.addStretch(file, { ...NOTHING, ties: [...tiesOf(file.now.facts, [])] }, [])
    const { now } = file
    this.save(file.id, { ...draftOf(now), state, bytes: state === null ? now.bytes : bytes, diagnostics })
    this.ended.push(file)
    if (state === null) this.noteUnread(diagnostics)
    this.done.read++
  }

  private noteUnread(diagnostics: readonly Diagnostic[]): void {
    this.unread++
    this.failed.push(...diagnostics)
  }

  private commitEvery(): number {
    return this.setting.options.commitEvery ?? COMMIT_EVERY
  }

  private commitSometimes(bytes: number): void {
    this.sinceCommit += bytes
    if (this.sinceCommit < this.commitEvery()) return
    this.sinceCommit = 0
    this.index.commit()
    this.index.begin()
  }

  /** Judges every family that something happened to; while files are read, those of one project that is read. */
  private judge(project: string | null = null): void {
    const isReady = ({ now }: Open): boolean => project === null || now.project === project
    for (const { id } of this.ended.filter(isReady)) this.families.endReading(id)
    this.ended = this.ended.filter(file => !isReady(file))
    for (const { files, before } of this.families.disturbed()) {
      this.index.judge({ ...this.opinionOf(files), root: this.setting.root, before })
      this.families.settle(files)
      this.done.judged++
    }
  }

  private opinionOf(files: readonly KnownFile[]): Opinion {
    const key = files.map(({ id }) => id).join()
    const given = this.opinions.get(key)
    this.opinions.delete(key)
    return given ?? judgeFamily(files.map(file => ({ file, rows: this.families.rowsOf(file.id) })))
  }
}

const NOTHING: Stretch = {
  row: 1,
  firstNode: 0,
  count: 0,
  rows: packRows([]),
  uuids: [],
  calls: [],
  texts: [],
  messages: [],
  touched: [],
  ties: [],
}

function jobOf({ id, now }: Open): ReadJob {
  const { root, path, project, facts, archive, bytes } = now
  return { file: id, root, path, project, facts, archive, bytes, from: null }
}

function draftOf(now: PresentFile): FileDraft {
  const { path, project, facts, bytes, archive } = now
  return { path, project, facts, bytes, state: null, diagnostics: [], isArchived: archive !== null }
}

/** A file that is as it was, but for where it lies and what stands beside it. */
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
