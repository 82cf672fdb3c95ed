/** K1, K4, K6, K15: copies what is new in transcripts and sidecars into the archive. Originals are only read. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '@dagline/core'
import type { Database } from '../db/driver.js'
import type { FoundRoot, Project } from '../files/discover.js'
import { failureOf, notice, StoreError } from '../files/failures.js'
import { namedSession } from '../files/source.js'
import { BlockReader, BlockWriter } from './blocks.js'
import { erasuresIn, finishErasure, markedSessions } from './marks.js'
import { realRoot } from './only.js'
import { stampOf, type Taken, takeOriginal } from './original.js'
import {
  addRuns,
  addVersion,
  allKnown,
  DAMAGED,
  dropRuns,
  fileAt,
  type Known,
  lastVersion,
  noteFile,
  renewVersion,
  type VersionRecord,
  type Written,
} from './records.js'

/** The progress of archiving, after each batch. */
export interface KeepProgress {
  /** Files that are done, and all that have changed. */
  readonly files: number
  readonly ofFiles: number
  /** Their bytes, as discovery saw them. */
  readonly bytes: number
  readonly ofBytes: number
}

/** What was archived. */
export interface KeepResult {
  /** Files that were there. */
  readonly files: number
  /** Files that cost one stat. */
  readonly unchanged: number
  /** Files that were not known before. */
  readonly added: number
  readonly grown: number
  /** Files that were cut, rewritten or replaced: their earlier versions stay. */
  readonly replaced: number
  /** Files of forgotten sessions: they are not kept. */
  readonly forgotten: number
  /** Bytes of rows and sidecars that were stored, before they were packed. */
  readonly stored: number
  /** Bytes of files that were new, those included that were stored already. */
  readonly fresh: number
  /** What could not be read, and files that were rewritten while they were read: the next run takes them. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Options of archiving. */
export interface KeepOptions {
  /** The clock; that of the machine unless given. */
  readonly now?: () => number
  /** Bytes stored before they are committed. */
  readonly batch?: number
}

/** How often a batch is committed: it bounds what a killed run loses, and how long another writer waits. */
const BATCH = 16 * 1024 * 1024
const BATCH_MS = 1000

/** The resolution of a file system's clock: a file written less than this before it was read may change unnoticed. */
const COARSE_MS = 1000

/**
 * Brings the archive up to date with what discovery found, in batches that are each committed whole or not at
 * all. A caller that stops in between loses nothing: the next run continues. Throws `StoreError`.
 */
export function* keepFiles(
  db: Database,
  roots: readonly FoundRoot[],
  options: KeepOptions = {},
): Generator<KeepProgress, KeepResult> {
  const keeping = new Keeping(db, options.now ?? Date.now)
  const known = allKnown(db)
  const found = roots.flatMap(candidatesOf)
  const all = found.filter(file => !keeping.isForgotten(file))
  noteUpperRoots(db, known, all)
  const changed = all.filter(file => !isUnchanged(file, known.get(file.place)?.stamp))
  keeping.counts.files = found.length
  keeping.counts.forgotten = found.length - all.length
  keeping.counts.unchanged = all.length - changed.length
  keeping.progress.ofFiles = changed.length
  keeping.progress.ofBytes = changed.reduce((sum, { bytes }) => sum + bytes, 0)
  const work = keeping.keepAll(changed)
  try {
    for (let isDone = changed.length === 0; !isDone; ) {
      isDone = db.transact(() => keeping.runBatch(work, options.batch ?? BATCH))
      yield { ...keeping.progress }
    }
  } finally {
    work.return()
  }
  return { ...keeping.counts, diagnostics: keeping.diagnostics }
}

/** A file that may have to be kept. */
interface Candidate {
  readonly root: string
  readonly path: string
  readonly place: string
  readonly kind: string
  readonly session: string | null
  readonly bytes: number
  /** Whether it has rows. */
  readonly rows: boolean
}

function candidatesOf({ root: given, projects }: FoundRoot): Candidate[] {
  const root = realRoot(given)
  const make = (file: Pick<Candidate, 'path' | 'kind' | 'session' | 'bytes'>, rows: boolean): Candidate => {
    const { path, kind, session, bytes } = file
    return { root, path, place: join(root, path), kind, session, bytes, rows }
  }
  const ofProject = ({ files, sidecars, toolResults }: Project): Candidate[] => [
    ...files.map(file => make(file, true)),
    ...[...sidecars, ...toolResults].map(file => make(file, false)),
  ]
  return projects.flatMap(ofProject)
}

function isUnchanged({ place }: Candidate, stamp: string | undefined): boolean {
  if (stamp === undefined) return false
  try {
    return stampOf(statSync(place)) === stamp
  } catch {
    return false
  }
}

/** Files that were found under a lower folder before, and need no reading for that. */
function noteUpperRoots(db: Database, known: ReadonlyMap<string, Known>, files: readonly Candidate[]): void {
  const lower = files.filter(({ place, root }) => (known.get(place)?.root.length ?? 0) > root.length)
  if (lower.length === 0) return
  db.transact(() => {
    for (const file of lower) note(db, file)
  })
}

function note(db: Database, file: Candidate): number {
  return noteFile(db, { ...file, session: sessionOf(file) }, file.path)
}

/**
 * The session of a file. Older releases put agents beside sessions, under names that do not say whose they are: there
 * the rows say it. What is known about such an agent is in a sidecar beside it.
 */
function sessionOf(file: {
  readonly place: string
  readonly kind: string
  readonly session: string | null
}): string | null {
  if (file.session !== null || (file.kind !== 'agent' && file.kind !== 'meta')) return file.session
  try {
    return namedSession(file.place.replace(/\.meta\.json$/, '.jsonl'))
  } catch {
    return null
  }
}

class Keeping {
  readonly counts = {
    ...{ files: 0, unchanged: 0, added: 0, grown: 0, replaced: 0 },
    ...{ forgotten: 0, stored: 0, fresh: 0 },
  }
  readonly diagnostics: Diagnostic[] = []
  readonly progress = { files: 0, ofFiles: 0, bytes: 0, ofBytes: 0 }
  private readonly db: Database
  private readonly now: () => number
  private writer: BlockWriter
  private erasures: number
  private forgotten: ReadonlySet<string | null>

  constructor(db: Database, now: () => number) {
    this.db = db
    this.now = now
    this.writer = new BlockWriter(db, new BlockReader(db))
    const { count, isPending } = erasuresIn(db)
    this.erasures = count
    this.forgotten = forgottenIn(db)
    if (isPending) this.finishErasure()
  }

  /** Removes the traces that a killed or failed run of `forget` has left. New files are kept even where this fails. */
  private finishErasure(): void {
    try {
      finishErasure(this.db)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.diagnostics.push({ ...notice('store/erasure', this.db.path, TRACES), severity: 'warning' })
    }
  }

  isForgotten(file: Candidate): boolean {
    return this.forgotten.size > 0 && this.forgotten.has(sessionOf(file))
  }

  /** Another process may have forgotten sessions between two batches: what is in memory of blocks is not theirs then. */
  private noticeErasure(): void {
    const { count } = erasuresIn(this.db)
    if (count === this.erasures) return
    this.erasures = count
    this.forgotten = forgottenIn(this.db)
    this.writer = new BlockWriter(this.db, new BlockReader(this.db))
  }

  /** Works until a batch is full; true when there is nothing left to do. */
  runBatch(work: Generator<void, void>, most: number): boolean {
    const end = performance.now() + BATCH_MS
    this.noticeErasure()
    this.writer.begin()
    let isDone = false
    while (!isDone && this.writer.stored < most && performance.now() < end) {
      isDone = work.next().done === true
    }
    this.writer.flush()
    this.counts.stored += this.writer.stored
    return isDone
  }

  *keepAll(files: readonly Candidate[]): Generator<void, void> {
    for (const file of files) {
      try {
        yield* this.keep(file)
      } catch (error) {
        if (error instanceof StoreError) throw error
        this.diagnostics.push(failureOf(error, file.path, 'file'))
      }
      this.progress.files++
      this.progress.bytes += file.bytes
      yield
    }
  }

  private *keep(file: Candidate): Generator<void, void> {
    if (this.isForgotten(file)) return void this.counts.forgotten++
    const { erasures } = this
    const known = this.versionAt(file.place)
    const start = this.now()
    const taking = takeOriginal(file.place, {
      base: known,
      isBaseBad: known?.stamp === DAMAGED,
      rows: file.rows,
      store: piece => this.writer.put(piece),
    })
    let step = taking.next()
    for (; step.done !== true; step = taking.next()) {
      yield
      if (erasures === this.erasures) continue
      // Rows that were stored for it are in no version yet, so they were erased; or it is forgotten itself.
      taking.return(null)
      return yield* this.keep(file)
    }
    const taken = step.value
    // Another process may have kept the same file between two batches of ours; then its version is the base.
    if (taken === null || !isSame(known, this.versionAt(file.place))) {
      this.diagnostics.push(notice('store/rewritten', file.path, REWRITTEN))
    } else this.write(file, known, taken, start)
  }

  private versionAt(place: string): VersionRecord | null {
    const file = fileAt(this.db, place)
    return file === null ? null : lastVersion(this.db, file.id)
  }

  private write(file: Candidate, known: VersionRecord | null, taken: Taken, start: number): void {
    const id = note(this.db, file)
    const { stats, sha256, runs, isGrown } = taken
    const isSettled = [stats.mtimeMs, stats.ctimeMs].every(time => Math.abs(start - time) > COARSE_MS)
    const stamp = isSettled ? stampOf(stats) : UNSETTLED
    const written: Written = { bytes: stats.size, mtime: stats.mtimeMs, taken: start, sha256, stamp }
    if (known !== null && isGrown) {
      if (known.stamp === DAMAGED) dropRuns(this.db, known.id)
      renewVersion(this.db, known.id, written)
      addRuns(this.db, known.id, runs)
    } else addRuns(this.db, addVersion(this.db, id, written), runs)
    this.count(known, taken)
  }

  private count(known: VersionRecord | null, { stats, isGrown, runs }: Taken): void {
    const { counts } = this
    if (known === null) counts.added++
    else if (!isGrown) counts.replaced++
    else if (stats.size > known.bytes) counts.grown++
    counts.fresh += runs.reduce((sum, { length }) => sum + length, 0)
  }
}

/** The stamp of a file that was written so recently that its times may not show a further change. */
const UNSETTLED = 'unsettled'

function forgottenIn(db: Database): ReadonlySet<string | null> {
  return new Set(markedSessions(db, 'forgotten').map(({ session }) => session))
}

const TRACES =
  'Unused pages of the archive may still have bytes of forgotten sessions: it could not be written anew. Make room on the disk and run `dagline archive` again.'

const REWRITTEN = 'The file was rewritten while it was read; the next run of `dagline archive` takes it.'

function isSame(a: VersionRecord | null, b: VersionRecord | null): boolean {
  return a?.id === b?.id && a?.bytes === b?.bytes
}
