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
    try {
      return await use(home)
    } finally {
      rmSync(`${home.dir}-kept`, { recursive: true, force: true })
    }
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

/** What a command left behind when one of its reads failed. */
export interface Outcome extends FaultyRan {
  /** Hashes of the files below the projects root. */
  readonly root: Readonly<Record<string, string>>
  readonly out: readonly string[]
}

/** Runs a command with one read failing, then puts the home back as it was before. */
export async function runOnce(home: TestHome, words: readonly string[], fault: Fault): Promise<Outcome> {
  return await andPutBack(home, () => runAgain(home, words, fault))
}

/** Puts the home back as it was before. */
export async function andPutBack<T>(home: TestHome, use: () => Promise<T>): Promise<T> {
  const kept = keep(home)
  try {
    return await use()
  } finally {
    if (!haveSameFiles(home.dir, kept)) putBack(kept, home)
  }
}

/** A fault; reads below the projects root count unless another folder is given. */
export type Fault = Omit<ReadFault, 'below'> & { readonly below?: string }

/** A copy of the home beside it, which is made again only where the home has changed since. */
function keep({ dir }: TestHome): string {
  const kept = `${dir}-kept`
  if (haveSameFiles(dir, kept)) return kept
  rmSync(kept, { recursive: true, force: true })
  cpSync(dir, kept, { recursive: true, preserveTimestamps: true })
  return kept
}

const haveSameFiles = (one: string, other: string): boolean =>
  JSON.stringify(hashesBelow(one)) === JSON.stringify(hashesBelow(other))

/** Runs a command with one read failing, and leaves the home as the command left it. */
export async function runAgain(home: TestHome, words: readonly string[], fault: Fault): Promise<Outcome> {
  const out = join(home.dir, 'out')
  mkdirSync(out, { recursive: true })
  const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) })
  const filled = words.map(word => word.replace('OUT', out))
  const ran = await runFaulty(filled, env, { below: home.projects, ...fault })
  return { ...ran, root: hashesBelow(home.projects), out: filesBelow(out) }
}

function putBack(kept: string, { dir }: TestHome): void {
  rmSync(dir, { recursive: true, force: true })
  cpSync(kept, dir, { recursive: true, preserveTimestamps: true })
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
