/** Y10: a lake in a bucket says what one in a folder says, whatever happens on the way. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { World } from '../../store/test/world.js'
import { MANIFEST, writeLake } from '../src/export/lake.js'
import { openLakeBucket } from '../src/export/lake-bucket.js'
import type { LakeFolder } from '../src/export/lake-folder.js'
import { askIndex } from '../src/index/open.js'
import { type FaceHistory, openFaceHistory, type TablesReport } from '../src/index.js'
import { type Bucket, openBucket } from '../src/s3/bucket.js'
import { bucketSettings } from '../src/s3/settings.js'
import { tableGroups } from '../src/tables/groups.js'
import { readLake, sortedRows } from './lake.js'
import { ownFolder } from './own-folders.js'
import { availableServers, KEYS, type S3Server } from './s3-server.js'

const servers = availableServers()
const folder = ownFolder()
const options = { redact: null, names: [], allowSecrets: true } as const
const exporter = { approve: async (): Promise<void> => {} }
const PLAIN = { redactor: null, basis: [options.redact, options.names] }

const before = Object.keys(KEYS).map(name => [name, process.env[name]] as const)
beforeAll(() => void Object.assign(process.env, KEYS))
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

if (servers.length === 0) {
  process.stderr.write('not run: a lake in a bucket (npm could not bring s3rver, no DAGLINE_S3RVER)\n')
  it('a lake in a bucket not run: no S3 server', () => expect(servers).toEqual([]))
}

let places = 0

interface Place {
  readonly world: World
  readonly history: FaceHistory
  readonly index: string
  readonly address: string
}

function newPlace(): Place {
  const place = join(folder, String(++places))
  const world = new World(join(place, 'projects'))
  const index = join(place, 'index.db')
  world.add(places, { style: '2.1.325', actions: 6, damage: false }, 1)
  return {
    ...{ world, index, history: openFaceHistory({ roots: [world.root], index }) },
    address: `s3://lake/team a+b%/${places}`,
  }
}

/** The rows of a lake in a bucket. */
async function rowsIn(bucket: Bucket): Promise<ReturnType<typeof sortedRows>> {
  const copy = join(folder, `copy-${++places}`)
  for (const name of await bucket.list()) {
    const path = join(copy, ...name.split('/'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, (await bucket.read(name))?.bytes ?? '')
  }
  return sortedRows(await readLake(copy))
}

describe.each(servers)('a lake in a bucket of $name', ({ hasConditions, start }) => {
  let server: S3Server
  beforeAll(async () => {
    server = await start(join(folder, `server-${++places}`))
  }, 60_000)
  afterAll(async () => await server.close())

  const bucketAt = (address: string, part?: number): Bucket =>
    openBucket(bucketSettings(address, server.url), part === undefined ? {} : { part })
  const exportTo = (history: FaceHistory, to: string): Promise<TablesReport> =>
    history.exportTables({ ...options, to, s3Endpoint: server.url }, exporter)

  it('[Y10] has the rows of one in a folder, and follows what changes', { timeout: 60_000 }, async () => {
    const { world, history, address } = newPlace()
    const first = await exportTo(history, address)
    expect(first).toMatchObject({ removed: 0, unchanged: 0, folder: address })
    world.apply({ kind: 'truncate', pick: 0, part: 500 })
    world.add(77, { style: '2.1.325', actions: 4, damage: false }, 1)
    const second = await exportTo(history, address)
    expect(second.written).toBeGreaterThan(0)
    const copy = join(folder, `folder-${places}`)
    await history.exportTables({ ...options, to: copy }, exporter)
    expect(await rowsIn(bucketAt(address))).toEqual(sortedRows(await readLake(copy)))
    expect(await exportTo(history, address)).toMatchObject({ written: 0, removed: 0 })
    rmSync(world.root, { recursive: true })
    mkdirSync(world.root)
    expect((await exportTo(history, address)).removed).toBeGreaterThan(0)
    expect(await bucketAt(address).list()).toEqual([MANIFEST])
  })

  it('[Y10] converges after exports that ended at any write', { timeout: 120_000 }, async () => {
    const { world, history, index, address } = newPlace()
    const lakeAt = (): Promise<LakeFolder> => openLakeBucket(address, MANIFEST, { endpoint: server.url })
    for (let most = 0; most < 30; most += 7) {
      const lake = await lakeAt()
      let left = most
      const orEnd = async (work: () => Promise<void>): Promise<void> => {
        if (left-- <= 0) throw new Error('killed')
        await work()
      }
      const failing: LakeFolder = {
        ...lake,
        put: (name, path) => orEnd(() => lake.put(name, path)),
        remove: name => orEnd(() => lake.remove(name)),
      }
      await askIndex(history.host, { index }, indexed =>
        writeLake(failing, tableGroups(indexed), { host: history.host, ...PLAIN }),
      ).catch(error => expect(error.message).toBe('killed'))
      await lake.close()
      world.add(100 + most, { style: '2.1.325', actions: 3, damage: false }, 1)
    }
    await exportTo(history, address)
    const copy = join(folder, `folder-${places}`)
    await history.exportTables({ ...options, to: copy }, exporter)
    expect(await rowsIn(bucketAt(address))).toEqual(sortedRows(await readLake(copy)))
  })

  it('[Y10] large files arrive whole in parts', async () => {
    const address = `s3://lake/large-${++places}`
    const bucket = bucketAt(address, 5 * 1024 * 1024)
    const bytes = randomBytes(11 * 1024 * 1024 + 7)
    const path = join(folder, 'large')
    writeFileSync(path, bytes)
    await bucket.upload('a b/ü+%2A.bin', path)
    expect(await bucket.list()).toEqual(['a b/ü+%2A.bin'])
    expect((await bucket.read('a b/ü+%2A.bin'))?.bytes.equals(bytes)).toBe(true)
  })

  it('[Y10] parts of an upload that ended in between are removed by the next export', async () => {
    const { history, address } = newPlace()
    const path = join(folder, 'large')
    writeFileSync(path, randomBytes(6 * 1024 * 1024))
    const { url, close } = await troublesome(server.url, ({ method, url: asked = '' }) =>
      // The second part never arrives, and the upload cannot be ended.
      method === 'DELETE' || asked.includes('partNumber=2') ? 'refuse' : null,
    )
    const broken = openBucket(bucketSettings(address, url), { part: 5 * 1024 * 1024, patience: 1 })
    await expect(broken.upload('usage/project=x/month=y/data.parquet', path)).rejects.toThrow(/refused/)
    close()
    await exportTo(history, address)
    expect(await bucketAt(address).list()).not.toContain('usage/project=x/month=y/data.parquet')
    if (hasConditions) expect(await uploadsOf(server.url)).not.toContain('<UploadId>')
  })

  it('[Y10] is written by one export at a time, also where one vanished from another machine', async () => {
    const { history, address } = newPlace()
    const open = { endpoint: server.url }
    const first = await openLakeBucket(address, MANIFEST, open)
    await expect(exportTo(history, address)).rejects.toThrow(/Another export writes to .*killed/)
    await first.close()
    await exportTo(history, address)
    await bucketAt(address).write('_dagline.lock', '{"pid":1,"host":"elsewhere"}', null)
    await expect(exportTo(history, address)).rejects.toThrow(/Another export writes to/)
    const later = await openLakeBucket(address, MANIFEST, { ...open, lease: 0 })
    await later.close()
    expect(await exportTo(history, address)).toMatchObject({ written: 0 })
    // A process of this machine that is gone does not keep others waiting.
    const lock = JSON.stringify({ pid: 999_999_999, host: (await import('node:os')).hostname() })
    await bucketAt(address).write('_dagline.lock', lock, null)
    expect(await exportTo(history, address)).toMatchObject({ written: 0 })
  })

  it.runIf(hasConditions)('[Y10] an export that was overtaken writes no manifest', async () => {
    const { address } = newPlace()
    const first = await openLakeBucket(address, MANIFEST, { endpoint: server.url })
    const second = await openLakeBucket(address, MANIFEST, { endpoint: server.url, lease: 0 })
    const files = [first, second].map(({ scratch }) => join(scratch, 'manifest'))
    for (const [at, path] of files.entries()) writeFileSync(path, `{"dagline":${at}}`)
    await second.put(MANIFEST, files[1] ?? '')
    await expect(first.put(MANIFEST, files[0] ?? '')).rejects.toThrow(/Another export has begun/)
    await first.close()
    expect(await bucketAt(address).list()).toContain('_dagline.lock')
    expect(await second.read(MANIFEST)).toBe('{"dagline":1}')
    await second.close()
    expect(await bucketAt(address).list()).toEqual([MANIFEST])
  })

  it('[Y10] refuses a place that holds other objects, and says what a server refuses', async () => {
    const { history } = newPlace()
    const bucket = bucketAt('s3://lake/other')
    await bucket.write('file.txt', 'x', null)
    await expect(exportTo(history, 's3://lake/other')).rejects.toThrow(/holds other objects/)
    await expect(exportTo(history, 's3://missing/x')).rejects.toThrow(/There is no bucket missing. Create it/)
  })

  it('[Y10] goes on where the network or the server fails for a moment', { timeout: 60_000 }, async () => {
    const { history, address } = newPlace()
    const { url, close, failures } = await troublesome(server.url, eachThird())
    try {
      await history.exportTables({ ...options, to: address, s3Endpoint: url }, exporter)
      expect(failures()).toBeGreaterThan(5)
      const copy = join(folder, `folder-${places}`)
      await history.exportTables({ ...options, to: copy }, exporter)
      expect(await rowsIn(bucketAt(address))).toEqual(sortedRows(await readLake(copy)))
    } finally {
      close()
    }
  })

  // The last one: moto checks all signatures from then on.
  it('[Y10] is told who asks', async () => {
    const keys = hasConditions ? await newKeys(server.url) : KEYS
    const bucketOf = (more: object): Bucket =>
      openBucket(bucketSettings('s3://lake/k e+y', server.url, { ...keys, ...more }))
    await bucketOf({}).write('ä b', 'x', null)
    expect(await bucketOf({}).list()).toEqual(['ä b'])
    // s3rver knows ids only, moto checks the signature.
    const wrong = hasConditions ? { AWS_SECRET_ACCESS_KEY: 'x' } : { AWS_ACCESS_KEY_ID: 'x' }
    await expect(bucketOf(wrong).list()).rejects.toThrow(/does not know the keys. Check AWS_ACCESS_KEY_ID/)
  })
})

/** Makes a user with keys, and has moto check signatures from now on. */
async function newKeys(url: string): Promise<Readonly<Record<string, string>>> {
  const scope = '20260101/us-east-1/iam/aws4_request'
  const headers = { authorization: `AWS4-HMAC-SHA256 Credential=x/${scope}, SignedHeaders=host, Signature=x` }
  const ask = async (fields: Readonly<Record<string, string>>): Promise<string> => {
    const body = new URLSearchParams({ ...fields, UserName: 'u', Version: '2010-05-08' })
    return await (await fetch(url, { method: 'POST', headers, body })).text()
  }
  await ask({ Action: 'CreateUser' })
  const PolicyDocument =
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'
  await ask({ Action: 'PutUserPolicy', PolicyName: 'p', PolicyDocument })
  const made = await ask({ Action: 'CreateAccessKey' })
  const cell = (name: string): string => new RegExp(`<${name}>([^<]*)`).exec(made)?.[1] ?? ''
  await fetch(`${url}/moto-api/reset-auth`, { method: 'POST', body: '0' })
  return {
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: cell('AccessKeyId') },
    AWS_SECRET_ACCESS_KEY: cell('SecretAccessKey'),
  }
}

/** What the server says of uploads that are not finished. Only moto answers without a signature. */
async function uploadsOf(url: string): Promise<string> {
  return await (await fetch(`${url}/lake?uploads`)).text()
}

interface Troublesome {
  readonly url: string
  readonly failures: () => number
  readonly close: () => void
}

type Trouble = (asked: IncomingMessage) => 'refuse' | 'cut' | null

/** Of each three requests one fails before it arrives, in turns with an error and a cut connection. */
function eachThird(): Trouble {
  let asked = 0
  return () => (++asked % 6 === 0 ? 'cut' : asked % 3 === 0 ? 'refuse' : null)
}

/** In front of a server: some requests fail before they arrive. */
async function troublesome(target: string, troubleOf: Trouble): Promise<Troublesome> {
  let failed = 0
  const server: Server = createServer((from: IncomingMessage, to) => {
    const trouble = troubleOf(from)
    if (trouble !== null) failed++
    if (trouble === 'cut') return void from.socket.destroy()
    if (trouble === 'refuse') {
      from.resume()
      return void to.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    }
    const { port } = new URL(target)
    const forward = request(
      { host: '127.0.0.1', port, method: from.method, path: from.url, headers: from.headers },
      answer => answer.pipe(to.writeHead(answer.statusCode ?? 500, answer.headers)),
    )
    from.pipe(forward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    failures: () => failed,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
