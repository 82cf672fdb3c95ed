/** The tables of docs/LAB.md. */
import { FAULT_KINDS } from '@dagline/core/faults'
import { groupBy } from '@dagline/core/model'
import type { Question } from '../cases/case.ts'
import type { Check } from '../checks/lab.ts'
import { VERSIONS } from './cli.ts'
import type { Verdict } from './judge.ts'

/** What a run has found. */
export interface Run {
  readonly verdicts: readonly Verdict[]
  readonly checks: readonly Check[]
}

/** The part of the document that a run renews. */
export function tablesOf({ verdicts, checks }: Run, day: string): string {
  const newest = verdicts.filter(isNewest)
  const others = verdicts.filter(verdict => !isNewest(verdict))
  return [
    `Last full run: ${day}; ${resumesOf(newest)} resumes with Claude Code ${versionsOf(newest).join(', ')}, ${resumesOf(others)} with earlier releases.`,
    '',
    `### Sessions as they are, and repaired: ${versionsOf(newest).join(', ')}`,
    '',
    ...sessionTable(newest),
    '',
    '### Other commands',
    '',
    ...editTable(newest),
    '',
    ...(others.length === 0 ? [] : ['### Earlier releases', '', ...releaseTable(others), '']),
    '### Where it is wrong',
    '',
    ...exceptions(verdicts),
    '',
    ...(checks.length === 0 ? [] : ['### Beside that', '', ...checkLines(checks), '']),
    '### Faults',
    '',
    ...faultLines(newest, checks),
  ].join('\n')
}

/** Whether it is of the newest release that the model knows, or a later one. */
export function isNewest({ version }: Pick<Verdict, 'version'>): boolean {
  return !VERSIONS.some((known, at) => at > 0 && known === version)
}

function versionsOf(verdicts: readonly Pick<Verdict, 'version'>[]): readonly string[] {
  return [...new Set(verdicts.map(({ version }) => version))]
}

function resumesOf(verdicts: readonly Verdict[]): string {
  const count = verdicts.filter(({ none }) => none === null).length
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** One row for each class of sessions. */
function sessionTable(verdicts: readonly Verdict[]): readonly string[] {
  const here = verdicts.filter(({ asks }) => asks !== 'edit')
  const kinds = [...new Set(here.map(({ kind }) => kind))]
  const line = (title: string, own: readonly Verdict[]): string => {
    const cells = [right(asked(own, 'model')), followed(asked(own, 'doctor')), repairs(asked(own, 'repair'))]
    return `| ${title} | ${cells.join(' | ')} |`
  }
  return [
    '| Session | model | doctor | repair |',
    '|---|--:|---|---|',
    ...kinds.map(kind => line(kind, ofKind(here, kind))),
    line('all', here),
  ]
}

/** One row for each command. */
function editTable(verdicts: readonly Verdict[]): readonly string[] {
  const here = asked(verdicts, 'edit')
  const kinds = [...new Set(here.map(({ kind }) => kind))]
  return [
    '| What was done | sent as promised |',
    '|---|---|',
    ...kinds.map(kind => `| ${kind} | ${repairs(ofKind(here, kind))} |`),
    `| all | ${repairs(here)} |`,
  ]
}

/** One row for each release before the newest. */
function releaseTable(verdicts: readonly Verdict[]): readonly string[] {
  const line = (version: string): string => {
    const here = verdicts.filter(verdict => verdict.version === version)
    const promised = here.filter(({ asks }) => asks !== 'model')
    const cells = [right(asked(here, 'model')), repairs(asked(here, 'repair')), repairs(asked(here, 'edit'))]
    return `| ${version} | ${cells.join(' | ')} | ${reasons(promised)} |`
  }
  return [
    '| Release | model | repair | other commands | why a promise was not kept |',
    '|---|--:|---|---|---|',
    ...versionsOf(verdicts).map(line),
  ]
}

function asked(verdicts: readonly Verdict[], question: Question): readonly Verdict[] {
  return verdicts.filter(({ asks }) => asks === question)
}

function ofKind(verdicts: readonly Verdict[], wanted: string): readonly Verdict[] {
  return verdicts.filter(({ kind }) => kind === wanted)
}

/** How many are right; of how many, where not all are. */
function right(verdicts: readonly Verdict[]): string {
  const count = verdicts.filter(({ isRight }) => isRight).length
  if (verdicts.length === 0) return ''
  return count === verdicts.length ? `${count}` : `**${count}** of ${verdicts.length}`
}

/** `12 as they are, 8 by repair`. */
function followed(verdicts: readonly Verdict[]): string {
  const resumed = verdicts.filter(({ none }) => none === null)
  const named = [...new Set(resumed.flatMap(({ command }) => command ?? []))].sort()
  const commands = resumed.some(({ command }) => command === null) ? [null, ...named] : named
  const parts = commands.map(command => {
    const own = resumed.filter(each => each.command === command)
    return `${right(own)} ${command === null ? 'as they are' : `by ${command}`}`
  })
  return [...parts, ...unmade(verdicts)].join(', ')
}

/** `12, 3 –, 1 ×`. */
function repairs(verdicts: readonly Verdict[]): string {
  const resumed = verdicts.filter(({ none }) => none === null)
  const parts = [right(resumed), ...unmade(verdicts)]
  return parts.filter(part => part !== '').join(', ')
}

/** `3 –`, `1 ×`. */
function unmade(verdicts: readonly Verdict[]): readonly string[] {
  const count = (why: Verdict['none']): number => verdicts.filter(({ none }) => none === why).length
  const [nothing, refused] = [count('nothing to do'), count('refused')]
  return [...(nothing === 0 ? [] : [`${nothing} –`]), ...(refused === 0 ? [] : [`**${refused} ×**`])]
}

/** `calls or results left out 30, ends elsewhere 7`. */
function reasons(verdicts: readonly Verdict[]): string {
  const counts = new Map<string, number>()
  for (const { isRight, why } of verdicts) if (!isRight) counts.set(why, (counts.get(why) ?? 0) + 1)
  const most = [...counts].sort(([, a], [, b]) => b - a)
  return most.map(([why, count]) => `${why} ${count}`).join(', ')
}

function checkLines(checks: readonly Check[]): readonly string[] {
  const sentences = [...new Set(checks.map(({ what }) => what))]
  return sentences.map(what => {
    const here = checks.filter(check => check.what === what)
    const holds = versionsOf(here.filter(({ isRight }) => isRight))
    const fails = versionsOf(here.filter(({ isRight }) => !isRight))
    const not = fails.length === 0 ? '' : `**not** with ${fails.join(', ')}`
    const isAll = holds.length > 1 && holds.length === versionsOf(checks).length
    const who = isAll ? 'all' : holds.join(', ')
    const parts = [holds.length === 0 ? '' : `holds with ${who}`, not]
    return `- ${what}: ${parts.filter(part => part !== '').join('; ')}.`
  })
}

const WRONG = {
  model: 'not sent as the model says',
  doctor: 'not as the doctor says',
  repair: 'repaired, not sent as promised',
  edit: 'not sent as promised',
} as const

/** Where the model is wrong with any release, or a promise is not kept with the newest: a line for each class and reason. */
function exceptions(verdicts: readonly Verdict[]): readonly string[] {
  const odd = verdicts.filter(verdict => !verdict.isRight && (isNewest(verdict) || verdict.asks === 'model'))
  if (odd.length === 0) return ['Nowhere.']
  const groups = groupBy(odd, ({ asks, kind, none }) => `${kind}: ${none ?? WRONG[asks]}`)
  return [...groups].map(([title, own]) => exceptionLine(title, own))
}

function exceptionLine(title: string, own: readonly Verdict[]): string {
  const [first] = own
  const counts = versionsOf(own).map(version => {
    const here = own.filter(each => each.version === version)
    return `${here.length} with ${version}`
  })
  const why = reasons(own.filter(({ none }) => none === null))
  const example = first === undefined ? '' : `${first.name}: ${first.difference}`
  return `- ${title}, ${counts.join(', ')}${why === '' ? '' : ` (${why})`}. First: ${example.replace(/\.*$/, '')}.`
}

/** Kinds that no case of the lab has. */
export function faultsNotMet(verdicts: readonly Verdict[], checks: readonly Check[]): readonly string[] {
  return FAULT_KINDS.map(({ id }) => id).filter(id => classesOf(id, verdicts, checks).size === 0)
}

/** A table: each kind, in how many cases it was found, and in which classes. */
function faultLines(verdicts: readonly Verdict[], checks: readonly Check[]): readonly string[] {
  const lines = FAULT_KINDS.map(({ id }) => {
    const classes = classesOf(id, verdicts, checks)
    const count = [...classes.values()].reduce((sum, each) => sum + each, 0)
    return `| `.concat([`\`${id}\``, String(count), listed(classes)].join(' | '), ' |')
  })
  return ['| Fault | cases | most of them |', '|---|--:|---|', ...lines]
}

/** How often a fault was found in each class, most often first. */
function classesOf(
  id: string,
  verdicts: readonly Verdict[],
  checks: readonly Check[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (kind: string): unknown => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const { faults, kind } of verdicts) if (faults.includes(id)) add(kind)
  for (const { faults = [], what } of checks) if (faults.includes(id)) add(what.split(':')[0] ?? what)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

const SHOWN = 4

function listed(classes: ReadonlyMap<string, number>): string {
  const names = [...classes.keys()]
  const more = names.length - SHOWN
  return `${names.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}
