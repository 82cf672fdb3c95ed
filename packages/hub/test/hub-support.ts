/** A hub of the tests: its own database with all tables, and clients with roots of their own. */
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { discover } from '@dagline/store'
import { onTestFinished } from 'vitest'
import { temporaryFolder, writeFiles } from '../../store/test/temporary.js'
import { type HubDatabase, openHubDatabase } from '../src/db/database.js'
import { migrate } from '../src/db/migrate.js'
import { RAW_SCHEMA } from '../src/db/schema-raw.js'
import type { Choice } from '../src/push/choice.js'
import { type PushReport, type PushSetting, pushOnce } from '../src/push/push.js'
import { openPushState, type PushState } from '../src/push/state.js'
import type { RawStore } from '../src/raw/model.js'
import { openRawStore } from '../src/raw/store.js'
import { listVersions, readVersion } from '../src/raw/stream.js'
import { freshDatabase } from './postgres.js'

/** A database with the tables of raw bytes. */
export async function openRawHub(): Promise<HubDatabase> {
  const database = openHubDatabase(await freshDatabase())
  onTestFinished(() => database.close())
  await migrate(database, [RAW_SCHEMA])
  return database
}

/** The store of a person. */
export function storeOf(database: HubDatabase, person = 1): RawStore {
  return openRawStore(database, { tenant: 1, person }, async () => 0)
}

/** A machine with transcripts. */
export interface Client {
  /** The projects root. */
  readonly root: string
  /** A working directory that exists. */
  readonly work: string
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => void
  readonly append: (path: string, text: string) => void
  readonly push: (store: RawStore, more?: Partial<PushSetting>) => Promise<PushReport>
  readonly state: PushState
  readonly statePath: string
  /** What is remembered is lost. */
  readonly forget: () => void
}

const EVERYTHING: Choice = { allow: ['*'], deny: [], plain: [] }

/** Files are read as if they had been written long ago. */
const LATER = Date.now() + 3_600_000

export function makeClient(name = 'laptop', choice: Choice = EVERYTHING): Client {
  const folder = temporaryFolder()
  const root = join(folder, '.claude', 'projects')
  const work = join(folder, 'work')
  mkdirSync(root, { recursive: true })
  mkdirSync(work)
  const statePath = join(folder, 'state.db')
  let state = openPushState(statePath)
  onTestFinished(() => state.close())
  const digest = createHash('sha256').update(name).digest('hex')
  const uuid = `${digest.slice(0, 8)}-0000-4000-8000-${digest.slice(0, 12)}`
  return {
    root,
    work,
    statePath,
    get state() {
      return state
    },
    write: files => writeFiles(root, files),
    append: (path, text) => appendFileSync(join(root, path), text),
    push: (store, more = {}) =>
      pushOnce({
        ...{ store, state, choice, roots: discover([root]), now: () => LATER },
        ...{ machine: { uuid, name, platform: 'linux' } },
        ...more,
      }),
    forget: () => {
      state.close()
      state = openPushState(join(temporaryFolder(), 'state.db'))
    },
  }
}

/** A row of a transcript. */
export function row(text: string, more: object = {}): string {
  return `${JSON.stringify({ type: 'user', cwd: '/nowhere/shop', ...more, message: { role: 'user', content: text } })}\n`
}

/** What a person has on the hub: the bytes of the last version of each file, by path. */
export async function contentsOf(database: HubDatabase, person = 1): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  for (const { path, id } of await listVersions(database, { tenant: 1, person })) {
    const parts: Buffer[] = []
    for await (const part of readVersion(database, 1, id)) parts.push(part)
    contents[path] = Buffer.concat(parts).toString('utf8')
  }
  return contents
}

/** A store that remembers what was called. */
export function recordingStore(store: RawStore): { readonly store: RawStore; readonly calls: string[] } {
  const calls: string[] = []
  const noting = <A extends unknown[], T>(name: string, call: (...words: A) => T): ((...words: A) => T) => {
    return (...words) => {
      calls.push(name)
      return call(...words)
    }
  }
  return {
    calls,
    store: {
      welcome: noting('welcome', store.welcome),
      files: noting('files', store.files),
      missing: noting('missing', store.missing),
      put: noting('put', store.put),
      commit: noting('commit', store.commit),
      keepLabels: noting('keepLabels', store.keepLabels),
      versions: noting('versions', store.versions),
      read: noting('read', store.read),
    },
  }
}
