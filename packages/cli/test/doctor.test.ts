/** `dagline doctor`, run as a process of its own on real files. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { block, dagline, json, onRecorded, onShape, ownFolders } from './run.js'

const CUT = 's1: u1"first words" a1 u2 a2 / s1: ?9 > u3@+1h a3'

describe('a session', () => {
  it('[D13] prints what a resume loads, and each problem with its row, meaning, cost and command', async () => {
    await onShape(CUT, run => {
      const { stdout, code } = run('doctor', 's1')
      expect(code).toBe(0)
      expect(block(stdout.replace(/^.* kB, last.*$/m, 'SIZE'))).toMatchInlineSnapshot(`
        "
        s1  first words
        SIZE

        resume loads ██████▋              2 of 6 entries (33 %); after a repair 6

        missing parent  dangling-parent
          ✗ row 5, 00000000  Its parent 00000000 is not in the file: a resume loses 4 messages before it.
          The parent of an entry is missing from the file, so the conversation is cut in two. A resume loads only what comes
          after the cut, unless the entry before is less than five seconds older.
          → dagline repair s1
        "
      `)
    })
  })

  it('[D13] says so when a session is healthy', async () => {
    await onShape('s1: u1 a1 u2 a2', run => {
      expect(run('doctor', 's1').stdout).toMatch(/4 of 4 entries \(100 %\)\nNo problems were found\./)
    })
  })

  it('[D13] as JSON has the fields of the contract', async () => {
    await onShape(CUT, run => {
      const told = json(run('doctor', 's1', '--json'))
      expect(told.dagline).toBe(1)
      expect(told.sessions).toHaveLength(1)
      expect(told.sessions[0]).toMatchObject({ session: 's1', reach: { now: 2, possible: 6 } })
      expect(told.sessions[0].file).toBe('-home-dev-proj/s1.jsonl')
      const [fault] = told.sessions[0].faults
      expect(Object.keys(fault)).toEqual(
        expect.arrayContaining(['id', 'severity', 'node', 'row', 'message', 'fix']),
      )
      expect(fault).toMatchObject({
        id: 'dangling-parent',
        severity: 'error',
        row: 5,
        fix: 'dagline repair s1',
      })
      expect(told.kinds[0]).toMatchObject({ id: 'dangling-parent' })
    })
  })
})

describe('a root', () => {
  const TWO = `${CUT} / s2: u4 a4 / s3: u5 a5[t1]`

  it('[D13] prints a table, the worst session first, healthy ones with --all', async () => {
    await onShape(TWO, run => {
      const { stdout, stderr, code } = run('doctor')
      expect(code).toBe(0)
      const sessions = [...stdout.matchAll(/^(s\d) /gm)].map(match => match[1])
      expect(sessions).toEqual(['s1'])
      expect(stdout).toContain('3 sessions, 1 affected (1 loses entries);')
      expect(stderr).toContain('2 healthy sessions not shown; --all lists them, with notes.')
      expect(run('doctor', '--all').stdout).toMatch(/^s2 /m)
      expect(run('doctor', '--all').stdout).toMatch(/^s3 /m)
    })
  })

  it('[D13] fits 80 columns, with the command for each kind of problem', async () => {
    const { files } = expandShape(TWO.replace('u4', 'u4"A title that takes all the room that there is"'))
    await withHome(inProject(files), home => {
      const env = { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home), COLUMNS: '80' }
      const table = dagline(['doctor', '--all'], env).stdout.split('\n').slice(0, -3)
      expect(table.filter(line => line.length > 80 && !line.startsWith('`'))).toEqual([])
      expect(table.join('\n')).toMatch(/^dangling-parent .*dagline repair SESSION/m)
    })
  })

  it('[D13] --only selects problems of one kind, and rejects unknown kinds', async () => {
    await onShape(TWO, run => {
      const told = json(run('doctor', '--json', '--only', 'unanswered-call'))
      const ids = told.sessions.flatMap((session: { faults: { id: string }[] }) =>
        session.faults.map(({ id }) => id),
      )
      expect(new Set(ids)).toEqual(new Set(['unanswered-call']))
      expect(ids).toHaveLength(told.sessions.length)
      expect(run('doctor', '--only', 'cycle')).toMatchObject({
        stdout: '',
        stderr: 'No session has a problem of this kind.\n',
      })
      const wrong = run('doctor', '--only', 'nonsense')
      expect(wrong.code).toBe(1)
      expect(wrong.stderr).toContain('There is no kind of problem nonsense. Give one of dangling-parent,')
    })
  })

  it('[D12] finds secrets in tool results', async () => {
    const key = `AKIA${'Q4ZT7XN2VJ6MKW3R'}`
    const result = `r1[t1]+{"message":{"content":[{"type":"tool_result","tool_use_id":"toolu_t1","content":"key ${key}"}]}}`
    await onShape(`s1: u1 a1[t1] ${result} a2`, run => {
      const told = json(run('doctor', 's1', '--json'))
      expect(told.sessions[0].faults.map(({ id }: { id: string }) => id)).toContain('secret')
      expect(JSON.stringify(told)).not.toContain(key)
    })
  })

  it('[D13] changes nothing below the root', async () => {
    await onShape(TWO, (run, home) => {
      const before = hashOf(home.projects)
      run('doctor')
      run('doctor', 's1')
      run('doctor', '--all', '--json')
      expect(hashOf(home.projects)).toBe(before)
    })
  })

  it('[D13] --only lists sessions even when the problem costs nothing', async () => {
    await onShape('s1: u1 a1 u2 a2 / s1: u2 a2 / s2: u3 a3', run => {
      expect(run('doctor').stdout).not.toContain('duplicate-row')
      const told = json(run('doctor', '--json', '--only', 'duplicate-row')).sessions
      expect(told.map(({ session }: { session: string }) => session)).toEqual(['s1'])
    })
  })

  it('[D25] names directories that are gone, also where their new place is not known', async () => {
    await onShape('s1: u1 a1', (run, { dir, projects }) => {
      const gone = ['a', 'b', 'c', 'd', 'e'].map(name => join(dir, `gone-${name}`))
      for (const [at, cwd] of gone.entries()) {
        const folder = join(projects, cwd.replaceAll(/[^A-Za-z0-9]/g, '-'))
        mkdirSync(folder)
        const [file] = expandShape(`s${at + 2}: u${at + 2}+{"cwd":${JSON.stringify(cwd)}} a${at + 2}`).files
        writeFileSync(join(folder, `s${at + 2}.jsonl`), file?.text ?? '')
      }
      const { stderr, code } = run('doctor')
      expect(code).toBe(0)
      expect(
        gone.filter(cwd => stderr.includes(`${cwd} is gone. If it was moved, run \`dagline mv\``)),
      ).toHaveLength(3)
      expect(stderr).toContain('2 more directories are gone; --only missing-folder lists the sessions.')
      expect(run('doctor', '--only', 'missing-folder').stdout.match(/^s\d /gm)).toHaveLength(5)
    })
  })

  it('[D13] says so when only subagents are left', async () => {
    await onShape('s1/x: u2 a2', run => {
      expect(run('doctor')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('no session that can be resumed'),
      })
      expect(run('checkout', 's1#agent-x', '--dry-run').stdout).toContain('A resume loads 2 entries.')
      for (const command of ['doctor', 'checkout', 'repair'])
        expect(run(command, 's1')).toMatchObject({ code: 1, stderr: expect.stringContaining("'s1#agent-x'") })
    })
  })

  it('[D13] says so when there are no sessions', () => {
    const { stderr, code } = dagline(['doctor'])
    expect(code).toBe(0)
    expect(stderr).toContain('No transcripts in')
  })

  it('[D13] finds the recorded projects healthy', () => {
    const told = json(onRecorded('doctor', '--all', '--json'))
    expect(told.sessions.length).toBeGreaterThan(4)
    for (const { reach, session } of told.sessions)
      expect({ session, ...reach }).toMatchObject({ now: reach.possible })
  })
})

/** All names, times and bytes below a folder. */
function hashOf(folder: string): string {
  const hash = createHash('sha256')
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const full = join(folder, path)
    const stats = statSync(full)
    hash.update(`${path} ${stats.mtimeMs} ${stats.size}`)
    if (stats.isFile()) hash.update(readFileSync(full))
  }
  return hash.digest('hex')
}
