import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { listProcesses, processFolder } from './processes.js'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

/** A projects root beside the records of some processes. */
function rootWith(records: Readonly<Record<string, unknown>>): string {
  const config = mkdtempSync(join(tmpdir(), 'dagline-processes-'))
  made.push(config)
  const root = join(config, 'projects')
  mkdirSync(processFolder(root))
  for (const [name, record] of Object.entries(records))
    writeFileSync(
      join(processFolder(root), name),
      typeof record === 'string' ? record : JSON.stringify(record),
    )
  return root
}

const sessions = (root: string): readonly string[] | undefined =>
  listProcesses(root)?.map(({ session, status }) => `${session} ${status ?? ''}`)

const own = `${process.pid}.json`

describe('processes of Claude Code', () => {
  it('[J1] [M5] the record of a running process', () => {
    const record = { sessionId: 's1', status: 'waiting', waitingFor: 'permission prompt', statusUpdatedAt: 5 }
    const root = rootWith({ [own]: { ...record, cwd: '/home/dev', version: '2.1.327', pid: 1 } })
    expect(listProcesses(root)).toEqual([
      {
        pid: process.pid,
        session: 's1',
        cwd: '/home/dev',
        version: '2.1.327',
        status: 'waiting',
        waitingFor: 'permission prompt',
        since: 5,
      },
    ])
  })

  it('[J1] [M5] a process that was killed leaves a record that does not count', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    expect(sessions(rootWith({ [`${child.pid}.json`]: { sessionId: 's1' } }))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('[J1] a number that was given again', () => {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    expect(sessions(rootWith({ [own]: { sessionId: 's1', procStart: started } }))).toEqual(['s1 '])
    expect(sessions(rootWith({ [own]: { sessionId: 's1', procStart: '1' } }))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('[J1] the numbers of another container say nothing', () => {
    const record = { sessionId: 's1', procStart: '1', pidDomain: 'linux:x:pid:[1]' }
    expect(sessions(rootWith({ [own]: record }))).toEqual(['s1 '])
  })

  it('[J1] only records are read, and only valid ones count', () => {
    const root = rootWith({
      [own]: { sessionId: 7 },
      '0.json': { sessionId: 's1' },
      '1.json': 'torn {"sessi',
      [`${process.pid}.secret.key`]: { sessionId: 's1' },
    })
    expect(sessions(root)).toEqual([])
  })

  it('[J1] older releases keep no records', () => {
    expect(listProcesses(join(tmpdir(), 'dagline-nowhere', 'projects'))).toBe(null)
  })
})
