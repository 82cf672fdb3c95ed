/**
 * What needs more than one resume: conversations with the real CLI, in which a word is said in one run and asked for in
 * another.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson, textIn } from '@dagline/testkit'
import { type Api, startApi } from '../harness/api.ts'
import { letRest, runDagline, scratchFolder } from '../harness/dagline.ts'
import { environment, firstRunState, runCli } from '../harness/sandbox.ts'

/** One sentence, and whether it holds with a release. */
export interface Check {
  readonly version: string
  readonly what: string
  readonly isRight: boolean
  /** What was seen where it does not hold. */
  readonly seen: string
  /** Kinds of faults that the doctor has named in it. */
  readonly faults?: readonly string[]
}

/** Whether something of a check is so, and what was seen. */
export type Finding = readonly [what: string, isRight: boolean, seen: string]

/** The checks of one name with a release. */
export function checksOf(
  { version, name, faults }: { readonly version: string; readonly name: string } & Pick<Check, 'faults'>,
  findings: readonly Finding[],
): readonly Check[] {
  const more = faults === undefined ? {} : { faults }
  return findings.map(([what, isRight, seen]) => ({
    version,
    what: `${name}: ${what}`,
    isRight,
    seen,
    ...more,
  }))
}

const WORD = 'zebra'

/** A home, and the program and the API that are used in it. */
export interface Lab {
  readonly cli: string
  readonly api: Api
  readonly root: string
  readonly home: string
}

/** Does something in a new lab, of which nothing stays. */
export async function inLab<T>(cli: string, work: (lab: Lab) => Promise<T>): Promise<T> {
  const root = scratchFolder()
  const api = await startApi()
  try {
    return await work({ cli, api, root, home: join(root, 'home') })
  } finally {
    await api.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** What `--continue` and `--resume` say in a folder, and whether both know a session. */
export async function lookFor(
  lab: Lab,
  cwd: string,
  session: string | null,
  version: string,
): Promise<{ readonly isFound: boolean; readonly seen: string }> {
  const said = [
    await ask(lab, cwd, ['--continue', QUESTION]),
    await ask(lab, cwd, ['--resume', session ?? '', QUESTION]),
  ]
  const isFound = said.every(each => each.knows && isSame(version, each.session, session))
  return { isFound, seen: JSON.stringify(said) }
}

/** Asks for the word. */
export const QUESTION = 'Which word?'

/** Up to 2.0.x a resume goes on under a new id. */
function isSame(version: string, session: string | null, first: string | null): boolean {
  return session === first || /^[01]\.|^2\.0\./.test(version)
}

/** Writes a session in a folder that is trusted; its id. */
export async function begin(lab: Lab, from: string): Promise<string | null> {
  mkdirSync(join(lab.home, '.claude'), { recursive: true })
  mkdirSync(from, { recursive: true })
  writeFileSync(join(lab.home, '.claude.json'), JSON.stringify(firstRunState(from)))
  return (await ask(lab, from, [`Remember the word ${WORD}.`])).session
}

/** What an answer shows. */
export interface Said {
  readonly session: string | null
  /** The first request carried the word. */
  readonly knows: boolean
}

/** Runs the CLI in a folder. */
export async function ask(
  { cli, api, root, home }: Lab,
  cwd: string,
  words: readonly string[],
): Promise<Said> {
  const before = api.asked.length
  const all = ['-p', ...words, '--output-format', 'json']
  const run = await runCli(cli, all, { cwd, env: environment(root, home, api) })
  const asked = api.asked.slice(before).find(({ hasTools }) => hasTools)
  const reply = parseJson(run.output.trim().split('\n').at(-1) ?? '')
  return {
    session: textIn(reply, 'session_id'),
    knows: JSON.stringify(asked?.messages ?? []).includes(WORD),
  }
}

/** Runs the command when all transcripts rest; its output where it failed. */
export async function tell({ home }: Lab, words: readonly string[]): Promise<string> {
  const projects = join(home, '.claude', 'projects')
  for (const path of readdirSync(projects, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.jsonl')) letRest(join(projects, path))
  const { exit, errors } = await runDagline(words, home)
  return exit === 0 ? '' : errors.trim()
}
