/** What could not be read is never written: every read of every command that writes fails once. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { type FaultyRan, type ReadFault, runFaulty } from './read-faults.js'
import { settle } from './rested.js'
import { cleanEnv, dagline, json, ownFolders } from './run.js'

const SHAPE =
  's1: u1 a1 u2 a2[t1:Task>x] / s1/x: u3 a3 / s1: a2 > r1[t1>x] a4 / s1: a1 > u5@+30m a5 u6 a6[t2:Bash] r2[t2] a9 / s2: u7 a7 u8<?9 a8'
const SPILL = '<persisted-output>\\nFull output saved to: /x/s1/tool-results/big.txt\\n'

/** Commands that write, with words for the conversation: `REF` is a prompt that was left, `LIVE` the last one. */
const EDITS: readonly (readonly string[])[] = [
  ['repair', 's2', '--yes'],
  ['repair', 's2', '--yes', '--in-place'],
  ['checkout', 's1'],
  ['checkout', 'latest'],
  ['checkout', 'REF'],
  ['checkout', 's1#agent-x'],
  ['fork', 'LIVE'],
  ['pick', 'REF', '--onto', 's1'],
  ['trim', 's1', '--outputs', '10', '--progress'],
  ['split', 's1', '--at', 'LIVE'],
  ['mv', '/home/dev/proj', '/srv/proj', '--yes', '--deep'],
]
const FORMATS = ['html', 'md', 'json', 'jsonl', 'parquet']
const EXPORTS: readonly (readonly string[])[] = [
  ...FORMATS.map(format => ['export', 's1', '--branch', 'all', '--format', format, '--out', 'OUT/made']),
  ['export', 's1', '--format', 'md', '--redact', '--out', 'OUT/made'],
  ['export', '--project', 'proj', '--format', 'md', '--out', 'OUT/made'],
]

/** A home with two sessions, an agent with its sidecar, and a result that lies beside its transcript. */
async function inHome<T>(use: (home: TestHome) => Promise<T>): Promise<T> {
  const { files, metas } = expandShape(SHAPE)
  const spilled = files.map(file => ({ ...file, text: file.text.replace('result r2', SPILL) }))
  const result = { path: 's1/tool-results/big.txt', text: 'the whole of the big result' }
  return await withHome(inProject([...spilled, ...metas, result]), async home => {
    for (const path of filesBelow(home.projects)) settle(path)
    return await use(home)
  })
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    each => !each.isDirectory(),
  )
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

function hashesBelow(folder: string): Readonly<Record<string, string>> {
  const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(filesBelow(folder).map(path => [path.slice(folder.length), hash(path)]))
}

/** What a command left of a copy of the home, in which one read failed. */
interface Outcome extends FaultyRan {
  readonly root: Readonly<Record<string, string>>
  readonly out: readonly string[]
}

async function runOnCopy(
  home: TestHome,
  words: readonly string[],
  { at, kind }: Pick<ReadFault, 'at' | 'kind'>,
): Promise<Outcome> {
  const dir = `${home.dir}-copy`
  cpSync(home.dir, dir, { recursive: true, preserveTimestamps: true })
  try {
    const copy = { dir, config: join(dir, '.claude'), projects: join(dir, '.claude', 'projects') }
    const out = join(dir, 'out')
    mkdirSync(out)
    const env = cleanEnv({ CLAUDE_CONFIG_DIR: copy.config, ...ownFolders(copy) })
    const filled = words.map(word => word.replace('OUT', out))
    const ran = await runFaulty(filled, env, { below: copy.projects, at, kind })
    return { ...ran, root: hashesBelow(copy.projects), out: filesBelow(out) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** `REF` and `LIVE` as uuids. */
function named(home: TestHome, words: readonly string[]): readonly string[] {
  const ran = dagline(['log', 's1', '--all', '--json'], {
    CLAUDE_CONFIG_DIR: home.config,
    ...ownFolders(home),
  })
  const rows: readonly { readonly kind: string; readonly node: string }[] = json(ran).rows
  const prompts = rows.filter(({ kind }) => kind === 'prompt').map(({ node }) => node)
  return words.map(word => word.replace('REF', prompts[1] ?? '').replace('LIVE', prompts.at(-1) ?? ''))
}

/** Runs a command once for every one of its reads, each time with that one failing. */
async function failEach(home: TestHome, given: readonly string[], kind: string): Promise<readonly string[]> {
  const words = named(home, given)
  const before = hashesBelow(home.projects)
  const well = await runOnCopy(home, words, { at: 0, kind })
  if (well.code !== 0) return [`without a fault: ${well.code} ${well.stderr}`]
  const wrong: string[] = []
  for (let at = 1; at <= well.reads; at++) {
    const { code, stderr, root, out } = await runOnCopy(home, words, { at, kind })
    const isSentence = /could not be read|was cut/.test(stderr) && !stderr.includes('internal error')
    if (code !== 1 || !isSentence) wrong.push(`read ${at} of ${well.reads}: exit ${code}, ${stderr}`)
    if (JSON.stringify(root) !== JSON.stringify(before)) wrong.push(`read ${at}: the root changed`)
    if (out.length > 0) wrong.push(`read ${at}: ${out} was left`)
  }
  return wrong
}

describe('a read that fails', () => {
  it.each(EDITS)('[E12] refuses the edit: %s %s %s %s', { timeout: 240_000 }, async (...words) => {
    await inHome(async home => {
      expect(await failEach(home, words, 'EIO')).toEqual([])
      expect(await failEach(home, words, 'cut')).toEqual([])
    })
  })

  it.each(EXPORTS)('[E12] refuses the export: %s %s %s %s %s %s', { timeout: 240_000 }, async (...words) => {
    await inHome(async home => {
      expect(await failEach(home, words, 'EIO')).toEqual([])
      expect(await failEach(home, words, 'cut')).toEqual([])
    })
  })
})
