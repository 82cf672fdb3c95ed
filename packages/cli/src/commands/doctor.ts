/** `dagline doctor`: what is wrong with sessions, what it costs, and which command repairs it. */
import { writeFileSync } from 'node:fs'
import { type Examined, POLICY, UserError, unknownKind, VERSION } from '@dagline/app'
import { FAULT_KINDS, type FaultKind, hasResumeProblem } from '@dagline/core/faults'
import { plural } from '@dagline/core/format'
import { type AddCommand, defineCommand, flag, INDEX, list, PROJECT, refuseBoth, text } from '../command.js'
import { type Console, unreadField } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import type { DoctorJson } from '../json/history.js'
import { shared } from '../options.js'
import { coverageOf, healthLines, healthTable, kindLines, unreadLines } from '../print/doctor.js'
import { annotations, policyLines, sarif } from '../print/policy.js'

export const doctorCommand: AddCommand = defineCommand({
  usage: 'doctor [path|session]',
  description: 'Find problems in sessions: what a resume loses, and which command repairs it.',
  options: {
    index: INDEX,
    project: PROJECT,
    kinds: list(...shared('only')),
    all: flag(...shared('all', ', also healthy sessions')),
    explain: text('--explain <kind>', 'explain a kind of problem: meaning, cost, and what is done about it'),
    ci: flag('--ci', 'check all transcripts of PATH against a policy; exit code 1 if it is violated'),
    allow: list('--allow <part>', 'with --ci: a part of the policy not to check; may be repeated', POLICY),
    sarif: text('--sarif <file>', 'with --ci: also write a SARIF 2.1.0 file'),
  },
  examples: [
    'dagline doctor',
    'dagline doctor latest',
    'dagline doctor --explain dangling-parent',
    'dagline doctor ~/.claude/projects/-home-dev-shop --only dangling-parent',
    'dagline doctor --ci transcripts --sarif dagline.sarif',
    "dagline doctor --json | jq '.sessions[] | select(.reach.now < .reach.possible).session'",
  ],
  notes: `
With --ci no row may have a secret, no session may lose entries on resume, and no record may have an unknown type.
In GitHub Actions, violations are also printed as annotations.
`,
  run: async (console, [given], { index, project, kinds, all: isAll, explain, ci, ...policy }) => {
    if (ci) return await checkInCi(console, given, policy)
    if (policy.allow.length > 0 || policy.sarif !== null)
      throw new UserError('--allow and --sarif need --ci. Give --ci and the PATH to check, too.')
    checkKinds(explain === null ? kinds : [explain])
    if (explain !== null && given !== undefined)
      throw new UserError(`--explain is about a kind of problem, not about ${given}. Remove one of them.`)
    if (explain !== null) return await explainKind(console, explain)
    refuseBoth(given === undefined ? [] : [given], project)
    const word = given ?? project ?? undefined
    const found = await console.history.health(word ?? null, { index })
    const isOne = word !== undefined && new Set(found.map(({ session }) => session)).size === 1
    // With --only, every session that has such a problem is listed, however little it costs.
    const isOfKind = kinds.length > 0 && !isOne
    const chosen = found
      .map(health => onlyKinds(health, kinds))
      .filter(({ faults }) => !isOfKind || faults.length > 0)
    const shown = (isOne || isOfKind || isAll ? chosen : chosen.filter(hasResumeProblem)).toSorted(worstFirst)
    if (console.options.json)
      return await console.printJson('doctor', { ...factsOf(shown, chosen), ...unreadField(console) })
    if (isOne) {
      await console.page(() => shown.flatMap(health => [...healthLines(console, health)]))
      return noteStuck(console, shown)
    }
    if (isOfKind && chosen.length === 0) return console.note('No session has a problem of this kind.')
    if (found.length > 0) await console.page(() => healthTable(console, shown, chosen))
    await console.print(unreadLines(console))
    noteStuck(console, shown)
    const hidden = chosen.length - shown.length
    if (hidden > 0)
      console.note(`${plural(hidden, 'healthy session')} not shown; --all lists them, with notes.`)
    noteMoved(console, found)
  },
})

/** D27: the policy for checks in CI. */
async function checkInCi(
  console: Console,
  path: string | undefined,
  { allow, sarif: file }: { readonly allow: readonly string[]; readonly sarif: string | null },
): Promise<void> {
  if (path === undefined)
    throw new UserError('Give the PATH to check, as in `dagline doctor --ci transcripts`.')
  const report = await console.history.checkPolicy(
    [path],
    POLICY.filter(part => !allow.includes(part)),
  )
  if (file !== null) writeReport(file, sarif(report, VERSION))
  const { violations } = report
  if (console.options.json)
    await console.printJson('doctor', {
      ...factsOf([], []),
      violations: { list: violations },
      ...unreadField(console),
    })
  else await console.print(policyLines(report, console.style))
  if (process.env['GITHUB_ACTIONS'] === 'true' && !console.options.json)
    await console.print(annotations(report))
  if (violations.length > 0) console.fail()
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new UserError(`${file} could not be written (${reason}). Give another file with --sarif.`)
  }
}

/** D25: projects whose directory is gone. Their sessions are healthy, but not found from where they are now. */
function noteMoved(console: Console, found: readonly Examined[]): void {
  const faults = found.flatMap(health => health.faults).filter(({ id }) => id === 'missing-folder')
  for (const fix of new Set(faults.flatMap(fault => fault.fix ?? [])))
    console.note(`A project seems to have moved. Run \`${fix}\` so that its sessions are found.`)
  const unknown = new Set(faults.flatMap(({ fix, message }) => (fix === null ? message : [])))
  for (const message of [...unknown].slice(0, MOST_GONE)) console.note(message)
  const more = unknown.size - MOST_GONE
  if (more > 0)
    console.note(
      `${plural(more, 'more directory is', 'more directories are')} gone; --only missing-folder lists the sessions.`,
    )
}

/** HU56: what no command makes loadable from here. */
function noteStuck({ options: { hub }, note }: Console, shown: readonly Examined[]): void {
  if (hub === null) return
  const stuck = shown.filter(({ faults }) => {
    const costly = faults.filter(({ effect }) => effect !== 'none')
    return costly.length > 0 && costly.every(({ fix }) => fix === null)
  })
  if (stuck.length === 0) return
  const what = plural(stuck.length, 'session can', 'sessions can')
  note(`${what} only be repaired where the transcript is: run \`dagline repair SESSION\` on that machine.`)
}

/** The most directories without a known new place that are named: many people delete what they worked in. */
const MOST_GONE = 3

/** D26: a kind of problem, without looking for any. */
async function explainKind(console: Console, id: string): Promise<void> {
  const kinds = FAULT_KINDS.filter(each => each.id === id)
  if (!console.options.json) return await console.print(kinds.flatMap(kind => [...kindLines(console, kind)]))
  await console.printJson('doctor', { ...factsOf([], []), kinds: { list: kinds.map(kindFacts) } })
}

function checkKinds(kinds: readonly string[]): void {
  const known = FAULT_KINDS.map(({ id }) => id)
  const odd = kinds.find(kind => !known.includes(kind))
  if (odd !== undefined) throw unknownKind(odd, known)
}

function onlyKinds(health: Examined, kinds: readonly string[]): Examined {
  if (kinds.length === 0) return health
  return { ...health, faults: health.faults.filter(({ id }) => kinds.includes(id)) }
}

/** Errors first, then what loses most, then warnings; the latest first among equals. */
function worstFirst(a: Examined, b: Examined): number {
  const lost = ({ coverage: { now, possible } }: Examined): number => possible - now
  const having = (wanted: 'error' | 'warning', { faults }: Examined): number =>
    faults.filter(({ severity }) => severity === wanted).length
  return (
    Math.sign(having('error', b)) - Math.sign(having('error', a)) ||
    lost(b) - lost(a) ||
    having('warning', b) - having('warning', a) ||
    (b.last ?? 0) - (a.last ?? 0)
  )
}

function kindFacts({ id, title, meaning, cost, remedy, fix, rule }: FaultKind): DoctorJson['kinds'][number] {
  return { id, title, meaning, cost, remedy, fix, rule }
}

function factsOf(shown: readonly Examined[], all: readonly Examined[]): JsonFields<'doctor'> {
  const met = new Set(shown.flatMap(({ faults }) => faults.map(({ id }) => id)))
  const kinds = FAULT_KINDS.filter(({ id }) => met.has(id))
  return {
    sessions: {
      list: shown.map(({ session, file, coverage, faults }) => ({ session, file, reach: coverage, faults })),
    },
    kinds: { list: kinds.map(kindFacts) },
    totals: {
      sessions: all.length,
      ill: all.filter(hasResumeProblem).length,
      reach: coverageOf(all),
    },
  }
}
