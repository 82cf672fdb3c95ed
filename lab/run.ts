/**
 * The lab: sessions of every kind, resumed by the real CLI against a stand-in for the API, and compared with what dagline says.
 *
 *   npm run test:lab                                     the newest release that the model knows
 *   npm run test:lab -- --cli 2.1.325,2.0.64             other releases, which npm brings
 *   npm run test:lab -- --source broken --kind torn      some cases only
 *   npm run test:lab -- --cli all --write                all releases; renews the tables of docs/LAB.md
 *   npm run test:lab -- --again --write                  the tables from what the last run has found
 *   npm run test:lab -- --more --kind torn --write       some cases once more, with the rest from the last run
 *   DAGLINE_LAB_CLI=/path/to/claude npm run test:lab     a program that is there
 */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { SOURCES } from './cases/all.ts'
import type { LabCase } from './cases/case.ts'
import { checksFor } from './checks/all.ts'
import type { Check } from './checks/check.ts'
import { type Cli, findClis, VERSIONS } from './harness/cli.ts'
import { judge, type Verdict } from './harness/judge.ts'
import { builtCommand } from './harness/scratch.ts'
import { isFine, type Run, tablesOf } from './harness/table.ts'

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: VERSIONS[0] },
    source: { type: 'string' },
    kind: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    /** Of the cases of a class every so many are tried; all with the newest release, and fewer with others, unless given. */
    every: { type: 'string' },
    write: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    /** What is found now takes the place of what the last run has found for the same cases. */
    more: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

const DOCUMENT = 'docs/LAB.md'
const PART = /<!-- lab -->[\s\S]*<!-- \/lab -->/
/** What was found so far: a run that is cut off loses nothing. */
const FOUND = 'lab/dist/found.jsonl'
/** Of the cases of a class every so many are tried with releases before the newest. */
const OLDER = 10
/** Programs at work at the same time, at most. */
const HANDS = 2

if (values.list) listCases()
else if (values.again) tell(lastRun())
else {
  const clis = findClis(values.cli === 'all' ? VERSIONS : values.cli.split(','))
  if (typeof clis === 'string') {
    console.error(clis)
    process.exitCode = 1
  } else {
    const run = await runAll(clis)
    tell(values.more ? lastRun() : run)
  }
}

async function runAll(clis: readonly Cli[]): Promise<Run> {
  if (!values.more) rmSync(FOUND, { force: true })
  const verdicts: Verdict[] = []
  const checks: Check[] = []
  const cases = [...chosenCases()]
  if (!values.more) note({ cases: countKinds(cases) })
  builtCommand()
  for (const cli of clis) {
    const tried = sampled(cases, Number(values.every ?? (cli.version === VERSIONS[0] ? 1 : OLDER)))
    const started = Date.now()
    verdicts.push(...(await inParallel(tried, each => judge(cli, each))))
    const minutes = ((Date.now() - started) / 60_000).toFixed(1)
    console.log(`Claude Code ${cli.version}: ${tried.length} of ${cases.length} cases, ${minutes} minutes`)
    if (isWhole()) checks.push(...(await checksFor(cli)))
    note({ checks: checks.filter(({ version }) => version === cli.version) })
    if (values.write && !values.more) writeTables({ verdicts, checks, cases: countKinds(cases) })
  }
  return { verdicts, checks, cases: countKinds(cases) }
}

function isWhole(): boolean {
  return values.source === undefined && values.kind === '' && values.name === ''
}

function* chosenCases(): Generator<LabCase> {
  for (const source of SOURCES) {
    if (values.source !== undefined && values.source !== source.name) continue
    for (const each of source.cases())
      if (each.kind.includes(values.kind) && each.name.includes(values.name)) yield each
  }
}

/** Of each class the first case and every so many after it. */
function sampled(cases: readonly LabCase[], every: number): readonly LabCase[] {
  const counts = new Map<string, number>()
  return cases.filter(({ kind }) => {
    const nth = counts.get(kind) ?? 0
    counts.set(kind, nth + 1)
    return nth % every === 0
  })
}

function countKinds(cases: readonly LabCase[]): Run['cases'] {
  const counts: Record<string, number> = {}
  for (const { kind } of cases) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

async function inParallel(
  cases: readonly LabCase[],
  work: (each: LabCase) => Promise<Verdict>,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  let next = 0
  const hand = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const each = cases[at]
      if (each === undefined) return
      const verdict = await work(each)
      verdicts[at] = verdict
      note({ verdict })
      if (!isFine(verdict)) console.log(lineOf(verdict))
    }
  }
  await Promise.all(Array.from({ length: Math.min(HANDS, availableParallelism()) }, hand))
  return verdicts
}

function lineOf({ version, kind, name, difference, none, sent, live }: Verdict): string {
  const what = none ?? `sent ${sent}, live ${live}`
  return `  ${version}  ${kind}  ${name}  (${what}): ${difference}`
}

function note(found: object): void {
  appendFileSync(FOUND, `${JSON.stringify(found)}\n`)
}

function lastRun(): Run {
  const found: readonly { verdict?: Verdict; checks?: readonly Check[]; cases?: Run['cases'] }[] =
    readFileSync(FOUND, 'utf8')
      .trimEnd()
      .split('\n')
      .map(row => JSON.parse(row))
  const verdicts = new Map<string, Verdict>()
  for (const { verdict } of found)
    if (verdict !== undefined) verdicts.set(`${verdict.version} ${verdict.kind} ${verdict.name}`, verdict)
  const checks = new Map<string, Check>()
  for (const check of found.flatMap(each => each.checks ?? []))
    checks.set(`${check.version} ${check.what}`, check)
  return {
    verdicts: [...verdicts.values()],
    checks: [...checks.values()],
    cases: Object.assign({}, ...found.map(({ cases }) => cases ?? {})),
  }
}

function tell(run: Run): void {
  const bad = run.verdicts.filter(verdict => !isFine(verdict)).length
  const wrong = run.checks.filter(({ isRight }) => !isRight)
  for (const { version, what } of wrong) console.log(`  ${version}  FAIL ${what}`)
  console.log(`${run.verdicts.length - bad} of ${run.verdicts.length} as dagline says`)
  if (values.write) writeTables(run)
  if (bad + wrong.length > 0) process.exitCode = 1
}

function writeTables(run: Run): void {
  const day = new Date().toISOString().slice(0, 10)
  const text = readFileSync(DOCUMENT, 'utf8')
  writeFileSync(
    DOCUMENT,
    text.replace(PART, () => `<!-- lab -->\n${tablesOf(run, day)}\n<!-- /lab -->`),
  )
}

function listCases(): void {
  const counts = Object.entries(countKinds([...chosenCases()]))
  for (const [kind, count] of counts) console.log(`${String(count).padStart(5)}  ${kind}`)
  console.log(`${counts.reduce((sum, [, count]) => sum + count, 0)} cases`)
}
