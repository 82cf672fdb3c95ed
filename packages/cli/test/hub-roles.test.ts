/** HU64: each `dagline hub` command as every role, and with tokens that are worth nothing. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestHome, withHome } from '@dagline/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeToken } from '../../hub/src/access/tokens.js'
import { type HubWorld, NAMES, type Name, startWorld } from '../../hub/test/hub-world.js'
import { hasPostgres } from '../../hub/test/postgres.js'
import { HUB_ACTIONS } from '../src/commands/hub.js'
import { runHere } from './in-process.js'
import { ownFolders, type Ran } from './run.js'

/** A command, and who gets an answer; all others are refused. `null`: it is no question to a hub. */
interface Tried {
  readonly words: readonly string[]
  readonly may: readonly Name[] | null
}

const PUSHERS: readonly Name[] = ['ann', 'ben', 'ada', 'eve']
const ADMINS: readonly Name[] = ['ada', 'eve']

/** A command that is new fails until it says who may use it. */
const COMMANDS: Readonly<Record<string, readonly Tried[]>> = {
  // It keeps an address and a token on this machine.
  connect: [{ words: [], may: null }],
  push: [{ words: ['push'], may: PUSHERS }],
  status: [{ words: ['status'], may: PUSHERS }],
  fetch: [{ words: ['fetch', '--session', 'zqhush', '--out', 'OUT'], may: ['ann'] }],
  // These need the database itself.
  judge: [{ words: ['judge', '--once'], may: [] }],
  serve: [{ words: ['serve', '--port', '0'], may: [] }],
  share: [
    { words: ['share', 'zqhush', 'ben'], may: ['ann'] },
    { words: ['share', 'zqalien', 'everyone'], may: ['eve'] },
  ],
  unshare: [{ words: ['unshare', 'zqhush'], may: ['ann'] }],
  // Its owner may, too, and comes after the admin: then it is gone.
  delete: [{ words: ['delete', 'zqspare'], may: ['ada'] }],
  hold: [{ words: ['hold'], may: ADMINS }],
  policy: [{ words: ['policy', 'github.com/acme/shop', 'private'], may: ADMINS }],
  users: [{ words: ['users'], may: ADMINS }],
  tokens: [
    { words: ['tokens'], may: NAMES },
    // Anybody makes one for a device of the own.
    { words: ['tokens', 'add', 'other', 'read', '1', '--person', 'ben'], may: ['ben', 'ada'] },
  ],
  audit: [{ words: ['audit'], may: ADMINS }],
}

describe.runIf(hasPostgres('commands of a hub by role'))('commands of a hub by role', () => {
  let world: HubWorld
  let expired = ''
  beforeAll(async () => {
    world = await startWorld()
    await world.push('ann', 'zqhush: u1"prompt quince" a1\nzqspare: u11"prompt sloe" a11')
    await world.push('eve', 'zqalien: u21"prompt loquat" a21')
    await world.judge('ann')
    await world.judge('eve')
    expired = await makeToken(world.database, world.people.ada, { name: 'old', scopes: ['admin'], days: 0 })
  }, 240_000)
  afterAll(() => world.close())

  const run = async (home: TestHome, token: string, words: readonly string[]): Promise<Ran> => {
    const env = {
      ...ownFolders(home),
      ...{ XDG_CONFIG_HOME: join(home.config, 'config'), CLAUDE_CONFIG_DIR: home.config },
      ...{ DAGLINE_HUB: world.url, DAGLINE_HUB_TOKEN: token },
    }
    const given = words.map(word => (word === 'OUT' ? join(home.dir, `out-${Math.random()}`) : word))
    return await runHere(['hub', ...given], { env, isTerminal: false })
  }

  it('[HU64] each command says who may use it', () => {
    expect(Object.keys(COMMANDS).toSorted()).toEqual(Object.keys(HUB_ACTIONS).toSorted())
  })

  it('[HU64] a command answers those who may ask, and tells the others nothing', {
    timeout: 240_000,
  }, async () => {
    const words: Readonly<Record<string, Name>> = {
      quince: 'ann',
      loquat: 'eve',
      zqhush: 'ann',
      zqalien: 'eve',
    }
    // Whoever may do something comes last: what the others see is as it was.
    const order: readonly Name[] = ['ruth', 'otto', 'ben', 'eve', 'ada', 'ann']
    for (const name of order)
      await withHome([], async home => {
        mkdirSync(join(home.projects, '-nowhere-shop'), { recursive: true })
        const row = { type: 'user', uuid: crypto.randomUUID(), sessionId: `of-${name}`, cwd: '/nowhere/shop' }
        const text = JSON.stringify({ ...row, message: { role: 'user', content: 'hello' } })
        writeFileSync(join(home.projects, '-nowhere-shop', `of-${name}.jsonl`), `${text}\n`)
        const config = { ...ownFolders(home), XDG_CONFIG_HOME: join(home.config, 'config') }
        await runHere(['config', 'set', 'push', '/nowhere'], {
          env: { ...config, CLAUDE_CONFIG_DIR: home.config },
          isTerminal: false,
        })
        for (const [command, all] of Object.entries(COMMANDS))
          for (const { words: typed, may } of all) {
            if (may === null) continue
            const { stdout, stderr, code } = await run(home, world.tokens[name], typed)
            const what = `${name}: ${command} ${typed.join(' ')}: ${stdout}${stderr}`
            expect(code === 0, what).toBe(may.includes(name))
            expect(stderr, what).not.toMatch(/at .*\.ts:\d+/)
            for (const [word, owner] of Object.entries(words))
              if (owner !== name && !typed.includes(word) && !(name === 'ada' && command === 'audit'))
                expect(`${stdout}${stderr}`, what).not.toContain(word)
          }
      })
  })

  it('[HU64] no command does anything with a token that is forged or over', {
    timeout: 240_000,
  }, async () => {
    const [prefix, id] = world.tokens.ada.split('_')
    await withHome([], async home => {
      for (const token of [expired, `${prefix}_${id}_${'A'.repeat(43)}`])
        for (const command of ['status', 'users', 'audit', 'share', 'delete', 'tokens'] as const) {
          const [tried] = COMMANDS[command] ?? []
          const { stdout, stderr, code } = await run(home, token, tried?.words ?? [])
          expect([code, stdout], `${command} ${stderr}`).toEqual([1, ''])
          expect(stderr).toMatch(/is not valid|rejected this token|Too many wrong tokens/)
        }
    })
  })
})
