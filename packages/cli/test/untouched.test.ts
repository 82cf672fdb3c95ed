/** No command changes a transcript that is there: the whole root, by its bytes, before and after each. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { json, onShape, type Ran, REPOSITORY } from './run.js'

const SHAPE =
  's1: u1 a1 u2 a2[t1:Task>x] / s1/x: u3 a3 / s1: a2 > r1[t1>x] a4 / s1: a1 > u5@+30m a5 u6 a6 / s2: u7 a7 u8<?9 a8'

/** Commands that go on until they are ended, or start what does. */
const ENDLESS = ['open', 'serve', 'tail', 'mcp']
/** A move is what changes a root; its own tests hold it to its word. */
const MOVING = ['mv']
/** It needs a repository, as the tests of blame make one, and reads as `blame` does. */
const IN_GIT = ['commits']

/** What each command is told; `REF` is a prompt on a branch that was left, `LIVE` the last one. */
const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  hub: [['push', '--dry-run']],
  log: [['s1'], ['s1', '--all', '--graph']],
  show: [['REF']],
  branches: [['s1']],
  diff: [['s1', 's2'], ['REF']],
  context: [['s1'], ['--all', '--json']],
  tree: [[]],
  timeline: [['s1']],
  explain: [['REF']],
  ls: [[], ['--all']],
  agents: [[], ['s1']],
  files: [[], ['s1']],
  prompts: [[], ['s1']],
  now: [[]],
  lessons: [[]],
  sql: [['--list']],
  config: [[], ['set', 'theme', 'dark']],
  waste: [[]],
  blame: [[join(REPOSITORY, 'package.json')]],
  search: [['u1']],
  usage: [[]],
  stats: [['s1']],
  census: [[]],
  graph: [[]],
  doctor: [[], ['s2']],
  repair: [
    ['s2', '--yes'],
    ['s2', '--dry-run'],
  ],
  checkout: [['s1'], ['REF'], ['s1#agent-x']],
  fork: [['REF']],
  pick: [['REF', '--onto', 's1']],
  trim: [['s1', '--outputs', '10', '--images', '--thinking', '--progress']],
  split: [['s1', '--at', 'LIVE']],
  history: [[]],
  undo: [[], ['1']],
  export: [
    ['s1', '--out', 'OUT/page.html'],
    ['s1', '--format', 'jsonl', '--out', 'OUT/copy.jsonl'],
  ],
  archive: [[], ['verify'], ['stats']],
  restore: [['s1', '--out', 'OUT/restored']],
  name: [['s1', 'first', 'try'], []],
  tag: [['s1', 'good'], []],
  note: [['s1', 'as', 'it', 'was'], []],
  sync: [[]],
  completion: [['bash']],
  statusline: [['--measure', 's1']],
  help: [[]],
}

/** The bytes and modes of every file below the root. */
function everything({ projects }: TestHome): Readonly<Record<string, string>> {
  const files = readdirSync(projects, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const paths = files.map(entry => join(entry.parentPath, entry.name)).sort()
  return Object.fromEntries(paths.map(path => [path.slice(projects.length), stampOf(path)]))
}

function stampOf(path: string): string {
  const { mtimeMs, mode } = statSync(path)
  return `${createHash('sha256').update(readFileSync(path)).digest('hex')} ${mode} ${mtimeMs}`
}

describe('the root', () => {
  it('[E1] is unchanged after every command, except for new sessions', {
    timeout: 240_000,
  }, async () => {
    await onShape(SHAPE, (run, home) => {
      for (const path of Object.keys(everything(home))) rest(join(home.projects, path))
      const before = everything(home)
      const prompts = promptsOf(run)
      const [, ref = ''] = prompts
      const live = prompts.at(-1) ?? ''
      const fill = (word: string): string =>
        word.replace('REF', ref).replace('LIVE', live).replace('OUT', home.dir)
      for (const [command, calls] of Object.entries(COMMANDS))
        for (const words of calls) {
          const ran = run(command, ...words.map(fill))
          expect([command, ...words, ran.code, ran.stderr]).toEqual([
            command,
            ...words,
            0,
            expect.any(String),
          ])
          expect([command, ...words, everything(home)]).toEqual([
            command,
            ...words,
            expect.objectContaining(before),
          ])
        }
    })
  })

  it('[E1] every command is tried here', async () => {
    await onShape('s1: u1 a1', run => {
      const names = [...run('--help').stdout.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name)
      const known = [...Object.keys(COMMANDS), ...ENDLESS, ...MOVING, ...IN_GIT]
      expect(names.filter(name => !known.includes(name ?? ''))).toEqual([])
      expect(names.length).toBeGreaterThan(25)
    })
  })
})

/** A file that was written to just now seems to be in use. */
function rest(path: string): void {
  spawnSync('touch', ['-d', new Date(Date.now() - 3_600_000).toISOString(), path])
}

function promptsOf(run: (...words: string[]) => Ran): readonly string[] {
  const rows: readonly { readonly kind: string; readonly node: string }[] = json(
    run('log', 's1', '--all', '--json'),
  ).rows
  return rows.filter(({ kind }) => kind === 'prompt').map(({ node }) => node)
}
