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

function joinedBelow(folder: string): readonly (readonly [path: string, files: number])[] {
  return discover([folder])
    .flatMap(found => joinMoved(found))
    .map(({ path, files }) => [path, files.length])
}

describe('projects with a session in common', () => {
  it('[G1] are read as one, others stay apart', () => {
    write('-a', one, 'notes')
    write('-a-worktree', one, two)
    write('-b', three, 'notes')
    write('-c', two)
    expect(joinedBelow(root)).toEqual([
      ['-a', 5],
      ['-b', 2],
    ])
  })

  it('[A10] subagents in another folder than their session are read with it', () => {
    const home = join(root, 'apart')
    write('apart/-a', one)
    write(`apart/-b/${one}/subagents`, 'agent-x')
    write('apart/-c', two)
    writeFileSync(join(home, '-c/agent-y.jsonl'), `{"type":"user","sessionId":"${one}"}\n`)
    write('apart/-d', three, 'agent-z')
    expect(joinedBelow(home)).toEqual([
      ['-a', 4],
      ['-d', 2],
    ])
  })

  it('[A10] a subagent whose session cannot be read is named', () => {
    const home = join(root, 'unread')
    write('unread/-a', one)
    write('unread/-b', 'agent-x')
    const [found] = discover([home])
    rmSync(join(home, '-b/agent-x.jsonl'))
    mkdirSync(join(home, '-b/agent-x.jsonl'))
    const projects = joinMoved(found ?? { root: home, projects: [] })
    expect(projects.map(({ path, unread }) => [path, unread.map(({ file }) => file)])).toEqual([
      ['-a', []],
      ['-b', ['-b/agent-x.jsonl']],
    ])
  })
})
