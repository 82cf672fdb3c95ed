/** A client as a command uses it: from settings and options to pushes. */
import { userInfo } from 'node:os'
import { UserError, watchFolders } from '@dagline/app'
import { isLoopback } from '@dagline/core/platform'
import { defaultRoots, discover, type FoundRoot, type Labels, readLabels, StoreError } from '@dagline/store'
import { createEvent } from '../model/event.js'
import type { HubFile, RawStore, VersionFilter } from '../raw/model.js'
import type { Choice } from './choice.js'
import type { HeldProject } from './choose.js'
import { openDirectStore } from './direct.js'
import { type FetchedFile, fetchFiles } from './fetch.js'
import { openHttpStore } from './http-store.js'
import { hubToken, statePath, thisMachine } from './machine.js'
import { type PushProgress, type PushReport, pushOnce, tryPush } from './push.js'
import { openPushState } from './state.js'

/** What a user gives: the rest is in the settings. */
interface PushTarget {
  /** The hub; the one of the settings where it is null. */
  readonly url: string | null
  /** For a database: the names of the team and of the person. */
  readonly team: string | null
  readonly person: string | null
  /** Projects roots instead of the default ones; empty for the default. */
  readonly roots: readonly string[]
}

/** A client of a hub. */
interface Pushing {
  /** What would be pushed. Nothing is sent, and the hub is not asked. */
  readonly dryRun: () => Promise<PushReport>
  readonly push: (onProgress?: (progress: PushProgress) => void) => Promise<PushReport>
  /** Pushes whenever something has changed, until the signal aborts. A failure is reported once, and tried again. */
  readonly watch: (watching: Watching) => Promise<void>
  readonly status: () => Promise<PushStatus>
  /** Writes files of the person into a folder, one after another, as they were pushed. */
  readonly fetch: (folder: string, filter: VersionFilter) => AsyncGenerator<FetchedFile>
  readonly close: () => Promise<void>
}

interface Watching {
  readonly onPush: (report: PushReport) => Promise<void>
  readonly onFailure: (message: string) => void
  readonly signal?: AbortSignal
}

/** What the hub has of this machine, and what it has not. */
export interface PushStatus {
  readonly hub: string
  readonly machine: string
  /** What the hub has of this machine. */
  readonly files: number
  readonly sessions: number
  readonly bytes: number
  /** What a push would send. */
  readonly waiting: Pick<PushReport, 'files' | 'sessions' | 'bytes'>
  readonly held: readonly HeldProject[]
  readonly heldFiles: PushReport['heldFiles']
  readonly deleted: PushReport['deleted']
}

/** Whether an address is that of a database: pushes then go straight there. */
export function isDatabase(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url)
}

/** The hub that was given, else the one of the variable or the setting; null where there is none. */
export function findHub(given: string | null): string | null {
  const url = given ?? (process.env['DAGLINE_HUB'] || null)
  if (url !== null) checkAddress(url)
  return url
}

/** The hub to ask, as `findHub` knows it. Throws `UserError` where there is none. */
export function hubAddress(given: string | null): string {
  const url = findHub(given)
  if (url === null)
    throw new UserError(
      'No hub is set. Run `dagline hub connect URL`, or give one with --hub.',
      'unavailable',
    )
  return url
}

/** The name of the user in a database: the given one, else that of the account. */
export function hubPerson(given: string | null): string {
  return given ?? userInfo().username
}

/** Opens a client. Nothing is sent yet. Throws `UserError` for an address that cannot be used. */
export function openPushing(target: PushTarget): Pushing {
  const url = findHub(target.url)
  const state = openPushState(statePath(url ?? ''))
  const choice = chosen()
  const roots = (): readonly FoundRoot[] => discover(target.roots.length > 0 ? target.roots : defaultRoots())
  const labels = (): Labels => readLabels().labels
  let opened: Promise<Opened> | null = null
  const open = (): Promise<Opened> => {
    opened ??= openStore(hubAddress(url), target)
    return opened
  }
  const machine = thisMachine()
  const push = async (onProgress?: (progress: PushProgress) => void): Promise<PushReport> => {
    const found = roots()
    // Where nothing may leave, no connection is made.
    const { store } = choice.allow.length === 0 ? { store: noStore() } : await open()
    return await pushOnce({
      ...{ store, state, machine, choice, roots: found, labels: labels() },
      ...(onProgress === undefined ? {} : { onProgress }),
    })
  }
  return {
    dryRun: () => tryPush({ roots: roots(), choice, state, labels: labels() }),
    push,
    watch: watching => watchAndPush(push, target, watching),
    status: async () => {
      const { store } = await open()
      const { machine: number, gone } = await store.welcome(machine)
      const files = await store.files(number)
      const trial = await tryPush({
        ...{ roots: roots(), choice, state, labels: labels() },
        gone: new Set(gone),
      })
      return {
        hub: shownAddress(url ?? ''),
        machine: machine.name,
        ...onHub(files),
        waiting: trial,
        ...heldIn(trial),
      }
    },
    fetch: async function* (folder, filter) {
      yield* fetchFiles((await open()).store, folder, filter)
    },
    close: async () => {
      state.close()
      await (await opened)?.close()
    },
  }
}

/** A store that is never asked. */
function noStore(): RawStore {
  const refuse = (): never => {
    throw new RangeError('nothing may leave')
  }
  return {
    ...{ welcome: refuse, files: refuse, missing: refuse, put: refuse, commit: refuse },
    ...{ versions: refuse, read: refuse, keepLabels: refuse },
  }
}

function heldIn({
  held,
  heldFiles,
  deleted,
}: PushReport): Pick<PushStatus, 'held' | 'heldFiles' | 'deleted'> {
  return { held, heldFiles, deleted }
}

function onHub(files: readonly HubFile[]): Pick<PushStatus, 'files' | 'sessions' | 'bytes'> {
  return {
    files: files.length,
    sessions: files.filter(({ place }) => /[\\/][0-9a-f-]{36}\.jsonl$/.test(place)).length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

interface Opened {
  readonly store: RawStore
  readonly close: () => Promise<void>
}

async function openStore(url: string, { team, person }: PushTarget): Promise<Opened> {
  if (!isDatabase(url)) return { store: openHttpStore({ url, token: hubToken(url) }), close: async () => {} }
  return await openDirectStore(url, { team: team ?? 'default', person: hubPerson(person) })
}

/** An address without the password in it. */
export function shownAddress(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//').replace(/([?&]password=)[^&]*/, '$1***')
}

/** Transcripts are never sent unencrypted to another machine. */
export function checkAddress(url: string): void {
  if (isDatabase(url) && !URL.canParse(url))
    throw new UserError(
      `${shownAddress(url)} is not the address of a database. Give one as postgres://user@host/database, or postgres:///database?host=FOLDER.`,
    )
  if (isDatabase(url)) return
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isWeb = parsed !== null && /^https?:$/.test(parsed.protocol)
  if (!isWeb)
    throw new UserError(`${url} is not the address of a hub. Give one as https://... or postgres://....`)
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw new UserError(`${url} would send transcripts unencrypted. Give the address with https://.`)
}

/** The choice of projects in the settings. */
function chosen(): Choice {
  const list = (name: string): readonly string[] =>
    (process.env[name] ?? '').split(',').filter(pattern => pattern !== '')
  return {
    allow: list('DAGLINE_PUSH'),
    deny: list('DAGLINE_PUSH_DENY'),
    plain: list('DAGLINE_PUSH_PLAIN'),
  }
}

/** Milliseconds before a push that failed is tried again; then twice as long. */
const TRY_AGAIN = 1000
const LONGEST_PAUSE = 60_000

async function watchAndPush(
  push: () => Promise<PushReport>,
  { roots }: PushTarget,
  { onPush, onFailure, signal }: Watching,
): Promise<void> {
  const changed = createEvent(signal)
  const folders = roots.length > 0 ? roots : defaultRoots()
  const watching = watchFolders(folders, changed.set)
  // The watcher does not keep the process alive; this timer does.
  const alive = setInterval(() => {}, LONGEST_PAUSE)
  let pause = TRY_AGAIN
  let said = ''
  try {
    while (signal?.aborted !== true) {
      await changed.wait()
      try {
        await onPush(await push())
        pause = TRY_AGAIN
        said = ''
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error.message !== said) onFailure(error.message)
        said = error.message
        setTimeout(changed.set, pause).unref()
        pause = Math.min(LONGEST_PAUSE, pause * 2)
      }
    }
  } finally {
    clearInterval(alive)
    watching.stop()
    changed.close()
  }
}
