/**
 * A moved project: the real CLI finds and resumes its sessions after `dagline mv`, with `--continue` and `--resume`, and
 * after `dagline undo` at the old place again.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Cli } from '../harness/cli.ts'
import { ask, begin, type Check, checksOf, inLab, type Lab, lookFor, QUESTION, tell } from './lab.ts'

/** From where to where, and what is odd about it. */
const MOVES = [
  { old: 'old_proj', next: 'new.proj', name: 'a project' },
  {
    old: 'a b/ü',
    next: `deep/${'long'.repeat(30)}/${'name'.repeat(30)}`,
    name: 'a project with a blank and an umlaut, to a path above 200 characters',
  },
] as const

/** Moves projects there and back with one release. */
export async function checkMoves(cli: Cli): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const move of MOVES) checks.push(...(await tryMove(cli, move)))
  return checks
}

function tryMove(
  { version, path: cli }: Cli,
  { old, next, name }: (typeof MOVES)[number],
): Promise<readonly Check[]> {
  return inLab(cli, async lab => {
    const [from, to] = [join(lab.root, old), join(lab.root, next)]
    const first = await begin(lab, from)
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
    const lost = await ask(lab, to, ['--continue', QUESTION])
    forget(lab, to)
    const moved = await tell(lab, ['mv', from, to, '--yes', '--config'])
    const { isFound, seen } = await lookFor(lab, to, first, version)
    renameSync(to, from)
    const undone = await tell(lab, ['undo'])
    const back = await ask(lab, from, ['--continue', QUESTION])
    return checksOf({ version, name }, [
      ['without `mv` its session is not found', first !== null && !lost.knows, JSON.stringify(lost)],
      ['`mv`, then `--continue` and `--resume` find it', isFound, `${moved} ${seen}`],
      [
        '`undo`, then `--continue` finds it at the old place',
        back.knows,
        `${undone} ${JSON.stringify(back)}`,
      ],
    ])
  })
}

/** Takes away the session that was begun at the new place to show that the old one is not found. */
function forget({ home }: Lab, path: string): void {
  const projects = join(home, '.claude', 'projects')
  const start = path.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200)
  for (const name of readdirSync(projects))
    if (name.startsWith(start)) rmSync(join(projects, name), { recursive: true })
}
