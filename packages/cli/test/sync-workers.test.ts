/** A sync that is large enough for helping processes, killed at random moments. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { BUNDLE, cleanEnv, dagline, ownFolders } from './run.js'

const FILES = 16
const ROWS = 400
/** Two megabytes a file: with fewer than 24 in all no helper is started. */
const TEXT = 'several words that fill the rows of a large root '.repeat(85)

function session(number: number): string {
  const id = (row: number) =>
    `${String(number).padStart(8, '0')}-0000-4000-8000-${String(row).padStart(12, '0')}`
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    type: 'user',
    uuid: id(row),
    parentUuid: row === 0 ? null : id(row - 1),
    sessionId: id(0),
    timestamp: new Date(1_760_000_000_000 + number * 1_000_000 + row * 1000).toISOString(),
    message: { role: 'user', content: `prompt ${number} ${row} ${TEXT}` },
  }))
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

it('[I6] is correct after kill -9 at any moment, and its workers exit silently', {
  timeout: 120_000,
}, async () => {
  await withHome([], async home => {
    const folder = join(home.projects, '-home-dev-large')
    mkdirSync(folder)
    for (let number = 0; number < FILES; number++)
      writeFileSync(
        join(folder, `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000.jsonl`),
        session(number),
      )
    const env = { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
    let said = ''
    for (const pause of [120, 200, 280, 360, 440, 520]) {
      const child = spawn(process.execPath, [BUNDLE, 'sync', '--quiet'], {
        env: cleanEnv(env),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const closed = once(child, 'close')
      child.stderr.on('data', data => {
        said += String(data)
      })
      await setTimeout(pause)
      child.kill('SIGKILL')
      await closed
    }
    expect(said).toBe('')
    const other = { ...env, XDG_CACHE_HOME: join(home.dir, 'other') }
    for (const words of [
      ['ls', '--json'],
      ['search', 'prompt', '7', '--json', '--limit', '1000'],
    ]) {
      const kept = dagline(words, env)
      expect({ code: kept.code, stdout: kept.stdout }).toEqual({
        code: 0,
        stdout: dagline(words, other).stdout,
      })
    }
  })
})
