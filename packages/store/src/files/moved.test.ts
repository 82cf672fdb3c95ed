import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { discover } from './discover.js'
import { joinMoved } from './moved.js'

const root = mkdtempSync(join(tmpdir(), 'dagline-moved-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const [one, two, three] = ['1', '2', '3'].map(digit => `${digit.repeat(8)}-0000-4000-8000-000000000000`)

function write(project: string, ...names: (string | undefined)[]): void {
  mkdirSync(join(root, project), { recursive: true })
  for (const name of names) writeFileSync(join(root, project, `${name}.jsonl`), '{"type":"user"}\n')
}

describe('projects with a session in common', () => {
  it('[G1] are read as one, others stay apart', () => {
    write('-a', one, 'notes')
    write('-a-worktree', one, two)
    write('-b', three, 'notes')
    write('-c', two)
    const joined = joinMoved(discover([root])[0]?.projects ?? [])
    expect(joined.map(({ path, files }) => [path, files.length])).toEqual([
      ['-a', 5],
      ['-b', 2],
    ])
  })
})
