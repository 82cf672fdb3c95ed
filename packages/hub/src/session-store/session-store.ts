/**
 * HU18: a `SessionStore` of the Agent SDK on a hub: the transcripts of a service without a disk are those of a machine of its
 * person, so that the judge, search and the page know them as any other.
 */
import { createHash } from 'node:crypto'
import { placer } from '@dagline/core/files'
import {
  addStored,
  entriesIn,
  fromFileName,
  isMetadata,
  noRows,
  notStored,
  type SessionKey,
  type SessionStoreEntry,
  type StoredRows,
  toFileName,
  transcriptPath,
} from '@dagline/store'
import type { HubDatabase } from '../db/database.js'
import type { AudienceOf } from '../raw/commit.js'
import type { HubVersion, NewVersion, RawStore, StoredVersion } from '../raw/model.js'
import { chainOf, makePack, NO_CHAIN, PACK_BYTES, sha256 } from '../raw/pack.js'
import type { Owner } from '../raw/pieces.js'
import { removeFiles } from '../raw/remove.js'
import { openRawStore } from '../raw/store.js'

/** A `SessionStore` of the Agent SDK. */
export interface HubSessionStore {
  append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void>
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  delete(key: SessionKey): Promise<void>
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>
}

/** The machine of sessions that came through the SDK. */
const SDK = { uuid: '00000000-0000-4000-8000-5d6b00000000', name: 'sdk', platform: 'sdk' }
/** Transcripts of which is remembered what they hold. */
const MOST_OPEN = 100
/** How often an append is tried while other processes write. */
const ATTEMPTS = 20

/** Opens the store of a person. Appending what is there already changes nothing, whichever process has stored it. */
export function createHubSessionStore(
  database: HubDatabase,
  owner: Owner,
  audienceOf: AudienceOf,
): HubSessionStore {
  const store = openRawStore(database, owner, audienceOf)
  const welcome = store.welcome(SDK)
  // Each call that awaits it throws the failure.
  welcome.catch(() => {})
  const open = new Map<string, Transcript>()
  const at = (key: SessionKey): Transcript => {
    const path = transcriptPath(key)
    const known = open.get(path) ?? new Transcript(store, welcome, { path, session: key.sessionId })
    open.delete(path)
    open.set(path, known)
    const [oldest] = open.keys()
    if (open.size > MOST_OPEN && oldest !== undefined && open.get(oldest)?.isIdle() === true)
      open.delete(oldest)
    return known
  }
  const versions = async (): Promise<readonly StoredVersion[]> => {
    const { name } = await welcome
    return (await store.versions({})).filter(({ machine }) => machine === name)
  }
  const remove = async (isMeant: (path: string) => boolean): Promise<void> => {
    const meant = (await versions()).filter(({ place }) => isMeant(place))
    await removeFiles(
      database,
      owner,
      meant.map(({ file }) => file),
    )
    for (const path of open.keys()) if (isMeant(path)) open.delete(path)
  }
  return {
    append: async (key, entries) => await at(key).append(entries),
    load: async key => await at(key).load(),
    listSessions: async projectKey => {
      const folder = `${toFileName(projectKey)}/`
      return (await versions()).flatMap(({ place, mtime }) => {
        const name = place.startsWith(folder) ? place.slice(folder.length) : ''
        const sessionId = /^[^/]+\.jsonl$/.test(name) ? fromFileName(name.slice(0, -6)) : null
        return sessionId === null ? [] : [{ sessionId, mtime: Math.floor(mtime) }]
      })
    },
    delete: async key => {
      const stem = transcriptPath(key).replace(/\.jsonl$/, '')
      const isAll = key.subpath === undefined
      await remove(
        path =>
          path === `${stem}.jsonl` || path === `${stem}.meta.json` || (isAll && path.startsWith(`${stem}/`)),
      )
    },
    listSubkeys: async key => {
      const folder = `${transcriptPath(key).replace(/\.jsonl$/, '')}/`
      return (await versions()).flatMap(({ place }) => {
        if (!place.startsWith(folder) || !place.endsWith('.jsonl')) return []
        const parts = place.slice(folder.length, -6).split('/').map(fromFileName)
        return parts.includes(null) ? [] : [parts.join('/')]
      })
    },
  }
}

/** A transcript, and what is known of it: calls are done one after the other. */
class Transcript {
  private readonly store: RawStore
  private readonly welcome: ReturnType<RawStore['welcome']>
  private readonly path: string
  private readonly session: string
  private rows: StoredRows = noRows()
  private version: HubVersion | null = null
  private mtime = 0
  /** Of all bytes so far, to go on with. */
  private hash = createHash('sha256')
  private isKnown = false
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0

  constructor(
    store: RawStore,
    welcome: ReturnType<RawStore['welcome']>,
    { path, session }: { readonly path: string; readonly session: string },
  ) {
    this.store = store
    this.welcome = welcome
    this.path = path
    this.session = session
  }

  isIdle(): boolean {
    return this.waiting === 0
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++
    const result = this.last.then(work).finally(() => {
      this.waiting--
    })
    this.last = result.catch(() => {})
    return result
  }

  load(): Promise<SessionStoreEntry[] | null> {
    return this.inTurn(async () => {
      const bytes = await this.read()
      return bytes === null ? null : [...entriesIn(bytes)]
    })
  }

  append(entries: readonly SessionStoreEntry[]): Promise<void> {
    // What was given may be changed while this waits.
    const given = structuredClone([...entries])
    return this.inTurn(async () => {
      for (let attempt = 0; !(await this.appendOnce(given)); attempt++) {
        if (attempt === ATTEMPTS)
          throw new Error(`${this.path} is being written by too many processes at a time.`)
        this.isKnown = false
      }
      const metadata = given.findLast(isMetadata)
      if (metadata !== undefined) await this.keepMetadata(metadata)
    })
  }

  /** Returns whether it was done; false where another process has written in between. */
  private async appendOnce(entries: readonly SessionStoreEntry[]): Promise<boolean> {
    if (!this.isKnown) await this.learn()
    const again =
      this.rows.again === null ? null : { ...this.rows.again, notes: new Map(this.rows.again.notes) }
    const fresh = notStored(this.rows, entries)
    if (fresh.length === 0 && this.version !== null) return true
    const pieces = fresh.map(entry => Buffer.from(`${JSON.stringify(entry)}\n`))
    try {
      const hash = this.hash.copy()
      for (const piece of pieces) hash.update(piece)
      const version = await this.commit(pieces, hash.copy().digest())
      if (version === null) return false
      this.hash = hash
      this.version = version
      for (const entry of fresh) addStored(this.rows, entry)
      return true
    } catch (error) {
      this.rows.again = again
      this.isKnown = false
      throw error
    }
  }

  private async commit(rows: readonly Buffer[], originalSha256: Buffer): Promise<HubVersion | null> {
    const pieces = rows.flatMap(partsOf)
    const hashes = pieces.map(sha256)
    for (const [from, to] of packsOf(pieces))
      await this.store.put(makePack(hashes.slice(from, to), pieces.slice(from, to)))
    const bytes = pieces.reduce((sum, { length }) => sum + length, this.version?.bytes ?? 0)
    this.mtime = Math.max(Date.now(), this.mtime)
    return await this.keep(this.path, {
      base: { number: this.version?.number ?? 0, chain: this.version?.chain ?? NO_CHAIN },
      ...{ hashes, bytes, isOther: false },
      chain: chainOf(this.version?.chain ?? NO_CHAIN, hashes),
      ...{ originalBytes: bytes, originalSha256 },
    })
  }

  private async keep(
    path: string,
    version: Omit<
      NewVersion,
      'place' | 'folder' | 'path' | 'kind' | 'session' | 'remote' | 'cwd' | 'mtime' | 'redacted'
    >,
  ): Promise<HubVersion | null> {
    const { machine } = await this.welcome
    const [folder = ''] = path.split('/')
    const { what: kind } = placer(new Set([path]))(path)
    const file: NewVersion = {
      ...{ place: path, folder, path: path.slice(folder.length + 1), kind, session: this.session },
      ...{ remote: null, cwd: null, mtime: this.mtime, redacted: null, ...version },
    }
    const [result] = (await this.store.commit(machine, [file])).results
    const isThere = result?.outcome === 'stored' || result?.outcome === 'same'
    return isThere ? result.version : null
  }

  /** The sidecar, for readers of the layout of Claude Code. */
  private async keepMetadata({ type: _, ...fields }: SessionStoreEntry): Promise<void> {
    const piece = Buffer.from(JSON.stringify(fields))
    const hash = sha256(piece)
    await this.store.put(makePack([hash], [piece]))
    await this.keep(this.path.replace(/\.jsonl$/, '.meta.json'), {
      ...{ base: null, isOther: true, hashes: [hash], bytes: piece.length, chain: chainOf(NO_CHAIN, [hash]) },
      ...{ originalBytes: piece.length, originalSha256: hash },
    })
  }

  /** Reads what is there now. */
  private async learn(): Promise<void> {
    const bytes = await this.read()
    this.rows = noRows()
    this.hash = createHash('sha256').update(bytes ?? '')
    for (const entry of entriesIn(bytes ?? Buffer.alloc(0))) addStored(this.rows, entry)
    this.isKnown = true
  }

  private async read(): Promise<Buffer | null> {
    const { machine, name } = await this.welcome
    const own = (await this.store.versions({ session: this.session })).find(
      ({ place, machine: where }) => place === this.path && where === name,
    )
    const file = (await this.store.files(machine)).find(({ place }) => place === this.path)
    this.version = file ?? null
    this.mtime = own?.mtime ?? 0
    if (own === undefined || file === undefined) return null
    const parts: Uint8Array[] = []
    for await (const part of this.store.read(own.id)) parts.push(part)
    // Another process may have added rows in between: only what was read is known.
    const bytes = Buffer.concat(parts).subarray(0, file.bytes)
    return bytes
  }
}

function partsOf(row: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < row.length; at += PART) parts.push(row.subarray(at, at + PART))
  return parts
}

const PART = PACK_BYTES / 2

/** Ranges of pieces that fit into a pack. */
function packsOf(pieces: readonly Buffer[]): [from: number, to: number][] {
  const packs: [number, number][] = []
  let [from, size] = [0, 0]
  for (const [at, { length }] of pieces.entries()) {
    if (size + length > PACK_BYTES) {
      packs.push([from, at])
      ;[from, size] = [at, 0]
    }
    size += length
  }
  return from < pieces.length ? [...packs, [from, pieces.length]] : packs
}
