/** `sync`, `search`, `usage` and `ls` over the index, as processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeLock } from '@dagline/store'
import { type TestHome, tokenUuid, until } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { BUNDLE, cleanEnv, dagline, json, onShape, ownFolders, type Ran } from './run.js'

const SHAPE = `
s1: u1 a1 u2 a2
s1: a1 > u3@+30m a3
`

function transcriptOf({ projects }: TestHome): string {
  const folder = join(projects, readdirSync(projects)[0] ?? '')
  return join(folder, readdirSync(folder).find(name => name.endsWith('.jsonl')) ?? '')
}

function promptRow(content: string): string {
  const timestamp = '2026-01-02T00:00:00.000Z'
  const message = { role: 'user', content }
  return `${JSON.stringify({ type: 'user', uuid: `new-${content}`, parentUuid: null, timestamp, message })}\n`
}

describe('sync', () => {
  it('[I5] reports what it read, and that the index is up to date', async () => {
    await onShape(SHAPE, run => {
      expect(json(run('sync', '--json'))).toMatchObject({ dagline: 1, files: 1, read: 1, rows: 6 })
      expect(json(run('sync', '--json'))).toMatchObject({ files: 1, read: 0, rows: 0 })
      expect(run('sync').stdout).toMatch(/^Up to date: 1 file/)
    })
  })

  it('[I5] other commands update the index themselves', async () => {
    await onShape(SHAPE, (run, home) => {
      run('sync')
      appendFileSync(transcriptOf(home), promptRow('pangolin'))
      expect(json(run('search', 'pangolin', '--json')).total).toBe(1)
    })
  })
})

describe('sync --watch', () => {
  it('[I5] keeps the index current until it is interrupted', async () => {
    await onShape(SHAPE, async (_, home) => {
      const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
      const child = spawn(process.execPath, [BUNDLE, 'sync', '--watch', '--json'], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      child.stdout.on('data', data => {
        said += String(data)
      })
      await once(child.stderr, 'data')
      appendFileSync(transcriptOf(home), promptRow('narwhal'))
      await until(() => (said.match(/"dagline"/g) ?? []).length >= 2 || child.exitCode !== null)
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      expect((await ended)[0]).toBe(0)
      expect(json(dagline(['search', 'narwhal', '--json'], env)).total).toBe(1)
    })
  })
})

describe('search', () => {
  const first = (ran: Ran) => json(ran).hits[0]

  it('[H6] prints hits by session, with a reference that other commands take', async () => {
    await onShape(SHAPE, run => {
      const hit = first(run('search', 'u2', '--json', '--role', 'human'))
      expect(hit).toMatchObject({
        actor: 'Human',
        field: 'prompt',
        label: { live: false, status: 'abandoned' },
      })
      expect(run('search', 'u2').stdout).toContain('abandoned branch')
      expect(run('show', hit.node).code).toBe(0)
      expect(run('explain', hit.node).code).toBe(0)
    })
  })

  it('[H6] names a session by its id, title and project, as lists do', async () => {
    await onShape('s1: u1"Fix the parser" a1"The pangolin is fixed"', run => {
      const [heading] = run('search', 'pangolin').stdout.split('\n')
      expect(heading).toBe('s1  Fix the parser  dev/proj')
    })
  })

  it('[H5] filters by branch', async () => {
    await onShape(SHAPE, run => {
      expect(json(run('search', 'u2', '--branch', 'live', '--json')).total).toBe(0)
      expect(json(run('search', 'u2', '--branch', 'abandoned', '--json')).total).toBeGreaterThan(0)
    })
  })

  it('[H14] finds only what the model saw at an answer', async () => {
    await onShape('s1: u1"the heron" a1 u2"another heron" a2\ns1: a1 > u3"a third heron"@+30m a3', run => {
      const found = (...words: string[]): readonly string[] =>
        json(run('search', ...words, '--json')).hits.map(({ snippet }: { snippet: string }) => snippet)
      expect(found('heron', '--seen-at', tokenUuid('a2')).toSorted()).toEqual(['another heron', 'the heron'])
      expect(found('--seen-at', tokenUuid('a3'), '--role', 'human')).toEqual(['a third heron', 'the heron'])
      expect(found('another', '--seen-at', tokenUuid('a3'))).toEqual([])
      expect(run('search', 'heron', '-l', '--seen-at', tokenUuid('a3')).stdout).toMatch(/\bs1 +2 /)
      expect(run('search', 'heron', '--seen-at', 'nowhere')).toMatchObject({ code: 1, stdout: '' })
    })
  })

  it('[H7] a pattern that takes for ever ends with a sentence', async () => {
    await onShape(`s1: u1"${'a'.repeat(60)}b" a1"walrus"`, run => {
      const ran = run('search', '--regex', '(a+)+$|walrus')
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('takes too long on 1 text') })
      expect(ran.stdout).toContain('walrus')
    })
  })

  it('[H10] says what it searched for where nothing has the words', async () => {
    await onShape(SHAPE, (run, home) => {
      appendFileSync(transcriptOf(home), promptRow('notifications'))
      const note = 'No entry has "tificatio"; searched for words that contain "tificatio" ("notifications").'
      expect(run('search', 'tificatio').stdout.split('\n')[0]).toBe(note)
      expect(json(run('search', 'tificatio', '--json'))).toMatchObject({
        total: 1,
        note,
        replaced: [{ typed: 'tificatio', kind: 'parts', searched: ['notifications'] }],
      })
      expect(run('search', 'tificatio', '--json').stderr).toBe('')
      expect(run('search', 'notifcation').stdout).toContain('"notifcation"; searched for "notifications".\n')
      expect(json(run('search', 'notif', '--json'))).toMatchObject({ total: 1, note: null, replaced: [] })
      expect(run('search', 'quagga').stderr).toContain('--regex')
    })
  })

  it('[H1] says what to do when nothing is found', async () => {
    await onShape(SHAPE, run => {
      expect(run('search', 'nowhere').stderr).toContain('Nothing found.')
      expect(run('search', '++').stderr).toContain('--regex')
      expect(run('search')).toMatchObject({ code: 1, stdout: '' })
      expect(run('search', '--regex', '(').stderr).toContain('not a valid pattern: put a backslash')
      expect(run('search', '--regex', '(?i)x').stderr).toContain('Case is ignored anyway.')
      expect(run('search', 'x', '--since', 'soon').stderr).toContain('not a valid date')
    })
  })
})

describe('an index that cannot be used', () => {
  it('[I7] a damaged index is rebuilt, another file is not changed', async () => {
    await onShape(SHAPE, (run, home) => {
      run('sync')
      const cache = join(home.config, 'cache', 'dagline')
      const index = join(cache, readdirSync(cache).find(name => name.endsWith('.db')) ?? '')
      writeFileSync(index, 'garbage'.repeat(1000))
      expect(json(run('search', 'u2', '--json')).total).toBeGreaterThan(0)
      const foreign = join(home.config, 'foreign.txt')
      writeFileSync(foreign, 'not an index'.repeat(1000))
      const { code, stderr } = run('search', 'u2', '--index', foreign)
      expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 })
      expect(existsSync(foreign)).toBe(true)
    })
  })

  it('[I7] a locked index is read as it is', async () => {
    await onShape(SHAPE, (run, home) => {
      run('sync')
      const cache = join(home.config, 'cache', 'dagline')
      const index = join(cache, readdirSync(cache).find(name => name.endsWith('.db')) ?? '')
      const unlock = takeLock(index, 0)
      const ran = run('search', 'u2', '--json')
      unlock?.()
      expect(json(ran).total).toBeGreaterThan(0)
      expect(ran.stderr).toContain('Another dagline is bringing the index up to date')
    })
  })

  it('[I7] lists sessions when no index can be written', async () => {
    await onShape(SHAPE, (_, home) => {
      const noFolder = join(home.config, 'file')
      writeFileSync(noFolder, '')
      const ran = dagline(['ls', '--json'], { CLAUDE_CONFIG_DIR: home.config, XDG_CACHE_HOME: noFolder })
      expect({ code: ran.code, sessions: json(ran).sessions.length }).toEqual({ code: 0, sessions: 1 })
      expect(ran.stderr).toMatch(/cannot be opened: .*\. The transcripts are read instead\.\n$/)
    })
  })
})
