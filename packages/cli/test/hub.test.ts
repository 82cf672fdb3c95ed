/** `dagline hub` as somebody meets it for the first time, with a database of its own. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type TestHome, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { freshDatabase, hasPostgres } from '../../hub/test/postgres.js'
import { runHere, type World } from './in-process.js'
import { ownFolders } from './run.js'

const SESSION = '11111111-0000-4000-8000-000000000001'
const TOKEN = `ghp_${'aZ3kQ9xW1bT7mN5cR2vL8pY4dH6fJ0gS1uEo'}`

function worldOf(home: TestHome): World {
  const config = join(home.config, 'config')
  const env = { ...ownFolders(home), XDG_CONFIG_HOME: config, CLAUDE_CONFIG_DIR: home.config }
  return { env, isTerminal: false }
}

function write(home: TestHome, rows: readonly string[]): void {
  mkdirSync(join(home.projects, '-nowhere-shop'), { recursive: true })
  writeFileSync(join(home.projects, '-nowhere-shop', `${SESSION}.jsonl`), `${rows.join('\n')}\n`)
}

function row(text: string, cwd = '/nowhere/shop'): string {
  const message = { role: 'user', content: text }
  return JSON.stringify({ type: 'user', uuid: crypto.randomUUID(), sessionId: SESSION, cwd, message })
}

describe.runIf(hasPostgres('dagline hub'))('dagline hub', () => {
  it('[HU13] leads from nothing to a first push, and back', { timeout: 120_000 }, async () => {
    const database = await freshDatabase()
    await withHome([], async home => {
      write(home, [row(`use ${TOKEN}`), row('hello')])
      const run = (...words: string[]) => runHere(words, worldOf(home))
      const out = async (...words: string[]): Promise<string> => {
        const { stdout, stderr } = await run(...words)
        return stdout + stderr
      }
      expect(await out('hub', 'push')).toMatch(/nothing leaves this machine[\s\S]+config set push/)
      expect(await out('config', 'set', 'push', '/nowhere')).toContain('push is set')
      expect(await out('hub', 'push')).toMatch(/No hub is set. Run `dagline hub connect URL`/)
      expect(await out('hub', 'push', '--dry-run')).toMatch(/Would push 1 file[\s\S]+1 github-token/)
      expect(await out('hub', 'connect', 'http://hub.example.com')).toMatch(/unencrypted. Give .+https/)
      expect(await out('hub', 'connect', 'ftp://x')).toMatch(/not the address of a hub/)
      expect(await out('hub', 'serve', '--hub', 'postgres://ann@/hub')).toMatch(
        /not the address of a database/,
      )
      expect(await out('hub', 'connect', database)).toMatch(/hub push --dry-run/)
      expect(await out('hub', 'status')).toMatch(/On the hub: 0 files[\s\S]+Waiting: 1 file/)
      expect(await out('hub', 'push')).toMatch(
        /Pushed 1 file of 1 session[\s\S]+Replaced 1 likely secret: 1 github-token/,
      )
      expect(await out('hub', 'push')).toMatch(/Nothing new in 1 session/)
      expect(await out('hub', 'status')).toMatch(/On the hub: 1 file of 1 session[\s\S]+Nothing is waiting/)
      const again = join(home.dir, 'again')
      const fetched = await out(
        'hub',
        'fetch',
        '--session',
        SESSION.slice(0, 8),
        '--out',
        join(home.dir, 'back'),
      )
      expect(fetched).toMatch(/Wrote 1 file[\s\S]+redacted cop[\s\S]+1 placeholder/)
      const { files } = JSON.parse((await run('hub', 'fetch', '--out', again, '--json')).stdout)
      const text = readFileSync(files[0].path, 'utf8')
      expect(text).not.toContain(TOKEN)
      expect(text).toContain(`${row('hello').slice(0, 20)}`)
      expect(statSync(files[0].path).mode & 0o077).toBe(0)
      expect((await run('hub', 'fetch', '--out', again)).code).toBe(1)
      expect(await out('hub', 'fetch', '--session', 'abc', '--out', join(home.dir, 'none'))).toMatch(
        /no session of yours/,
      )
      await run('config', 'set', 'push-deny', '/nowhere/shop')
      write(home, [row('secret plans')])
      expect(await out('hub', 'push')).toMatch(/Held back: 1 session[\s\S]+denied by push-deny/)
      expect(existsSync(join(home.dir, 'none'))).toBe(false)
    })
  })

  it('[HU13] an option that means nothing to an action is refused', async () => {
    await withHome([], async home => {
      const message = async (...words: string[]): Promise<string> =>
        (await runHere(['hub', ...words], worldOf(home))).stderr
      expect(await message('status', '--dry-run')).toContain('belongs to `dagline hub push`')
      expect(await message('push', '--out', 'x')).toContain('belongs to `dagline hub fetch`')
      expect(await message('push', '--watch', '--dry-run')).toContain('not both')
      expect(await message('nothing')).toContain('Give one of connect, push')
      expect(await message('fetch')).toContain('--out FOLDER')
    })
  })

  it('[HU41] persons, tokens, shares, policies and deletion, each in a sentence', {
    timeout: 600_000,
  }, async () => {
    const database = await freshDatabase()
    await withHome([], async home => {
      write(home, [row('hello')])
      const run = (...words: string[]) => runHere(words, worldOf(home))
      const out = async (...words: string[]): Promise<string> => {
        const { stdout, stderr } = await run('hub', ...words)
        return stdout + stderr
      }
      const facts = async (...words: string[]) => JSON.parse((await run('hub', ...words, '--json')).stdout)
      for (const action of ['share', 'unshare', 'delete'])
        expect(await out(action, SESSION, 'ben')).toMatch(/No hub is set. Run `dagline hub connect URL`/)
      await run('config', 'set', 'push', '/nowhere')
      expect(await out('connect', database)).toMatch(/The hub is/)
      expect(await out('push')).toMatch(/Pushed 1 file/)
      // The names below are those of the account, as for a push.
      const { persons } = await facts('users')
      expect(persons).toMatchObject([{ role: 'member', isDisabled: false }])
      const [{ name }] = persons
      expect(await out('users', 'ben', 'reader')).toMatch(/^ben is reader\.\n/)
      expect(await out('users', 'ben', 'boss')).toMatch(/no role boss. Give one of reader, member/)
      expect(await out('tokens', 'add', 'phone', 'read', 'soon', '--person', 'ben')).toMatch(/soon is not/)
      const { token } = await facts('tokens', 'add', 'phone', 'read', '30', '--person', 'ben')
      expect(await out('tokens')).toMatch(/^Device \d+, phone of ben: read; until \S+; never used\.\n$/)
      const { devices } = await facts('tokens')
      expect(JSON.stringify(devices)).not.toContain(token)
      expect(await out('tokens', 'revoke', String(devices[0].device))).toMatch(
        /The token of device \d+ was revoked/,
      )
      expect(await out('share', SESSION.slice(0, 8), 'ben')).toContain(
        `ben can see session ${SESSION} (1 file) now.`,
      )
      expect(await facts('unshare', SESSION)).toMatchObject({ action: 'unshare', session: SESSION, files: 1 })
      expect(await out('policy', 'shop', 'all')).toMatch(/Give "everyone" or "private"/)
      expect(await out('policy', `${hostname().split('.')[0]}:/nowhere/shop`, 'everyone', '365')).toMatch(
        /everyone in the team sees[\s\S]+kept for 365 days/,
      )
      expect(await out('hold', SESSION.slice(0, 8))).toMatch(/Give the reason of the hold/)
      const { hold } = await facts('hold', SESSION.slice(0, 8), 'a', 'dispute')
      expect(await out('hold')).toBe(`Hold ${hold} keeps session ${SESSION}: a dispute\n`)
      expect(await out('delete', SESSION)).toMatch(/A hold keeps session/)
      expect(await out('hold', 'end', String(hold))).toBe(`Hold ${hold} was removed.\n`)
      expect(await out('delete', SESSION)).toMatch(
        /was deleted from the hub. Later pushes do not bring it back/,
      )
      expect(await out('delete', SESSION)).toMatch(/No session of yours/)
      const { rows } = await facts('audit', SESSION)
      expect(rows.map((each: { action: string }) => each.action)).toEqual([
        'delete',
        'hold',
        'unshare',
        'share',
      ])
      // Who is named by --person gets a token; it was made by whoever ran the command.
      const all = await out('audit')
      expect(all).toContain(`Z ${name}: token of ben (phone: read)\n`)
      expect(all).toContain(`Z ${name}: share session ${SESSION} of ${name} (ben)\n`)
      expect(new Set(rows.map((each: { person: string }) => each.person))).toEqual(new Set([name]))
      expect(await out('audit', SESSION)).toMatch(
        new RegExp(`Z ${name}: delete session ${SESSION} of ${name}\\n`),
      )
    })
  })
})
