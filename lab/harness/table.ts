/** The tables of docs/LAB.md. */
import type { Check } from '../checks/check.ts'
import type { Verdict } from './judge.ts'

/** What a run has found. */
export interface Run {
  readonly verdicts: readonly Verdict[]
  readonly checks: readonly Check[]
  /** How many cases there are of each class; older releases are tried with some of them. */
  readonly cases: Readonly<Record<string, number>>
}

/** Whether a case went as dagline says. */
export function isFine({ agrees, isMade, keepsPromise, isValid, none }: Verdict): boolean {
  if (none !== null) return none === 'nothing to do'
  return isMade ? keepsPromise === true && isValid : agrees
}

/** The part of the document that a run renews. */
export function tablesOf(run: Run, day: string): string {
  const { verdicts, checks } = run
  const versions = [...new Set(verdicts.map(({ version }) => version))]
  const total = verdicts.filter(({ none }) => none === null).length
  return [
    `Last full run: ${day}, Claude Code ${versions.join(', ')}; ${total} resumes.`,
    '',
    '### What the model says, and what was sent',
    '',
    ...tableOf(run, versions, false),
    '',
    '### What dagline writes, and what was sent',
    '',
    ...tableOf(run, versions, true),
    '',
    ...(checks.length === 0 ? [] : ['### Beside that', '', ...checkLines(checks), '']),
    ...exceptions(verdicts),
  ].join('\n')
}

function tableOf({ verdicts, cases }: Run, versions: readonly string[], isMade: boolean): readonly string[] {
  const here = verdicts.filter(verdict => verdict.isMade === isMade)
  const kinds = [...new Set(here.map(({ kind }) => kind))]
  const at = (kind: string | null, version: string): readonly Verdict[] =>
    here.filter(verdict => (kind === null || verdict.kind === kind) && verdict.version === version)
  const line = (title: string, cell: (version: string) => string): string =>
    `| ${title} | ${versions.map(cell).join(' | ')} |`
  const all = kinds.reduce((sum, kind) => sum + (cases[kind] ?? 0), 0)
  return [
    line(isMade ? 'What was done' : 'Session', version => version),
    `|---|${versions.map(() => '--:').join('|')}|`,
    ...kinds.map(kind => line(kind, version => cellOf(at(kind, version)))),
    line('all', version => cellOf(at(null, version))),
    line('cases run', version => `${at(null, version).length} of ${all}`),
  ]
}

/** How many went as dagline says; of how many, where not all did; and what was not resumed. */
function cellOf(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ''
  const resumed = verdicts.filter(({ none }) => none === null)
  const right = resumed.filter(isFine).length
  const nothing = verdicts.filter(({ none }) => none === 'nothing to do').length
  const refused = verdicts.filter(({ none }) => none === 'refused').length
  const parts = [
    ...(resumed.length === 0
      ? []
      : [right === resumed.length ? `${right}` : `**${right}** of ${resumed.length}`]),
    ...(nothing === 0 ? [] : [`${nothing} –`]),
    ...(refused === 0 ? [] : [`**${refused} ×**`]),
  ]
  return parts.join(', ')
}

function checkLines(checks: readonly Check[]): readonly string[] {
  const sentences = [...new Set(checks.map(({ what }) => what))]
  return sentences.map(what => {
    const here = checks.filter(check => check.what === what)
    const holds = here.filter(({ isRight }) => isRight).map(({ version }) => version)
    const fails = here.filter(({ isRight }) => !isRight).map(({ version }) => version)
    const not = fails.length === 0 ? '' : `; **not** with ${fails.join(', ')}`
    return `- ${what}: holds with ${holds.join(', ')}${not}.`
  })
}

/** Releases that leave results of calls side by side out of every session: what dagline writes is meant for later ones. */
const EARLY: ReadonlySet<string> = new Set(['2.1.41', '2.0.64', '1.0.66'])

/** Where the model is wrong, or a promise is not kept: one sentence for each class. */
function exceptions(verdicts: readonly Verdict[]): readonly string[] {
  const odd = verdicts.filter(verdict => !isFine(verdict))
  if (odd.length === 0) return ['No exceptions.']
  const early = odd.filter(({ isMade, version }) => isMade && EARLY.has(version))
  const others = odd.filter(verdict => !early.includes(verdict))
  const kinds = [...new Set(others.map(({ kind }) => kind))]
  const lines = kinds.map(kind =>
    exceptionLine(
      kind,
      others.filter(each => each.kind === kind),
    ),
  )
  return ['### Exceptions', '', ...lines, ...earlyLines(early)]
}

function earlyLines(early: readonly Verdict[]): readonly string[] {
  if (early.length === 0) return []
  const versions = [...new Set(early.map(({ version }) => version))]
  return [
    `- What dagline writes, with ${versions.join(', ')}: not sent as promised ${early.length} times; the table says of what.`,
  ]
}

function exceptionLine(kind: string, odd: readonly Verdict[]): string {
  const [first] = odd
  const versions = [...new Set(odd.map(({ version }) => version))]
  const what = odd.every(({ none }) => none === 'refused')
    ? 'refused'
    : first?.isMade === true
      ? 'not sent as promised'
      : 'not sent as the model says'
  const example = first === undefined ? '' : `${first.name}: ${first.difference}`
  const times = odd.length === 1 ? 'once' : `${odd.length} times`
  return `- ${kind}: ${what} ${times}, with ${versions.join(', ')}; ${example}.`
}
