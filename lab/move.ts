/**
 * A moved project in the lab: the real CLI finds and resumes its sessions after `dagline mv`, and after `dagline undo`
 * at the old place again. `node lab/move.ts CLI...`; a CLI is a program or, before 2.1.11x, a script.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Api, startApi } from './harness/api.ts'
import { parseRowText, textIn } from './harness/json.ts'
import { environment, firstRunState, runCli } from './harness/sandbox.ts'

const DAGLINE = join(import.meta.dirname, '..', 'packages', 'cli', 'dist', 'dagline.js')
const WORD = 'zebra'

/** From where to where, below the sandbox. */
const MOVES: readonly (readonly [string, string])[] = [
  ['old_proj', 'new.proj'],
  ['a b/ü', `deep/${'long'.repeat(60).slice(0, 120)}/${'name'.repeat(30)}`],
]

let failures = 0
for (const cli of process.argv.slice(2)) for (const move of MOVES) await tryMove(cli, move)
process.exitCode = failures === 0 ? 0 : 1

async function tryMove(cli: string, [old, next]: readonly [string, string]): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-lab-')))
  const api = await startApi()
  try {
    const home = join(root, 'home')
    const [from, to] = [join(root, old), join(root, next)]
    mkdirSync(join(home, '.claude'), { recursive: true })
    mkdirSync(from, { recursive: true })
    writeFileSync(join(home, '.claude.json'), JSON.stringify(firstRunState(from)))
    const lab = { cli, api, root, home }
    const first = await ask(lab, from, [`Remember the word ${WORD}.`])
    check(first.session !== null, `${cli}: a session in ${old}`)
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
    check(
      !(await ask(lab, to, ['--continue', 'Which word?'])).knows,
      'without a move it is not found by --continue',
    )
    forget(home, to)
    tell(lab, ['mv', from, to, '--yes', '--config'])
    for (const words of [['--continue'], ['--resume', first.session ?? '']]) {
      const again = await ask(lab, to, [...words, 'Which word?'])
      check(again.knows && again.session === first.session, `${cli}: ${words[0]} in ${next} after the move`)
    }
    renameSync(to, from)
    tell(lab, ['undo'])
    const back = await ask(lab, from, ['--continue', 'Which word?'])
    check(back.knows && back.session === first.session, `${cli}: --continue in ${old} after undo`)
  } finally {
    await api.close()
    rmSync(root, { recursive: true, force: true })
  }
}

interface Lab {
  readonly cli: string
  readonly api: Api
  readonly root: string
  readonly home: string
}

interface Said {
  readonly session: string | null
  /** The first request carried the word. */
  readonly knows: boolean
}

async function ask({ cli, api, root, home }: Lab, cwd: string, words: readonly string[]): Promise<Said> {
  const before = api.asked.length
  const all = ['-p', ...words, '--output-format', 'json']
  const run = await runCli(cli, all, { cwd, env: environment(root, home, api) })
  const asked = api.asked.slice(before).find(({ hasTools }) => hasTools)
  const reply = parseRowText(run.output.trim().split('\n').at(-1) ?? '')
  return {
    session: reply === null ? null : textIn(reply, 'session_id'),
    knows: JSON.stringify(asked?.messages ?? []).includes(WORD),
  }
}

/** Takes away the session that was begun at the new place to show that the old one is not found. */
function forget(home: string, path: string): void {
  const projects = join(home, '.claude', 'projects')
  const start = path.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200)
  for (const name of readdirSync(projects))
    if (name.startsWith(start)) rmSync(join(projects, name), { recursive: true })
}

function tell({ root, home }: Lab, words: readonly string[]): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_DATA_HOME: join(root, 'data') }
  // Transcripts that were written a moment ago are taken to be under way.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500)
  const { status, stdout, stderr } = spawnSync(process.execPath, [DAGLINE, ...words], {
    env,
    encoding: 'utf8',
  })
  check(status === 0, `dagline ${words[0]}: ${stdout}${stderr}`)
}

function check(isRight: boolean, what: string): void {
  if (!isRight) failures++
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what.trim()}`)
}
