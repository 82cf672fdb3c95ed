/** Edits long enough for a helping process, which reads the result while it is written. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type TestHome, until, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { BUNDLE, cleanEnv, dagline, json, ownFolders } from './run.js'

/** With fewer rows no helper is started. */
const ROWS = 60_000
const SESSION = '00000000-0000-4000-8000-000000000000'

function idOf(row: number): string {
  return `11111111-0000-4000-8000-${String(row).padStart(12, '0')}`
}

/** A conversation with a parent in its middle that was never written. */
function longSession(): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const role = row % 2 === 0 ? 'user' : 'assistant'
    const id = role === 'assistant' ? { id: `msg_${row}`, model: 'some-model' } : {}
    return {
      parentUuid: row === 0 ? null : row === ROWS / 2 ? idOf(ROWS) : idOf(row - 1),
      isSidechain: false,
      sessionId: SESSION,
      type: role,
      message: { ...id, role, content: [{ type: 'text', text: `said ${row}` }] },
      uuid: idOf(row),
      timestamp: new Date(1_760_000_000_000 + row * 60_000).toISOString(),
    }
  })
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

interface LongHome extends TestHome {
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

async function withLongSession(use: (home: LongHome) => Promise<void> | void): Promise<void> {
  await withHome([], async home => {
    const folder = join(home.projects, '-home-dev-long')
    mkdirSync(folder)
    const path = join(folder, `${SESSION}.jsonl`)
    writeFileSync(path, longSession())
    utimesSync(path, 0, 0)
    await use({ ...home, folder, env: { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) } })
  })
}

/** Starts a repair and waits until its helper is there. */
async function startRepair({ env }: LongHome): Promise<{ child: ChildProcess; helper: number }> {
  const child = spawn(process.execPath, [BUNDLE, 'repair', SESSION, '--yes'], {
    env: cleanEnv(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let helper = helperOf(child)
  for (; helper === null && child.exitCode === null; helper = helperOf(child)) await setTimeout(5)
  if (helper === null) throw new Error('no helper was started')
  return { child, helper }
}

function helperOf({ pid }: ChildProcess): number | null {
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const found = all.find(name => parentOf(name) === pid && wordsOf(name).includes('prove'))
  return found === undefined ? null : Number(found)
}

function parentOf(process: string): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(textOf(`/proc/${process}/status`))?.[1])
}

function wordsOf(process: string): readonly string[] {
  return textOf(`/proc/${process}/cmdline`).split('\0')
}

/** Empty where the process is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const isGone = (helper: number): boolean => !wordsOf(String(helper)).includes('prove')

describe('a long edit', { timeout: 180_000 }, () => {
  it('[E2] writes the whole conversation, read back by another process', async () => {
    await withLongSession(({ env }) => {
      const made = json(dagline(['repair', SESSION, '--yes', '--json'], env))
      expect(made.reach).toEqual({ before: ROWS / 2, after: ROWS })
      expect(made.live).toHaveLength(ROWS)
      expect(dagline(['repair', made.session, '--yes'], env).stdout).toContain('Nothing to do')
    })
  })

  it('[E2] [E11] whose worker is killed leaves nothing behind, and says so', async () => {
    await withLongSession(async home => {
      const { child, helper } = await startRepair(home)
      let said = ''
      child.stderr?.on('data', data => {
        said += String(data)
      })
      process.kill(helper, 'SIGKILL')
      const [code] = await once(child, 'close')
      expect(code).toBe(1)
      expect(said).toContain('the process that reads the result again ended early (killed): try again.')
      expect(readdirSync(home.folder)).toEqual([`${SESSION}.jsonl`])
    })
  })

  it('[E11] that is killed ends its worker, and the next one is complete', async () => {
    await withLongSession(async home => {
      const { child, helper } = await startRepair(home)
      child.kill('SIGKILL')
      await once(child, 'close')
      await until(() => isGone(helper))
      expect(json(dagline(['repair', SESSION, '--yes', '--json'], home.env)).live).toHaveLength(ROWS)
      expect(readdirSync(home.folder)).toHaveLength(2)
    })
  })
})
