/** A home of its own for one run of the real CLI: nothing of the user's is read, nothing leaves the machine. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { projectFolder } from '@dagline/core/model'
import type { Api } from './api.ts'

/** What a run of a program came to. */
export interface CliRun {
  /** Null where it was killed because it took too long. */
  readonly exit: number | null
  readonly output: string
  readonly errors: string
}

export interface Sandbox {
  readonly root: string
  readonly home: string
  readonly environment: Readonly<Record<string, string>>
  /** The folder that the CLI works in. */
  readonly work: string
  /** Its folder of transcripts. */
  readonly transcripts: string
  /** Runs the CLI until it ends, or nothing more is wanted of it. */
  readonly run: (words: readonly string[], limits?: RunLimits) => Promise<CliRun>
  readonly remove: () => void
}

const KEY = 'sk-ant-lab-0000000000000000'

/** Makes a home whose CLI talks to the given API. */
export function makeSandbox(cli: string, api: Api): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-lab-')))
  const home = join(root, 'home')
  const work = join(root, 'work')
  const transcripts = transcriptsOf(home, work)
  const env = environment(root, home, api)
  mkdirSync(transcripts, { recursive: true })
  mkdirSync(work)
  writeFileSync(join(home, '.claude.json'), JSON.stringify(firstRunState(work)))
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(SETTINGS))
  return {
    root,
    home,
    environment: env,
    work,
    transcripts,
    run: (words, limits) => runCli(cli, words, { cwd: work, env, ...limits }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** The folder in which the CLI keeps the transcripts of a project. */
export function transcriptsOf(home: string, project: string): string {
  return join(home, '.claude', 'projects', projectFolder(project))
}

const PLAIN = { skipDangerousModePermissionPrompt: true, autoCompactEnabled: false }
const SETTINGS = { ...PLAIN, cleanupPeriodDays: 9999 }

/** From now on the CLI deletes old transcripts as it does for everybody. */
export function sweepAsUsual(home: string): void {
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(PLAIN))
}

/** As after a first run: the CLI asks nothing. */
export function firstRunState(work: string): object {
  return {
    hasCompletedOnboarding: true,
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: {
      [work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
    },
  }
}

/** The environment of a run: nothing of the machine's own. */
export function environment(root: string, home: string, api: Api): Record<string, string> {
  return {
    HOME: home,
    TMPDIR: root,
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    IS_SANDBOX: '1',
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTO_COMPACT: '1',
    // A long session is sent as it is, not refused.
    CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: '100000000',
  }
}

/** Milliseconds that a run may take. */
const LONGEST = 60_000

/** How long a run may go on. */
export interface RunLimits {
  /** Milliseconds, at most. */
  readonly longest?: number | undefined
  /** It is ended when this has come: what it does then is of no interest. */
  readonly until?: Promise<unknown>
}

interface RunOptions extends RunLimits {
  readonly cwd?: string
  readonly env: Record<string, string>
}

/** Runs a release: a program, or before 2.1.11x a script. */
export function runCli(cli: string, words: readonly string[], options: RunOptions): Promise<CliRun> {
  const program = cli.endsWith('.js') ? [process.execPath, cli] : [cli]
  return runProgram([...program, ...words], { longest: LONGEST, ...options })
}

/** Runs a program, and gathers what it says. */
export function runProgram(
  [program = '', ...words]: readonly string[],
  { longest, until, ...options }: RunOptions,
): Promise<CliRun> {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = longest === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), longest)
  void until?.then(() => child.kill('SIGKILL'))
  let [output, errors] = ['', '']
  child.stdout.on('data', data => {
    output += String(data)
  })
  child.stderr.on('data', data => {
    errors += String(data)
  })
  return new Promise(resolve => {
    const end = (exit: number | null): void => {
      clearTimeout(timer)
      resolve({ exit, output, errors })
    }
    child.once('error', error => {
      errors += error.message
      end(null)
    })
    child.once('close', end)
  })
}
