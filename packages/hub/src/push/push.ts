/**
 * HU13 to HU15: one push: what is new in the sessions that may leave is searched, redacted, sent and committed. What was cut
 * off is sent again: nothing is lost, and nothing is stored twice.
 */
import { type FoundRoot, type Labels, NO_LABELS } from '@dagline/store'
import type { HubVersion, MachineName, NewVersion, Outcome, RawStore } from '../raw/model.js'
import { chainOf, NO_CHAIN } from '../raw/pack.js'
import type { Choice } from './choice.js'
import { type AllowedSession, chooseSessions, type HeldProject } from './choose.js'
import { draftSession, type Totalled, Totals } from './draft-session.js'
import { localSessions } from './files.js'
import { draftLabels, hashOf } from './labels.js'
import { createPacer } from './pacer.js'
import { type Draft, type Piece, piecesOf } from './prepare.js'
import { type SessionRedactor, sessionRedactors } from './redact.js'
import { type PieceSender, sendPieces } from './sender.js'
import type { PushState, SentFile } from './state.js'

/** What a push works with. */
export interface PushSetting {
  readonly store: RawStore
  readonly state: PushState
  readonly machine: MachineName
  readonly choice: Choice
  readonly roots: readonly FoundRoot[]
  /** HU80: the user's names, tags and notes; none unless given. */
  readonly labels?: Labels
  /** The clock; that of the machine unless given. */
  readonly now?: () => number
  readonly onProgress?: (progress: PushProgress) => void
  /** Ends the push after the file that is being read; what was sent stays. */
  readonly signal?: AbortSignal
}

/** The progress of a push, after each session. */
export interface PushProgress {
  readonly sessions: number
  readonly ofSessions: number
}

/** What was pushed, or would be: of the sessions that may leave, those with something new. */
export interface PushReport extends Totalled {
  /** Sessions that may leave. */
  readonly allowed: number
  /** Compressed bytes that were sent. */
  readonly sent: number
  /** HU80: names, tags and notes, where something of them is new; else none. */
  readonly labels: number
  /** Projects whose sessions stay. */
  readonly held: readonly HeldProject[]
}

/** Files of one commit, and bytes of it: what a push that is cut off sends again. */
const COMMIT_FILES = 100
const COMMIT_BYTES = 16 * 1024 * 1024
/** How often a file is tried again that another process pushed at the same time. */
const ATTEMPTS = 3

/** Pushes once. Throws `StoreError` where the hub or the state cannot do its work. */
export async function pushOnce(setting: PushSetting): Promise<PushReport> {
  const { roots, choice, state } = setting
  const { allowed, held } = chooseSessions(localSessions(roots), choice, state)
  const push = new Push(setting)
  if (allowed.length > 0) await push.begin()
  try {
    await push.sendAll(allowed)
    if (allowed.length > 0) await push.sendLabels(allowed)
  } finally {
    await push.end()
  }
  return { ...push.report(), allowed: allowed.length, held }
}

/** Looks at everything as a push does, and sends nothing. What the hub has is what this machine remembers. */
export async function tryPush({
  roots,
  choice,
  state,
  now = Date.now,
  onProgress,
  gone = new Set(),
  labels: given = NO_LABELS,
}: Omit<PushSetting, 'store' | 'machine'> & { readonly gone?: ReadonlySet<string> }): Promise<PushReport> {
  const { allowed: all, held } = chooseSessions(localSessions(roots), choice, state)
  const sent = state.files()
  const makeRedactor = sessionRedactors()
  const totals = new Totals()
  const allowed = withoutDeleted(all, gone, totals)
  const pace = createPacer()
  for (const [at, session] of allowed.entries()) {
    const { redactor, drafts } = await draftSession(session, { sent, makeRedactor, now, totals, pace })
    if (redactor !== null) for (const draft of drafts) for (const _ of quietly(draft, redactor, totals));
    totals.add(drafts, redactor)
    onProgress?.({ sessions: at + 1, ofSessions: allowed.length })
  }
  const { labels, hash, redactors } = draftLabels(given, allowed, { gone, makeRedactor })
  const isNew = labelsSent(state) !== hash
  if (isNew) for (const redactor of redactors) totals.add([], redactor)
  const counts = { sent: 0, labels: isNew ? labels.length : 0 }
  return { ...totals.report(), ...counts, allowed: allowed.length, held }
}

/** A hub that nothing was sent to has no names, tags and notes. */
function labelsSent(state: PushState): string {
  return state.labels() ?? NO_LABELS_HASH
}

const NO_LABELS_HASH = hashOf([])

/** The sessions that the hub takes. */
function withoutDeleted(
  sessions: readonly AllowedSession[],
  gone: ReadonlySet<string>,
  totals: Totals,
): readonly AllowedSession[] {
  return sessions.filter(({ session: { session } }) => {
    if (session === null || !gone.has(session)) return true
    totals.noteDeleted(session)
    return false
  })
}

function* quietly(draft: Draft, redactor: SessionRedactor, totals: Totals): Generator<Piece> {
  try {
    yield* piecesOf(draft, redactor)
  } catch (error) {
    totals.hold(draft.file.place, error)
  }
}

/** A file whose pieces are sent, or nearly. */
interface Ready {
  readonly draft: Draft
  readonly version: NewVersion
  readonly session: AllowedSession
}

class Push {
  private readonly setting: PushSetting
  private readonly sender: PieceSender
  private readonly makeRedactor = sessionRedactors()
  private readonly totals = new Totals()
  private readonly now: () => number
  private readonly pace = createPacer()
  private committing: Promise<void> = Promise.resolve()
  private sent = new Map<string, SentFile>()
  private gone: ReadonlySet<string> = new Set()
  private machine = 0
  private takesLabels = false
  private labels = 0
  private changes = 0
  private ready: Ready[] = []
  private waiting = 0
  private again: AllowedSession[] = []

  constructor(setting: PushSetting) {
    this.setting = setting
    this.sender = sendPieces(setting.store)
    this.now = setting.now ?? Date.now
  }

  /** What this machine remembers is valid as long as no other process has changed its files on the hub. */
  async begin(): Promise<void> {
    const { store, state, machine } = this.setting
    const { hub, machine: number, changes, gone, takesLabels } = await store.welcome(machine)
    this.takesLabels = takesLabels
    this.gone = new Set(gone)
    this.machine = number
    this.changes = changes
    const known = state.hub()
    if (known?.hub !== hub || known.changes !== changes) {
      const files = await store.files(number)
      state.transact(() => {
        const before = known?.hub === hub ? state.files() : new Map<string, SentFile>()
        state.clear()
        state.keep(files.map(file => remembered(file, before.get(file.place))))
        state.keepHub(hub, changes)
      })
    }
    this.sent = new Map(state.files())
  }

  async sendAll(sessions: readonly AllowedSession[]): Promise<void> {
    let left = withoutDeleted(sessions, this.gone, this.totals)
    for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
      this.again = []
      for (const [at, session] of left.entries()) {
        if (this.setting.signal?.aborted === true) break
        await this.send(session)
        if (attempt === 0) this.setting.onProgress?.({ sessions: at + 1, ofSessions: left.length })
      }
      await this.beginCommit({ hasMore: false })
      await this.committing
      left = [...new Set(this.again)]
    }
  }

  /** HU80: after the sessions, because a hub keeps no labels of sessions that it does not have. */
  async sendLabels(sessions: readonly AllowedSession[]): Promise<void> {
    const { store, state, labels: given = NO_LABELS } = this.setting
    const { gone, makeRedactor } = this
    const { labels, hash, redactors } = draftLabels(given, sessions, { gone, makeRedactor })
    if (!this.takesLabels || labelsSent(state) === hash) return
    const kept = await store.keepLabels(this.machine, labels)
    // Those of a session that was held back are sent again with the next push.
    if (kept === labels.length) state.keepLabels(hash)
    this.labels = labels.length
    for (const redactor of redactors) this.totals.add([], redactor)
  }

  private async send(session: AllowedSession): Promise<void> {
    const { sent, makeRedactor, now, totals, pace } = this
    const drafting = { sent, makeRedactor, now, totals, pace }
    const { redactor, drafts, unchanged } = await draftSession(session, drafting)
    if (unchanged.length > 0) this.noteUnchanged(unchanged)
    const isFull = this.ready.length >= COMMIT_FILES || this.waiting >= COMMIT_BYTES
    if (drafts.length > 0 && isFull) await this.beginCommit({ hasMore: true })
    const done: Draft[] = []
    for (const draft of drafts) {
      try {
        await this.sendFile(draft, redactor, session)
        done.push(draft)
      } catch (error) {
        totals.hold(draft.file.place, error)
      }
    }
    totals.add(done, redactor)
  }

  private noteUnchanged(drafts: readonly Draft[]): void {
    const files = drafts.flatMap(({ sent, stamp, secrets, file }) =>
      sent === null ? [] : [{ ...sent, place: file.place, stamp, secrets }],
    )
    this.remember(files)
  }

  private remember(files: readonly SentFile[]): void {
    const { state } = this.setting
    state.transact(() => state.keep(files))
    for (const file of files) this.sent.set(file.place, file)
  }

  private async sendFile(
    draft: Draft,
    redactor: SessionRedactor | null,
    session: AllowedSession,
  ): Promise<void> {
    const { sent, isGrown, file } = draft
    const hashes: Buffer[] = []
    const before = redactor?.counts() ?? {}
    let bytes = isGrown && sent !== null ? sent.bytes : 0
    for (const piece of piecesOf(draft, redactor)) {
      hashes.push(piece.hash)
      bytes += piece.bytes.length
      this.waiting += piece.bytes.length
      await this.sender.add(piece)
      await this.pace(piece.bytes.length)
    }
    const from = isGrown && sent !== null ? sent : null
    const { cwd, remotes } = session.origin
    const { place, folder, path, kind, session: id, mtime } = file
    const version: NewVersion = {
      ...{ place, folder, path, kind, session: id, remote: remotes?.[0] ?? null, cwd, mtime },
      base: from === null ? null : { number: from.number, chain: from.chain },
      isOther: sent !== null && !isGrown,
      hashes,
      bytes,
      chain: chainOf(from?.chain ?? NO_CHAIN, hashes),
      originalBytes: draft.to,
      originalSha256: draft.originalSha256,
      redacted: redactor === null ? null : added(redactor.counts(), before),
    }
    this.ready.push({ draft, version, session })
  }

  /** Commits what is ready while the next session is searched. One commit at a time is under way. */
  private async beginCommit(options: { readonly hasMore: boolean }): Promise<void> {
    await this.committing
    const { ready } = this
    this.ready = []
    this.waiting = 0
    if (ready.length === 0) return
    this.committing = this.commit(ready, options)
    // The next commit, or the end of the push, throws the failure.
    this.committing.catch(() => {})
  }

  /** Waits for the commit that is under way, before the state is closed. */
  async end(): Promise<void> {
    await this.committing.catch(() => {})
  }

  /** Commits files, once all pieces of them are there. */
  private async commit(ready: readonly Ready[], options: { readonly hasMore: boolean }): Promise<void> {
    const { store, state } = this.setting
    await this.sender.flush()
    const versions = ready.map(({ version }) => version)
    const { changes, results } = await store.commit(this.machine, versions, options)
    const kept: SentFile[] = []
    const dropped: string[] = []
    for (const [at, each] of ready.entries()) {
      const { outcome, version } = results[at] ?? { outcome: 'missing', version: null }
      const sent = this.outcomeOf(each, outcome, version)
      if (sent === null) dropped.push(each.version.place)
      else kept.push(sent)
    }
    state.transact(() => {
      state.keep(kept)
      state.drop(dropped)
      // If another process has changed files in between, the next push asks for all of them.
      const isAlone = changes === this.changes || changes === this.changes + 1
      const hub = state.hub()
      if (isAlone && hub !== null) state.keepHub(hub.hub, changes)
    })
    if (changes === this.changes + 1) this.changes = changes
    for (const file of kept) this.sent.set(file.place, file)
    for (const place of dropped) this.sent.delete(place)
  }

  /** What is remembered of a file after a commit; it is looked at again where the hub has another version. */
  private outcomeOf(
    { draft: { stamp, secrets }, version: { place }, session }: Ready,
    outcome: Outcome,
    version: HubVersion | null,
  ): SentFile | null {
    const isThere = outcome === 'stored' || outcome === 'same'
    if (isThere && version !== null) return { ...version, place, stamp, secrets }
    if (outcome === 'gone') this.totals.noteDeleted(session.session.session ?? place)
    else this.again.push(session)
    return version === null ? null : { ...version, place, stamp: '', secrets: null }
  }

  report(): Omit<PushReport, 'allowed' | 'held'> {
    return { ...this.totals.report(), sent: this.sender.sent(), labels: this.labels }
  }
}

/** A file as the hub says it has it; what this machine knows besides is kept where it is about the same bytes. */
function remembered(file: HubVersion & { readonly place: string }, known: SentFile | undefined): SentFile {
  const isSame = known?.number === file.number && known.chain.equals(file.chain) && known.bytes === file.bytes
  return isSame ? known : { ...file, stamp: '', secrets: null }
}

/** Counts that are more than before. */
function added(
  counts: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const more = Object.entries(counts).map(([kind, count]) => [kind, count - (before[kind] ?? 0)] as const)
  return Object.fromEntries(more.filter(([, count]) => count > 0))
}
