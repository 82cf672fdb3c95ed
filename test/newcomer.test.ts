/** What a newcomer does: a copy of the repository in an empty folder, the two commands of the README, its example. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readText } from '../scripts/lib/sources.ts'
import { copyRepository, newcomerEnv } from './newcomer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dagline-newcomer-'))
const checkout = join(folder, 'dagline')
const home = join(folder, 'home')
const SETUP = 240_000

const [start = ''] = /^npm ci && npm start$/m.exec(readText('README.md')) ?? []
const [, program = ''] =
  /<!-- generated: example:open.ts -->\n```ts\n([\s\S]*?)```/.exec(readText('README.md')) ?? []

let server: ChildProcess
let address: URL

beforeAll(async () => {
  copyRepository(checkout)
  mkdirSync(home)
  server = spawn(start, {
    cwd: checkout,
    env: newcomerEnv(home),
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  address = await printedAddress(server)
}, SETUP)

afterAll(() => {
  if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

describe('a newcomer', () => {
  it('gets the viewer by `npm ci && npm start`, without a terminal', async () => {
    const page = await fetch(address)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(server.exitCode).toBe(null)
  })

  it('sees samples with titles as people give them, until there are sessions', async () => {
    await expect.poll(sampleTitles, { timeout: 20_000 }).toContain('Round order totals once')
    expect((await sampleTitles()).filter(title => title.includes('#'))).toEqual([])
  })

  it('runs the example of the README with plain node', () => {
    const use =
      "console.log((await openProject('fixtures/samples/projects/-home-dev-shop')).sessions().length)"
    writeFileSync(join(checkout, 'program.ts'), `${program}\n${use}\n`)
    const node = join(checkout, 'node_modules', '.bin', 'node')
    const printed = execFileSync(node, ['program.ts'], {
      cwd: checkout,
      env: newcomerEnv(home),
      encoding: 'utf8',
    })
    expect(printed).toBe('3\n')
  })
})

/** The address that the command prints, once it serves. */
async function printedAddress({ stdout, stderr }: ChildProcess): Promise<URL> {
  if (stdout === null || stderr === null) throw new TypeError('The command has no output')
  const complaints = text(stderr)
  let printed = ''
  for await (const chunk of stdout) {
    printed += chunk
    const [found] = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(printed) ?? []
    if (found !== undefined) {
      stdout.resume()
      return new URL(found)
    }
  }
  throw new Error(`${start} ended without an address:\n${printed}\n${await complaints}`)
}

interface HomeReply {
  readonly isSample: boolean
  readonly items: readonly { readonly card: { readonly title: string } }[]
}

async function sampleTitles(): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${address.searchParams.get('token')}` }
  const reply = await fetch(new URL('/api/home', address), { headers })
  const { value } = (await reply.json()) as { value: HomeReply }
  return value.isSample ? value.items.map(({ card }) => card.title) : []
}
