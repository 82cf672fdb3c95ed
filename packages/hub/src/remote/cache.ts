/**
 * HU51: file groups of a hub in a folder that is the user's own, where commands read them as they read any folder. Each file is
 * what the hub says it is: by the chain of its pieces, or by the hash that it had on its machine. A file that grew costs its
 * new bytes.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '@dagline/app'
import { isFileName } from '@dagline/core/platform'
import { cacheFolder, cutPieces, openFile, renameFile } from '@dagline/store'
import * as z from 'zod'
import { chainOf, NO_CHAIN, sha256 } from '../raw/pack.js'
import type { RemoteFile, RemoteGroup, RemoteHub } from './client.js'

/** Brings the copy of a file group up to date. Returns its folder, which is a projects root. Throws `UserError`. */
export async function keepGroup(hub: RemoteHub, group: RemoteGroup, tell: Tell): Promise<string> {
  try {
    return await updateGroup(hub, group, tell)
  } catch (error) {
    const isOfDisk = error instanceof Error && 'syscall' in error && 'code' in error
    if (!isOfDisk) throw error
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : String(error.code)
    throw new UserError(
      `The folder ${hubCache(hub.url)} could not be written: ${reason}. Make room, or set XDG_CACHE_HOME to another folder.`,
      'unavailable',
    )
  } finally {
    tell(null)
  }
}

async function updateGroup(hub: RemoteHub, group: RemoteGroup, tell: Tell): Promise<string> {
  const folder = join(hubCache(hub.url), keyOf(group))
  mkdirSync(join(folder, ROOT), { recursive: true, mode: 0o700 })
  const known = readKnown(folder)
  const wanted = new Map(group.files.map(file => [file.path, file]))
  for (const path of known.keys()) if (!wanted.has(path)) drop(folder, known, path)
  const changed = group.files.filter(file => !isCurrent(folder, file, known.get(file.path)))
  let done = 0
  for (const file of changed) {
    tell(`Fetching file ${++done} of ${changed.length}`)
    await fetchFile(hub, group, { folder, file, before: known.get(file.path) })
    known.set(file.path, { chain: file.chain, bytes: file.bytes, mtime: file.mtime })
    writeKnown(folder, known)
  }
  // The time tells when the group was used last (`dropOldGroups`).
  utimesSync(join(folder, KNOWN), new Date(), new Date())
  return join(folder, ROOT)
}

type Tell = (text: string | null) => void

/** The folder below which groups of a hub lie. */
function hubCache(url: string): string {
  return join(cacheFolder(), 'hub', shortHash(url))
}

/** Removes the copies of a session that the hub does not show any more. */
export function forgetSession(url: string, session: string): void {
  for (const folder of groupsIn(url)) {
    const paths = [...readKnown(folder).keys()]
    if (paths.some(path => path.endsWith(`/${session}.jsonl`)))
      rmSync(folder, { recursive: true, force: true })
  }
}

const OLD = 30 * 24 * 3_600_000

/** Removes the copies that nobody asked for in a month. */
export function dropOldGroups(url: string, now: number): void {
  for (const folder of groupsIn(url)) {
    const used = statSync(join(folder, KNOWN), { throwIfNoEntry: false })?.mtimeMs
    if (used !== undefined && now - used > OLD) rmSync(folder, { recursive: true, force: true })
  }
}

function groupsIn(url: string): readonly string[] {
  const folder = hubCache(url)
  return existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
}

/** The folder of the transcripts in that of a group. */
const ROOT = 'projects'
/** What was fetched and proved. */
const KNOWN = 'files.json'

/** A group is named by its first transcript, whichever of its sessions was asked for. */
function keyOf({ root, files, session }: RemoteGroup): string {
  const first = files.find(({ rows }) => rows)?.path ?? session
  return shortHash(`${root}/${first}`)
}

function shortHash(text: string): string {
  return sha256(Buffer.from(text)).toString('hex', 0, 8)
}

interface Known {
  readonly chain: string
  readonly bytes: number
  readonly mtime: number
}

const KNOWN_SCHEMA = z.record(
  z.string(),
  z.object({ chain: z.string(), bytes: z.number(), mtime: z.number() }),
)

function readKnown(folder: string): Map<string, Known> {
  try {
    const read = KNOWN_SCHEMA.safeParse(JSON.parse(readFileSync(join(folder, KNOWN), 'utf8')))
    return new Map(Object.entries(read.data ?? {}))
  } catch {
    return new Map()
  }
}

function writeKnown(folder: string, known: ReadonlyMap<string, Known>): void {
  const part = join(folder, `${KNOWN}.${process.pid}.part`)
  writeFileSync(part, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 })
  renameFile(part, join(folder, KNOWN))
}

function drop(folder: string, known: Map<string, Known>, path: string): void {
  known.delete(path)
  writeKnown(folder, known)
  rmSync(targetOf(folder, path), { force: true })
}

/** What was proved once is compared by its size and time, as the index compares files. */
function isCurrent(folder: string, file: RemoteFile, known: Known | undefined): boolean {
  if (known?.chain !== file.chain || known.bytes !== file.bytes || known.mtime !== file.mtime) return false
  const stats = statSync(targetOf(folder, file.path), { throwIfNoEntry: false })
  return stats?.size === file.bytes && Math.abs(stats.mtimeMs - file.mtime) < 2
}

/** A hub may name anything: a path that leads out of the folder is refused. */
function targetOf(folder: string, path: string): string {
  const parts = path.split('/')
  if (!parts.every(part => isFileName(part, process.platform)))
    throw new UserError(`This system cannot have a file of the name ${path}.`)
  return join(folder, ROOT, ...parts)
}

interface Fetching {
  readonly folder: string
  readonly file: RemoteFile
  /** What is there of it. */
  readonly before: Known | undefined
}

/** What is behind the bytes that are there; all of the file where that does not prove to be it. */
async function fetchFile(
  hub: RemoteHub,
  group: RemoteGroup,
  { folder, file, before }: Fetching,
): Promise<void> {
  const target = targetOf(folder, file.path)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const part = `${target}.${process.pid}.part`
  try {
    const size = statSync(target, { throwIfNoEntry: false })?.size ?? 0
    const isGrown = before !== undefined && before.bytes === size && size > 0 && size <= file.bytes
    if (isGrown) {
      copyFileSync(target, part)
      await fetchFrom(hub, group, { file, part, from: size })
    }
    if (!isGrown || !isProved(part, file)) await fetchFrom(hub, group, { file, part, from: 0 })
    if (!isProved(part, file))
      throw new UserError(
        `${file.path} arrived damaged, or changed meanwhile. Run the command again.`,
        'unavailable',
      )
    utimesSync(part, file.mtime / 1000, file.mtime / 1000)
    renameFile(part, target)
  } finally {
    rmSync(part, { force: true })
  }
}

async function fetchFrom(
  hub: RemoteHub,
  group: RemoteGroup,
  { file, part, from }: { readonly file: RemoteFile; readonly part: string; readonly from: number },
): Promise<void> {
  if (existsSync(part)) truncateSync(part, from)
  const handle = await open(part, 'a', 0o600)
  try {
    for (let at = from; at < file.bytes; ) {
      const bytes = await hub.bytes(group, file.path, at)
      if (bytes.length === 0) return
      // A file that grows meanwhile is what it was when it was listed.
      const own = bytes.subarray(0, file.bytes - at)
      await handle.write(own)
      at += own.length
    }
  } finally {
    await handle.close()
  }
}

/** HU11: the chain of the pieces; a file that was sent in other pieces, and as it was, has its own hash. */
function isProved(path: string, { chain, sha256: original, bytes, rows }: RemoteFile): boolean {
  const source = openFile(path)
  try {
    if (source.size !== bytes) return false
    const whole = createHash('sha256')
    let own = NO_CHAIN
    for (const piece of cutPieces(source, { from: 0, to: bytes, rows })) {
      whole.update(piece)
      own = chainOf(own, [sha256(piece)])
    }
    return own.toString('hex') === chain || whole.digest('hex') === original
  } finally {
    source.close()
  }
}
