/** What a newcomer does: a copy of the repository in an empty folder, the two commands of the README, its example. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, readText } from './lib/sources.ts'

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
  copyRepository()
  server = spawn(start, {
    cwd: checkout,
    env: newcomerEnv(),
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
    const use = "console.log(openProject('fixtures/samples/projects/-home-dev-shop').sessions().length)"
    writeFileSync(join(checkout, 'program.ts'), `${program}\n${use}\n`)
    const node = join(checkout, 'node_modules', '.bin', 'node')
    const printed = execFileSync(node, ['program.ts'], {
      cwd: checkout,
      env: newcomerEnv(),
      encoding: 'utf8',
    })
    expect(printed).toBe('3\n')
  })
})

/** All files that belong to the repository, as they are now. */
function copyRepository(): void {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  for (const file of files.filter(file => file !== '' && existsSync(join(ROOT, file)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(ROOT, file), join(checkout, file))
  }
  mkdirSync(home)
}

/** The machine's own Node and npm with its settings and cache, and nothing of this checkout. */
function newcomerEnv(): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^npm_|^(INIT_CWD|NODE_OPTIONS|NODE_ENV|VITEST.*|CLAUDE_.*|XDG_.*)$/.test(name)
      ? []
      : [[name, value] as const],
  )
  const path = (process.env['PATH'] ?? '').split(delimiter).filter(part => !part.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    HOME: home,
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  }
}

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
  readonly sessions: readonly { readonly title: string }[]
}

async function sampleTitles(): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${address.searchParams.get('token')}` }
  const reply = await fetch(new URL('/api/home', address), { headers })
  const { value } = (await reply.json()) as { value: HomeReply }
  return value.isSample ? value.sessions.map(({ title }) => title) : []
}
