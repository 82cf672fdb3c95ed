/**
 * Real S3 servers on the loopback address. s3rver is taken from `DAGLINE_S3RVER`, or npm installs it into the cache folder. moto
 * checks signatures and knows conditional writes; `DAGLINE_PYTHON` names a Python that has `moto[s3,server]`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { testCache } from '../../../scripts/lib/cache.ts'

/** A server with an empty bucket `lake`. */
export interface S3Server {
  readonly url: string
  readonly close: () => Promise<void>
}

/** A kind of server. */
export interface S3Kind {
  readonly name: string
  /** Whether it refuses writes whose condition does not hold. */
  readonly hasConditions: boolean
  readonly start: (folder: string) => Promise<S3Server>
}

const VERSION = '3.7.1'

/** The servers that can be had here. */
export function availableServers(): readonly S3Kind[] {
  return [s3rver(), moto()].filter(kind => kind !== null)
}

/** What both of them take. */
export const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'us-east-1' }

function s3rver(): S3Kind | null {
  const given = process.env['DAGLINE_S3RVER'] ?? ''
  const home = given === '' ? testCache(`s3rver-${VERSION}`) : given
  const isThere = (): boolean => existsSync(join(home, 'node_modules', 's3rver', 'package.json'))
  if (!isThere() && given === '') install(home)
  if (!isThere()) return null
  return {
    name: 's3rver',
    hasConditions: false,
    start: async folder => {
      const S3rver = createRequire(join(home, 'package.json'))('s3rver')
      const server = new S3rver({
        ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
        configureBuckets: [{ name: 'lake' }],
      })
      const { port } = await server.run()
      return { url: `http://127.0.0.1:${port}`, close: async () => await server.close() }
    },
  }
}

function install(home: string): void {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `s3rver@${VERSION}`]
  spawnSync('npm', words, { cwd: home, timeout: 120_000, shell: process.platform === 'win32' })
}

function moto(): S3Kind | null {
  const python = process.env['DAGLINE_PYTHON'] ?? ''
  if (python === '' || spawnSync(python, ['-c', 'import moto, flask']).status !== 0) return null
  return {
    name: 'moto',
    hasConditions: true,
    start: async () => {
      const url = `http://127.0.0.1:${await freePort()}`
      const server = spawn(python, ['-m', 'moto.server', '-p', new URL(url).port], { stdio: 'ignore' })
      for (let isUp = false; !isUp; )
        isUp = await fetch(`${url}/lake`, { method: 'PUT' }).then(
          ({ ok }) => ok,
          async () => await setTimeout(200, false),
        )
      return {
        url,
        close: async () => {
          const closed = new Promise(resolve => server.on('close', resolve))
          server.kill('SIGKILL')
          await closed
        },
      }
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.on('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
