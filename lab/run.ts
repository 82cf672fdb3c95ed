/**
 * The lab: sessions of every kind, resumed by the real CLI against a stand-in for the API, and compared with what dagline says.
 *
 *   npm run test:lab                                     the newest release that the model knows
 *   npm run test:lab -- --cli 2.1.325,2.0.64             other releases, which npm brings
 *   npm run test:lab -- --source broken --kind torn      some cases only
 *   npm run test:lab -- --cli all --write                all releases; renews the tables of docs/LAB.md
 *   DAGLINE_LAB_CLI=/path/to/claude npm run test:lab     a program that is there
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { SOURCES } from './cases/all.ts'
import type { LabCase } from './cases/case.ts'
import { type Cli, findClis, VERSIONS } from './harness/cli.ts'
import { judge, type Verdict } from './harness/judge.ts'
import { tablesOf } from './harness/table.ts'

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: VERSIONS[0] },
    source: { type: 'string' },
    kind: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const wanted = values.cli === 'all' ? VERSIONS : values.cli.split(',')
const clis = findClis(wanted)
if (typeof clis === 'string') {
  console.error(clis)
  process.exitCode = 1
} else await runAll(clis)

async function runAll(releases: readonly Cli[]): Promise<void> {
  const verdicts: Verdict[] = []
  for (const cli of releases) {
    const found = await inParallel(casesFor(cli), each => judge(cli, each))
    console.log(`Claude Code ${cli.version}: ${found.length} sessions`)
    verdicts.push(...found)
  }
  for (const verdict of verdicts) if (!isFine(verdict)) console.log(lineOf(verdict))
  const bad = verdicts.filter(verdict => !isFine(verdict)).length
  console.log(`${verdicts.length - bad} of ${verdicts.length} as dagline says`)
  if (values.write) writeTables(verdicts)
  if (bad > 0) process.exitCode = 1
}

/** Sessions that dagline writes are meant for the newest release: the others are tried with the rest. */
function* casesFor(cli: Cli): Generator<LabCase> {
  for (const source of SOURCES) {
    if (values.source !== undefined && values.source !== source.name) continue
    if (source.name === 'edited' && cli.version !== VERSIONS[0]) continue
    yield* source.cases(kind => kind.includes(values.kind ?? ''), cli.version === VERSIONS[0])
  }
}

/** As many at a time as there are cores; cases are made when a hand is free. */
async function inParallel(
  made: Generator<LabCase>,
  work: (each: LabCase) => Promise<Verdict>,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  let count = 0
  const hand = async (): Promise<void> => {
    for (let next = made.next(); next.done !== true; next = made.next()) {
      const at = count++
      verdicts[at] = await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hand))
  return verdicts
}

function isFine({ agrees, keepsPromise, isValid }: Verdict): boolean {
  return keepsPromise === null ? agrees : keepsPromise && isValid
}

function lineOf({ version, kind, name, difference, sent, live }: Verdict): string {
  return `  ${version}  ${kind}  ${name}  (sent ${sent}, live ${live}): ${difference}`
}

const DOCUMENT = 'docs/LAB.md'
const PART = /<!-- lab -->[\s\S]*<!-- \/lab -->/

function writeTables(verdicts: readonly Verdict[]): void {
  const day = new Date().toISOString().slice(0, 10)
  const text = readFileSync(DOCUMENT, 'utf8')
  writeFileSync(
    DOCUMENT,
    text.replace(PART, () => `<!-- lab -->\n${tablesOf(verdicts, day)}\n<!-- /lab -->`),
  )
}
