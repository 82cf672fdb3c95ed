/** Resumes a session with the real CLI and reports what its first request carried. */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson, textIn } from '@dagline/testkit'
import { type Asked, startApi } from './api.ts'
import { letRest, runDagline } from './dagline.ts'
import type { MarkedEntry } from './marks.ts'
import { type Carried, matchRequest } from './match.ts'
import { makeSandbox, type Sandbox, sweepAsUsual, transcriptsOf } from './sandbox.ts'
import { apiErrors, type Refused } from './valid.ts'

/** A session as it lies on disk: its transcript, marked, and the folder of its agents and spilled results. */
export interface Subject {
  readonly session: string
  readonly text: string
  readonly entries: readonly MarkedEntry[]
  /** The session's folder, or null where it has none. */
  readonly folder: string | null
  /** It was written in another folder, and the project was moved since: `dagline mv` is to bring it. */
  readonly isMoved: boolean
  /** Days since it was written to, where the CLI sweeps as it usually does; else null. */
  readonly age: number | null
}

/** What became of a resume. */
export interface Resumed extends Carried {
  /** What the CLI printed where it did not resume; else null. */
  readonly error: string | null
  readonly refused: readonly Refused[]
}

const PROMPT = 'The lab asks for one more answer.'

/** Runs `claude --resume` on a copy, up to its first request. */
export async function resume(cli: string, subject: Subject, longest?: number): Promise<Resumed> {
  const api = await startApi()
  const sandbox = makeSandbox(cli, api)
  try {
    const trouble = subject.isMoved ? await placeMoved(sandbox, subject) : place(sandbox, subject)
    if (trouble !== null) return { groups: [], madeUp: [], refused: [], error: trouble }
    const words = ['-p', '--resume', subject.session, PROMPT, '--dangerously-skip-permissions']
    const run = await sandbox.run([...words, '--output-format', 'json'], { longest, until: api.next(asks) })
    const request = api.asked.find(asks)
    if (request !== undefined)
      return {
        ...matchRequest(request.messages, subject.entries),
        refused: apiErrors(request.messages),
        error: null,
      }
    const printed = answerIn(run.output) ?? (run.errors.trim() === '' ? run.output : run.errors)
    return { groups: [], madeUp: [], refused: [], error: printed.trim().slice(0, 300) || `exit ${run.exit}` }
  } finally {
    await api.close()
    sandbox.remove()
  }
}

function asks({ hasTools, messages }: Asked): boolean {
  return hasTools && JSON.stringify(messages.slice(-3)).includes(PROMPT)
}

/** The CLI's own words where it says that it failed. */
function answerIn(output: string): string | null {
  const json = parseJson(output.trim().split('\n').at(-1) ?? '')
  return json?.['is_error'] === true ? textIn(json, 'result') : null
}

/**
 * Puts the session where the CLI looks for it. Releases before 2.1.3xx find a session only in the folder that encodes
 * the working directory, so paths in it are moved into the sandbox.
 */
function place({ home, transcripts, work }: Sandbox, subject: Subject): null {
  putInto(transcripts, work, subject)
  if (subject.age === null) return null
  sweepAsUsual(home)
  letRest(join(transcripts, `${subject.session}.jsonl`), subject.age)
  return null
}

/** Puts it where it was before its project was moved, and moves it with `dagline`; what went wrong, or null. */
async function placeMoved(
  { root, home, work, transcripts }: Sandbox,
  subject: Subject,
): Promise<string | null> {
  const old = join(root, 'the old place')
  putInto(transcriptsOf(home, old), old, subject)
  const before = transcriptsOf(home, old)
  for (const path of readdirSync(before, { recursive: true, encoding: 'utf8' })) letRest(join(before, path))
  const moved = await runDagline(['mv', old, work, '--yes'], home)
  const isThere = existsSync(join(transcripts, `${subject.session}.jsonl`))
  return moved.exit === 0 && isThere
    ? null
    : `dagline mv: ${moved.errors.trim() || 'the session did not come along'}`
}

function putInto(transcripts: string, work: string, { session, text, folder }: Subject): void {
  mkdirSync(transcripts, { recursive: true })
  writeFileSync(join(transcripts, `${session}.jsonl`), withWorkFolder(text, work))
  if (folder !== null && existsSync(folder)) cpSync(folder, join(transcripts, session), { recursive: true })
}

/** The transcript with the given working folder. Damage within a path stays. */
export function withWorkFolder(text: string, work: string): string {
  const paths = /"(cwd|relocatedCwd|originalCwd|worktreePath)":"(?:[^"\\\p{Cc}]|\\.)*"/gu
  const plain = text.replace(/^.*"type":"(?:worktree-state|relocated)".*\n/gm, '')
  return plain.replace(paths, (_, name: string) => `"${name}":${JSON.stringify(work)}`)
}
