/** What the adapters share: the arguments, the answer, and the sentence where a reader is not installed. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

/** The exit code of an adapter whose reader is not installed; the scorer skips it. */
export const NOT_INSTALLED = 69

/** Thrown where the reader is not installed; the message says how to install it. */
export class NotInstalled extends Error {}

/**
 * Prints what a reader says of the projects root that the command line names.
 * @param {{version: () => string | Promise<string>, read: (root: string, version: string) => object | Promise<object>}} reader
 */
export async function adapt({ version, read }) {
  try {
    const reader = await version()
    const [root] = process.argv.slice(2)
    const answer = root === undefined ? {} : await read(resolve(root), reader)
    process.stdout.write(`${JSON.stringify({ reader, ...answer })}\n`)
  } catch (error) {
    const isAbsent = error instanceof NotInstalled
    // The scorer shows the last line.
    process.stderr.write(isAbsent ? `${error.message}\n` : `${error.stack}\n${error.message}\n`)
    process.exitCode = isAbsent ? NOT_INSTALLED : 1
  }
}

/** The output of a program; throws with its last words where it fails. */
export function run(command, args, env = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 2 ** 30 }
  const { status, stdout, stderr, error } = spawnSync(command, args, options)
  if (status === 0) return stdout
  throw new Error(`${command} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
}

/** The path of a program: the one that a variable names, else the one in PATH. */
export function findProgram(name, variable, how) {
  const given = process.env[variable]
  const folders = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, name))
  const found = [...(given === undefined ? [] : [given]), ...folders].find(path => existsSync(path))
  if (found !== undefined) return found
  throw new NotInstalled(
    `${name} is not installed. ${how}, and set ${variable} to it where it is not in PATH.`,
  )
}

/** Gives a copy of a projects root to a function, in a folder that is removed afterwards. */
export async function withCopy(root, use) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    cpSync(root, join(folder, 'projects'), { recursive: true })
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The transcripts below a projects root, as paths with `/` relative to it. */
export function listTranscripts(root) {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return paths
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.jsonl'))
    .sort()
}

/** `x` of `project/session/subagents/agent-x.jsonl`; null for the transcript of a session. */
export function agentIdOf(path) {
  return /(?:^|\/)agent-([^/]+)\.jsonl$/.exec(path)?.[1] ?? null
}
