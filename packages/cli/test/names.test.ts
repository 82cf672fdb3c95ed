import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestHome, tokenUuid } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { json, onShape, type Ran } from './run.js'

const REWIND = `
s1: u1"Mend the tax" a1 u2"Use decimals" a2
s1: a1 > u3"Round once"@+30m a3
s2: u4"Something else" a4
`
const U1 = tokenUuid('u1')
const U3 = tokenUuid('u3')
const LEFT = tokenUuid('u2')

type Run = (...words: string[]) => Ran

async function world<T>(use: (run: Run, home: TestHome) => T): Promise<T> {
  return await onShape(REWIND, use)
}

/** A hash over every file below a folder. */
function hashOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(item => item.isFile())
  const hash = createHash('sha256')
  for (const { parentPath, name } of files) hash.update(readFileSync(join(parentPath, name)))
  return hash.digest('hex')
}

describe('name', () => {
  it('[N1] the name of a session is accepted wherever a SESSION is', async () => {
    await world(run => {
      expect(run('name', 's2', 'side work').stderr).toBe('The session s2 is now named side work.\n')
      expect(run('log', 'side work').stdout).toContain('Something else')
      expect(json(run('log', 'side work', '--json')).name).toBe('side work')
      expect(run('show', `side work:${tokenUuid('u4')}`).stdout).toContain('Something else')
    })
  })

  it('[N1] the name of a branch is accepted wherever a REF is', async () => {
    await world(run => {
      expect(run('name', `s1@${LEFT}`, 'decimals').code).toBe(0)
      expect(json(run('explain', 'decimals', '--json')).node).toBe(tokenUuid('u2'))
      expect(run('log', 'decimals').stdout).toContain('Use decimals')
      expect(run('log', 'decimals').stdout).not.toContain('Round once')
      expect(run('log', 's1', '--branch', 'decimals').stdout).toContain('Use decimals')
    })
  })

  it('[N1] the first entry of a branch stands for the branch, any other for itself', async () => {
    await world(run => {
      expect(json(run('name', U3, 'rounding', '--json'))).toMatchObject({ kind: 'branch', session: 's1' })
      expect(json(run('name', U1, 'begin', '--json'))).toMatchObject({ kind: 'entry', id: U1, session: 's1' })
      expect(json(run('explain', 'begin', '--json')).node).toBe(U1)
      expect(json(run('name', 'latest', 'newest', '--json')).kind).toBe('session')
    })
  })

  it('[N5] names are shown wherever a named session, branch or entry is, as text and as JSON', async () => {
    await world(run => {
      run('name', 's1', 'tax')
      run('name', `s1@${LEFT}`, 'decimals')
      run('tag', 's1', 'shop')
      for (const words of [['ls'], ['tree']])
        expect(run(...words).stdout).toContain('tax: Mend the tax #shop')
      expect(run('log', 's1').stdout).toMatch(/\ntax #shop\n/)
      expect(run('log', 's1').stdout).toMatch(/abandoned branch @\S+ decimals, 2 messages/)
      expect(run('log', 's1', '--graph').stdout).toMatch(/\[abandoned @\S+ decimals\]/)
      expect(run('branches', 's1').stdout).toContain('decimals: Use decimals')
      expect(run('search', 'decimals').stdout).toMatch(
        /s1 {2}tax: Mend the tax #shop {2}\S+\n.*abandoned branch, decimals/,
      )
      const named = { name: 'tax', tags: ['shop'] }
      for (const command of ['ls', 'tree']) {
        const { sessions } = json(run(command, '--json'))
        expect(sessions.find((each: { session: string }) => each.session === 's1')).toMatchObject(named)
        expect(sessions.find((each: { session: string }) => each.session === 's2')).not.toHaveProperty('tags')
      }
      const [fork] = json(run('branches', 's1', '--json')).forks
      expect(fork.children.map((child: { name?: string }) => child.name)).toEqual(['decimals', undefined])
      const [hit] = json(run('search', 'decimals', '--json')).hits
      expect(hit).toMatchObject({ ...named, label: { name: 'decimals' } })
    })
  })

  it('[N1] lists and removes names, and rejects a name that is in use', async () => {
    await world(run => {
      run('name', 's1', 'tax')
      expect(run('name', 's2', 'tax').stderr).toContain('session s1 is called tax already')
      expect(json(run('name', '--json')).labels).toMatchObject([{ id: 's1', name: 'tax' }])
      expect(run('name').stdout).toMatch(/^name +of +id\ntax +session +s1\n$/)
      expect(run('name', 'tax', '--remove').code).toBe(0)
      expect(run('name').stderr).toContain('Nothing has a name yet')
      expect(run('name', 's1', '--remove')).toMatchObject({ code: 1 })
      expect(run('name', 's1', 'latest').stderr).toContain('it means the latest session')
      expect(run('name', 'nothing-like-it', 'x').stderr).toMatch(
        /^dagline: No session, branch, subagent or entry is called nothing-like-it/,
      )
    })
  })
})

describe('tag', () => {
  it('[N2] counts tags, filters `ls`, and removes tags', async () => {
    await world(run => {
      run('tag', 's1', '#money', 'shop')
      run('tag', tokenUuid('u4'), 'money')
      expect(run('tag').stdout).toBe('tag     count\n#money      2\n#shop       1\n')
      const sessionsWith = (tag: string): string[] =>
        json(run('ls', '--tag', tag, '--json')).sessions.map((each: { session: string }) => each.session)
      expect(sessionsWith('money').sort()).toEqual(['s1', 's2'])
      expect(sessionsWith('#shop')).toEqual(['s1'])
      expect(run('tag', 's1', 'money', '--remove').stderr).toBe('The session s1 is tagged shop.\n')
      expect(run('tag', 's1', 'money', '--remove').stderr).toContain('not tagged money. Its tags are shop')
      expect(json(run('tag', 's1', '--json')).tags).toEqual(['shop'])
    })
  })
})

describe('note', () => {
  it('[N3] is written, shown, listed and removed', async () => {
    await world(run => {
      expect(run('note', 's1', 'look', 'at', 'rounding').code).toBe(0)
      expect(run('note', 's1').stdout).toBe('look at rounding\n')
      expect(run('note').stdout).toMatch(/session +s1 +look at rounding/)
      expect(run('log', 's1').stdout).toContain('\n  look at rounding\n')
      expect(run('note', 's1', '--remove').stderr).toBe('The session s1 no longer has a note.\n')
      expect(run('note', 's1', '--remove').code).toBe(1)
    })
  })
})

describe('the file of names', () => {
  it('[N4] transcripts are never changed', async () => {
    await world((run, home) => {
      const before = hashOf(home.projects)
      run('name', 's1', 'tax')
      run('tag', U1, 'x')
      run('note', `s1@${LEFT}`, 'text')
      expect(hashOf(home.projects)).toBe(before)
      expect(readdirSync(join(home.config, 'data', 'dagline')).sort()).toEqual([
        'names.json',
        'names.json.lock',
      ])
    })
  })

  it('[N4] a damaged file is reported and not overwritten, and commands still read', async () => {
    await world((run, home) => {
      const folder = join(home.config, 'data', 'dagline')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'names.json'), '{"dagline":1,"labels":[{')
      const listed = run('log', 's1')
      expect(listed.code).toBe(0)
      expect(listed.stdout).toContain('Mend the tax')
      expect(listed.stderr).toContain('names.json is not a valid file of names')
      expect(run('name', 's1', 'tax').code).toBe(1)
      expect(readFileSync(join(folder, 'names.json'), 'utf8')).toBe('{"dagline":1,"labels":[{')
    })
  })
})
