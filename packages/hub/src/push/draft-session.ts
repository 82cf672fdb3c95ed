/** HU14: what is to be sent of a session, and the counts of it: for a push, and for a trial that sends nothing. */
import { StoreError } from '@dagline/store'
import type { AllowedSession } from './choose.js'
import type { Pace } from './pacer.js'
import { changedFiles, type Draft, draftOf, HeldBack, learnUnchanged } from './prepare.js'
import type { SessionRedactor } from './redact.js'
import type { SentFile } from './state.js'

/** A file that stays on this machine although its session may leave. */
interface HeldFile {
  readonly place: string
  /** Ends a sentence: `one of its rows has ...`. */
  readonly reason: string
}

/** What was done with files. */
export interface Totalled {
  readonly sessions: number
  readonly files: number
  /** Bytes of files that are new on the hub. */
  readonly bytes: number
  /** How many secrets were replaced, by kind. */
  readonly redacted: Readonly<Record<string, number>>
  readonly heldFiles: readonly HeldFile[]
  /** Sessions of this machine that were deleted on the hub: they stay here, and are not taken there again (HU37). */
  readonly deleted: readonly string[]
}

/** What a push, or a trial of one, has done so far. */
export class Totals {
  private readonly heldFiles: HeldFile[] = []
  private readonly redacted = new Map<string, number>()
  private readonly deleted = new Set<string>()
  private sessions = 0
  private files = 0
  private bytes = 0

  add(drafts: readonly Draft[], redactor: SessionRedactor | null): void {
    if (drafts.length > 0) this.sessions++
    this.files += drafts.length
    this.bytes += drafts.reduce((sum, { from, to }) => sum + to - from, 0)
    for (const [kind, count] of Object.entries(redactor?.counts() ?? {}))
      this.redacted.set(kind, (this.redacted.get(kind) ?? 0) + count)
  }

  /** Notes why a file stays. Throws what is not about the file. */
  hold(place: string, error: unknown): void {
    this.heldFiles.push({ place, reason: reasonOf(error) })
  }

  noteDeleted(session: string): void {
    this.deleted.add(session)
  }

  report(): Totalled {
    const { sessions, files, bytes, heldFiles } = this
    const redacted = Object.fromEntries(this.redacted)
    return { sessions, files, bytes, redacted, heldFiles, deleted: [...this.deleted] }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof HeldBack) return error.message
  const code = error instanceof Error && !(error instanceof StoreError) && 'code' in error ? error.code : null
  if (typeof code !== 'string') throw error
  return `it could not be read (${code})`
}

/** What the files of a session are drafted with. */
interface Drafting {
  readonly sent: ReadonlyMap<string, SentFile>
  readonly makeRedactor: () => SessionRedactor
  readonly now: () => number
  readonly totals: Totals
  readonly pace: Pace
}

/** Searches a session, and says what of its files is to be sent. */
export async function draftSession(
  { session, isRedacted }: AllowedSession,
  { sent, makeRedactor, now, totals, pace }: Drafting,
): Promise<{ redactor: SessionRedactor | null; drafts: readonly Draft[]; unchanged: readonly Draft[] }> {
  const changed = changedFiles(session, sent)
  if (changed.length === 0) return { redactor: null, drafts: [], unchanged: [] }
  const redactor = isRedacted ? makeRedactor() : null
  const changing = new Set(changed.map(({ file }) => file))
  const tried = async <T>(place: string, work: () => Promise<T>): Promise<T[]> => {
    try {
      return [await work()]
    } catch (error) {
      totals.hold(place, error)
      return []
    }
  }
  if (redactor !== null)
    for (const file of session.files) {
      const known = sent.get(file.place)
      if (known !== undefined && !changing.has(file))
        await tried(file.place, () => learnUnchanged(file, known, { redactor, pace }))
    }
  const all: Draft[] = []
  for (const each of changed)
    all.push(...(await tried(each.file.place, () => draftOf(each, { redactor, now: now(), pace }))))
  const isNew = ({ from, to, isGrown, sent: known }: Draft): boolean =>
    to > from || (!isGrown && known !== null)
  return {
    redactor,
    drafts: all.filter(isNew),
    unchanged: all.filter(draft => !isNew(draft) && draft.isGrown),
  }
}
