/**
 * The lab: sessions of every kind, resumed by the real CLI against a stand-in for the API, and compared with what dagline says.
 * docs/LAB.md lists the options.
 */

import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { groupBy } from '@dagline/core/model'
import { broken } from './cases/broken.ts'
import type { CaseSource, LabCase } from './cases/case.ts'
import { corrupted } from './cases/corrupted.ts'
import { edited } from './cases/edited.ts'
import { generated } from './cases/generated.ts'
import { given, recorded } from './cases/recorded.ts'
import { written } from './cases/written.ts'
import { checkFolder } from './checks/folder.ts'
import type { Check } from './checks/lab.ts'
import { checkMoves } from './checks/move.ts'
import { checkPlugin } from './checks/plugin.ts'
import { checkSessionStore } from './checks/session-store.ts'
import { checkTypes } from './checks/types.ts'
import { type Cli, findClis, VERSIONS } from './harness/cli.ts'
import { builtCommand } from './harness/dagline.ts'
import { judge, type Verdict } from './harness/judge.ts'
import { faultsNotMet, isNewest, type Run, tablesOf } from './harness/table.ts'

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: VERSIONS[0] },
    source: { type: 'string' },
    kind: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    /** Only these questions: `model`, `doctor`, `repair`, `edit`. */
    asks: { type: 'string' },
    /** Of the cases of a class every so many are tried; all with the newest release, and fewer with others, unless given. */
    every: { type: 'string' },
    write: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    /** What is found now takes the place of what the last run has found for the same cases. */
    more: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    /** No cases, only what needs more than one resume. */
    checks: { type: 'boolean', default: false },
  },
})

/** Where cases come from, in the order of the tables. */
const SOURCES: readonly CaseSource[] = [recorded, broken, corrupted, generated, edited, written, given]
const DOCUMENT = 'docs/LAB.md'
const PART = /<!-- lab -->[\s\S]*<!-- \/lab -->/
/** What was found so far: a run that is cut off loses nothing. */
const FOUND = 'lab/dist/found.jsonl'
/** Of the cases of a class every so many are tried with releases before the newest. */
const OLDER = 20
/** Cases under way at the same time, for each core: programs start, wait for the disk and for each other. */
const WORKERS = 2

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
  builtCommand()
  for (const cli of clis) {
    // `doctor` reports for the newest release.
    const asked = isNewest(cli) ? cases : cases.filter(({ asks }) => asks !== 'doctor')
    const tried = sampled(asked, Number(values.every ?? (isNewest(cli) ? 1 : OLDER)))
    const started = Date.now()
    verdicts.push(...(await inParallel(tried, each => judge(cli, each))))
    const minutes = ((Date.now() - started) / 60_000).toFixed(1)
    console.log(`Claude Code ${cli.version}: ${tried.length} of ${asked.length} cases, ${minutes} minutes`)
    if (isWhole() || values.checks)
      checks.push(
        ...(await checkFolder(cli)),
        ...(await checkMoves(cli)),
        ...(await checkPlugin(cli)),
        ...(await checkSessionStore(cli)),
        ...checkTypes(cli),
      )
    note({ checks: checks.filter(({ version }) => version === cli.version) })
    if (values.write && !values.more) writeTables({ verdicts, checks })
  }
  return { verdicts, checks }
}

function isWhole(): boolean {
  return [values.source, values.asks].every(word => word === undefined) && values.kind + values.name === ''
}

function* chosenCases(): Generator<LabCase> {
  for (const source of values.checks ? [] : SOURCES) {
    if (values.source !== undefined && values.source !== source.name) continue
    for (const each of source.cases())
      if (isChosen(each.kind, values.kind) && isChosen(each.name, values.name) && isAsked(each)) yield each
  }
}

/** Whether a name holds one of the given words. */
function isChosen(name: string, words: string): boolean {
  return words.split(';').some(word => name.includes(word))
}

function isAsked({ asks }: LabCase): boolean {
  return values.asks === undefined || values.asks.split(',').includes(asks)
}

/** Of each class and question the first case and every so many after it. */
function sampled(cases: readonly LabCase[], every: number): readonly LabCase[] {
  const counts = new Map<string, number>()
  return cases.filter(({ asks, kind }) => {
    const nth = counts.get(`${asks} ${kind}`) ?? 0
    counts.set(`${asks} ${kind}`, nth + 1)
    return nth % every === 0
  })
}

async function inParallel(
  cases: readonly LabCase[],
  work: (each: LabCase) => Promise<Verdict>,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const each = cases[at]
      if (each === undefined) return
      const verdict = await work(each)
      verdicts[at] = verdict
      note({ verdict })
      if (!verdict.isRight) console.log(lineOf(verdict))
    }
  }
  await Promise.all(Array.from({ length: WORKERS * availableParallelism() }, worker))
  return verdicts
}

function lineOf({ version, asks, kind, name, command, difference, none, sent, live }: Verdict): string {
  const what = none ?? `sent ${sent}, live ${live}${command === null ? '' : `, by ${command}`}`
  return `  ${version}  ${asks}: ${kind}  ${name}  (${what}): ${difference}`
}

function note(found: object): void {
  appendFileSync(FOUND, `${JSON.stringify(found)}\n`)
}

function lastRun(): Run {
  const found: readonly { verdict?: Verdict; checks?: readonly Check[] }[] = readFileSync(FOUND, 'utf8')
    .trimEnd()
    .split('\n')
    .map(row => JSON.parse(row))
  const verdicts = new Map<string, Verdict>()
  for (const { verdict } of found)
    if (verdict !== undefined)
      verdicts.set([verdict.version, verdict.asks, verdict.kind, verdict.name].join(' '), verdict)
  const checks = new Map<string, Check>()
  for (const check of found.flatMap(each => each.checks ?? []))
    checks.set(`${check.version} ${check.what}`, check)
  return { verdicts: [...verdicts.values()], checks: [...checks.values()] }
}

function tell(run: Run): void {
  const { verdicts, checks } = run
  const bad = verdicts.filter(({ isRight }) => !isRight).length
  const wrong = checks.filter(({ isRight }) => !isRight)
  for (const { version, what, seen } of wrong)
    console.log(`  ${version}  FAIL ${what}: ${seen.slice(0, 300)}`)
  const unmet = isWhole() && verdicts.some(isNewest) ? faultsNotMet(verdicts, checks) : []
  if (unmet.length > 0) console.log(`  FAIL no case has these faults: ${unmet.join(', ')}`)
  console.log(`${verdicts.length - bad} of ${verdicts.length} as dagline says`)
  if (checks.length > 0) console.log(`${checks.length - wrong.length} of ${checks.length} checks hold`)
  if (values.write) writeTables(run)
  if (bad + wrong.length + unmet.length > 0) process.exitCode = 1
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
  const groups = groupBy(chosenCases(), ({ asks, kind }) => `${asks}: ${kind}`)
  for (const [title, cases] of groups) console.log(`${String(cases.length).padStart(5)}  ${title}`)
  console.log(`${[...groups.values()].flat().length} cases`)
}
