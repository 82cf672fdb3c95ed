/**
 * A transcript in the folder of another project: it is not found from where it was written, and it is after the command
 * that the doctor names.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Cli } from '../harness/cli.ts'
import { type NamedFault, reportIn, runDagline } from '../harness/dagline.ts'
import { transcriptsOf } from '../harness/sandbox.ts'
import { ask, begin, type Check, checksOf, inLab, type Lab, lookFor, QUESTION, tell } from './lab.ts'

const NAME = 'in the folder of another project'

/** Moves one session there, and follows the command that `doctor` names. */
export function checkFolder({ version, path: cli }: Cli): Promise<readonly Check[]> {
  return inLab(cli, async lab => {
    const [work, other] = [join(lab.root, 'work'), join(lab.root, 'other')]
    const first = await begin(lab, work)
    mkdirSync(other)
    renameSync(transcriptsOf(lab.home, work), transcriptsOf(lab.home, other))
    const named = await faultsOf(lab, first ?? '')
    const fix = named.find(({ id }) => id === 'wrong-folder')?.fix ?? null
    const lost = await ask(lab, work, ['--continue', QUESTION])
    rmSync(transcriptsOf(lab.home, work), { recursive: true, force: true })
    const moved = fix === null ? 'no command' : await tell(lab, [...fix.split(' ').slice(1), '--yes'])
    const { isFound, seen } = await lookFor(lab, work, first, version)
    return checksOf({ version, name: NAME, faults: named.map(({ id }) => id) }, [
      ['`--continue` does not find it', first !== null && !lost.knows, JSON.stringify(lost)],
      ["after the doctor's command `--continue` and `--resume` find it", isFound, `${fix} ${moved} ${seen}`],
    ])
  })
}

async function faultsOf({ home }: Lab, session: string): Promise<readonly NamedFault[]> {
  const report = reportIn(await runDagline(['doctor', session, '--json'], home))
  return typeof report === 'string' ? [] : report.faults
}
