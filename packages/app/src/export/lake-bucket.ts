/**
 * Y10: a lake in a bucket. A bucket has no locks: an object says who writes, and is written again while that goes on. The
 * manifest is replaced only where it is still the one that was read.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '@dagline/store'
import { UserError } from '../host/user-error.js'
import { type Bucket, openBucket } from '../s3/bucket.js'
import { bucketSettings } from '../s3/settings.js'
import type { LakeFolder } from './lake-folder.js'

/** How long a writer that is silent keeps others out, in milliseconds. */
const LEASE = 120_000

/** Engines do not read objects whose names begin with an underscore. */
const LOCK = '_dagline.lock'

/** Options of a lake in a bucket; the tests set times. */
interface BucketLakeOptions {
  readonly endpoint: string | null
  readonly lease?: number
  readonly part?: number
  readonly patience?: number
}

/** Opens a lake at `s3://bucket/prefix`. Throws `UserError` where another export writes to it, or it holds anything else. */
export async function openLakeBucket(
  address: string,
  manifest: string,
  { endpoint, lease = LEASE, ...options }: BucketLakeOptions,
): Promise<LakeFolder> {
  const bucket = openBucket(bucketSettings(address, endpoint), options)
  const before = await bucket.read(manifest)
  if (before === null) await refuseOthers(bucket, address)
  const lock = await takeLease(bucket, address, lease)
  const scratch = mkdtempSync(join(tmpdir(), 'dagline-lake-'))
  // What was read before the lock was taken may be older than it.
  let known = await bucket.read(manifest)
  await bucket.endUploads()
  return {
    list: async () => await bucket.list(),
    read: async name => (name === manifest ? known : await bucket.read(name))?.bytes.toString() ?? null,
    put: async (name, path) => {
      await lock.keep()
      if (name === manifest) {
        const text = readFileSync(path, 'utf8')
        const etag = await bucket.write(name, text, known?.etag ?? null)
        if (etag === null) throw takenOver(address)
        known = { bytes: Buffer.from(text), etag, age: 0 }
      } else await bucket.upload(name, path)
      rmSync(path)
    },
    remove: async name => {
      await lock.keep()
      await bucket.remove(name)
    },
    scratch,
    close: async () => {
      rmSync(scratch, { recursive: true, force: true })
      await lock.release()
    },
  }
}

async function refuseOthers(bucket: Bucket, address: string): Promise<void> {
  const names = await bucket.list()
  if (names.every(name => name === LOCK)) return
  throw new UserError(
    `${address} holds other objects, and no export of tables. Give a prefix that nothing else uses.`,
  )
}

interface Lease {
  /** Makes sure that nobody else writes. Throws `UserError` where somebody does. */
  readonly keep: () => Promise<void>
  readonly release: () => Promise<void>
}

/** Notes that this process writes. Throws `UserError` where another one does. */
async function takeLease(bucket: Bucket, address: string, lease: number): Promise<Lease> {
  const found = await bucket.read(LOCK)
  if (found !== null && found.age < lease && !hasEnded(String(found.bytes)))
    throw busy(address, found.age, lease)
  let written = lockText(randomUUID())
  let etag = await bucket.write(LOCK, written, found?.etag ?? null)
  // A server without conditions has taken both of two writers: the last one is right.
  if (etag === null || !isText(await bucket.read(LOCK), written)) throw busy(address, 0, lease)
  let last = performance.now()
  const renew = async (): Promise<void> => {
    const text = lockText(randomUUID())
    const renewed = await bucket.write(LOCK, text, etag)
    if (renewed === null) throw takenOver(address)
    written = text
    etag = renewed
    last = performance.now()
  }
  let renewals = Promise.resolve()
  const renewLater = (): void => {
    renewals = renewals.then(renew)
    // `keep` throws what it throws.
    renewals.catch(() => {})
  }
  const timer = setInterval(renewLater, Math.max(1000, lease / 4)).unref()
  return {
    keep: async () => {
      if (performance.now() - last > lease / 2) renewLater()
      await renewals
    },
    release: async () => {
      clearInterval(timer)
      await renewals.catch(() => {})
      // Where somebody else has taken over, it is theirs.
      const now = await bucket.read(LOCK).catch(() => null)
      if (isText(now, written)) await bucket.remove(LOCK).catch(() => {})
    },
  }
}

function isText(object: { readonly bytes: Buffer } | null, text: string): boolean {
  return object?.bytes.toString() === text
}

/** Who writes: the process and the machine, so that the next export on it need not wait for one that was killed. */
function lockText(id: string): string {
  return JSON.stringify({ id, pid: process.pid, host: hostname() })
}

function hasEnded(text: string): boolean {
  try {
    const lock: { readonly pid?: unknown; readonly host?: unknown } = JSON.parse(text)
    return lock.host === hostname() && !isRunning(Number(lock.pid))
  } catch {
    return true
  }
}

function busy(address: string, age: number, lease: number): UserError {
  const seconds = Math.ceil(Math.max(0, lease - age) / 1000)
  return new UserError(
    `Another export writes to ${address}. Wait until it ends; if it was killed, run this again in ${seconds} s.`,
    'unavailable',
  )
}

function takenOver(address: string): UserError {
  return new UserError(
    `Another export has begun to write to ${address}, so this one ended. Run it again after the other one.`,
    'unavailable',
  )
}
