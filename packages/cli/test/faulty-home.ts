/** A home on which commands run while one of their reads fails. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expandShape, inProject, type TestHome, withHome } from '@dagline/testkit'
import { type FaultyRan, type ReadFault, runFaulty } from './read-faults.js'
import { settle } from './rested.js'
import { cleanEnv, dagline, json, ownFolders } from './run.js'

const SHAPE =
  's1: u1 a1 u2 a2[t1:Task>x] / s1/x: u3 a3 / s1: a2 > r1[t1>x] a4 / s1: a1 > u5@+30m a5 u6 a6[t2:Bash] r2[t2] a9 / s2: u7 a7 u8<?9 a8'
const SPILL = '<persisted-output>\\nFull output saved to: /x/s1/tool-results/big.txt\\n'

/** A home with two sessions, an agent with its sidecar, and a result that lies beside its transcript. */
export async function inHome<T>(use: (home: TestHome) => Promise<T>): Promise<T> {
  const { files, metas } = expandShape(SHAPE)
  const spilled = files.map(file => ({ ...file, text: file.text.replace('result r2', SPILL) }))
  const result = { path: 's1/tool-results/big.txt', text: 'the whole of the big result' }
  return await withHome(inProject([...spilled, ...metas, result]), async home => {
    for (const path of filesBelow(home.projects)) settle(path)
    return await use(home)
  })
}

/** The files below a folder. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    each => !each.isDirectory(),
  )
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

/** Their hashes, by path. */
export function hashesBelow(folder: string): Readonly<Record<string, string>> {
  const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(filesBelow(folder).map(path => [path.slice(folder.length), hash(path)]))
}

/** What a command left of a copy of the home, in which one read failed. */
export interface Outcome extends FaultyRan {
  readonly root: Readonly<Record<string, string>>
  readonly out: readonly string[]
}

export async function runOnCopy(
  home: TestHome,
  words: readonly string[],
  fault: Omit<ReadFault, 'below'>,
): Promise<Outcome> {
  const dir = `${home.dir}-copy`
  cpSync(home.dir, dir, { recursive: true, preserveTimestamps: true })
  try {
    const copy = { dir, config: join(dir, '.claude'), projects: join(dir, '.claude', 'projects') }
    const out = join(dir, 'out')
    mkdirSync(out)
    const env = cleanEnv({ CLAUDE_CONFIG_DIR: copy.config, ...ownFolders(copy) })
    const filled = words.map(word => word.replace('OUT', out))
    const ran = await runFaulty(filled, env, { below: copy.projects, ...fault })
    return { ...ran, root: hashesBelow(copy.projects), out: filesBelow(out) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Words with `REF`, a prompt that was left, and `LIVE`, the last one, as uuids. */
export function named(home: TestHome, words: readonly string[]): readonly string[] {
  const ran = dagline(['log', 's1', '--all', '--json'], {
    CLAUDE_CONFIG_DIR: home.config,
    ...ownFolders(home),
  })
  const rows: readonly { readonly kind: string; readonly node: string }[] = json(ran).rows
  const prompts = rows.filter(({ kind }) => kind === 'prompt').map(({ node }) => node)
  return words.map(word => word.replace('REF', prompts[1] ?? '').replace('LIVE', prompts.at(-1) ?? ''))
}
