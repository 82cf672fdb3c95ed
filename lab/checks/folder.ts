/**
 * A transcript in the folder of another project: it is not found from where it was written, and it is after the command
 * that the doctor names.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startApi } from '../harness/api.ts'
import type { Cli } from '../harness/cli.ts'
import { runDagline } from '../harness/dagline.ts'
import { objectsIn, parseRowText, textIn } from '../harness/json.ts'
import { transcriptsOf } from '../harness/sandbox.ts'
import { scratchFolder } from '../harness/scratch.ts'
import type { Check } from './check.ts'
import { ask, begin, isSame, type Lab, tell } from './lab.ts'

const NAME = 'in the folder of another project'

/** Lays one session there, and takes the doctor's word. */
export async function checkFolder({ version, path: cli }: Cli): Promise<readonly Check[]> {
  const root = scratchFolder()
  const api = await startApi()
  try {
    const lab: Lab = { cli, api, root, home: join(root, 'home') }
    const [work, other] = [join(root, 'work'), join(root, 'other')]
    const first = await begin(lab, work)
    mkdirSync(other)
    renameSync(transcriptsOf(lab.home, work), transcriptsOf(lab.home, other))
    const { faults, fix } = await askDoctor(lab, first ?? '')
    const lost = await ask(lab, work, ['--continue', 'Which word?'])
    rmSync(transcriptsOf(lab.home, work), { recursive: true, force: true })
    const words = (fix ?? '').split(' ').slice(1)
    const moved = words.length === 0 ? 'no command' : await tell(lab, [...words, '--yes'])
    const found = [
      await ask(lab, work, ['--continue', 'Which word?']),
      await ask(lab, work, ['--resume', first ?? '', 'Which word?']),
    ]
    const isFound = found.every(({ knows, session }) => knows && isSame(version, session, first))
    const of = (what: string, isRight: boolean, seen: string): Check => ({
      version,
      what: `${NAME}: ${what}`,
      isRight,
      seen,
      faults,
    })
    return [
      of('`--continue` does not find it', first !== null && !lost.knows, JSON.stringify(lost)),
      of(
        "after the doctor's command `--continue` and `--resume` find it",
        isFound,
        `${fix} ${moved} ${JSON.stringify(found)}`,
      ),
    ]
  } finally {
    await api.close()
    rmSync(root, { recursive: true, force: true })
  }
}

interface Word {
  readonly faults: readonly string[]
  /** The command for a transcript in the wrong folder. */
  readonly fix: string | null
}

async function askDoctor({ home }: Lab, session: string): Promise<Word> {
  const { output } = await runDagline(['doctor', session, '--json'], home)
  const [found] = objectsIn(parseRowText(output) ?? {}, 'sessions')
  const faults = objectsIn(found ?? {}, 'faults')
  const wrong = faults.find(({ id }) => id === 'wrong-folder')
  return { faults: faults.map(({ id }) => String(id)), fix: textIn(wrong ?? null, 'fix') }
}
