/** What an edit did, for people and for programs. */

import { type EditRecord, type EditReport, jsonLines } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { type Change, type EditPlan, type Saved, savedTokens } from '@dagline/core/edit'
import { count, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import type { Console } from '../console.js'
import { placedLines } from './placed.js'
import { tableLines } from './table.js'

/** The fields of the contract. A split has two reports: the first in the fields, both in `parts`. */
function editFacts(reports: readonly EditReport[]): readonly (readonly [string, unknown])[] {
  const [first] = reports
  const facts = first === undefined ? [] : Object.entries(factsOf(first))
  return [
    ['dagline', 1],
    ...facts,
    ...(reports.length > 1 ? [['parts', { list: reports.map(factsOf) }] as const] : []),
  ]
}

function factsOf({
  plan,
  number,
  file,
  live,
  gone,
  reach,
  resume,
  saved,
}: EditReport): Readonly<Record<string, unknown>> {
  return {
    session: plan.session,
    title: plan.title,
    file,
    from: plan.from,
    live,
    changes: allChanges(plan, saved).map(({ what, node, row, why }) => ({ what, node, row, why })),
    reach,
    resume,
    edit: number,
    ...(plan.command === 'repair' ? { gone } : {}),
    ...(plan.trim === null
      ? {}
      : { saved: { tokens: savedTokens(saved), characters: saved.characters, images: saved.images } }),
  }
}

function allChanges({ changes }: EditPlan, saved: Saved): readonly Change[] {
  return [...changes, ...saved.changes]
}

const DONE: Readonly<Record<EditPlan['command'], string>> = {
  repair: 'Repaired',
  checkout: 'Checked out',
  fork: 'Forked',
  pick: 'Picked',
  trim: 'Trimmed',
  split: 'Split',
}

/** How much of an edit is told. */
type ReportedEvents = 'all' | 'changes-were-shown'

/** The lines for people: what was changed and why, how far a resume reaches, and how to resume. */
function* editLines(
  console: Console,
  reports: readonly EditReport[],
  what: ReportedEvents = 'all',
): Generator<string> {
  const { style } = console
  for (const report of reports) {
    const { plan, number, path, saved } = report
    if (what === 'all') yield* changeLines(console, allChanges(plan, saved))
    if (plan.trim !== null) yield `Saves about ${plural(savedTokens(saved), 'token')} of the conversation.`
    yield reachLine(report)
    yield* goneLines(console, report)
    if (number === null) {
      yield style.faint('Nothing was written.')
      continue
    }
    const name = plan.title === null ? '' : ` ${style.strong(cleanLine(plan.title))}`
    yield `${DONE[plan.command]}:${name} ${style.id(plan.session)}`
    yield style.faint(path)
    yield `  ${report.resume}`
  }
  const numbers = reports.flatMap(({ number }) => number ?? [])
  if (numbers.length > 1)
    yield style.faint(
      `\`dagline undo\` takes both back; they are edits ${numbers.join(' and ')} of \`dagline history\`.`,
    )
  else if (numbers.length === 1)
    yield style.faint(`\`dagline undo\` takes it back; it is edit ${numbers[0]} of \`dagline history\`.`)
}

/** How much a resume loads before and after a repair, and how much of any other new session. */
export function reachLine({ plan, reach: { before, after } }: Pick<EditReport, 'plan' | 'reach'>): string {
  const now = plural(after, 'message')
  return plan.command === 'repair'
    ? `A resume loads ${now} of the result; today it loads ${count(before)}.`
    : `A resume carries ${now}.`
}

/** Entries that a resume loads today, and would not load of the result. */
export function* goneLines(console: Console, { gone }: Pick<EditReport, 'gone'>): Generator<string> {
  if (gone.length === 0) return
  const some = gone.slice(0, SHOWN).map(id => console.style.id(shortId(id)))
  const more = gone.length > SHOWN ? ` and ${count(gone.length - SHOWN)} more` : ''
  yield `${plural(gone.length, 'entry', 'entries')} that it loads today will not be loaded: ${some.join(', ')}${more}. They stay in the original.`
}

/** Of each kind of change the first few reasons, and of each reason the first few places. */
const SHOWN = 3

/** What was changed, by kind. A reason that holds for many places is given once. */
export function* changeLines(console: Console, changes: readonly Change[]): Generator<string> {
  const { style } = console
  for (const [kind, all] of groupBy(changes, ({ what }) => what)) {
    yield `${style.strong(kind)} ${style.faint(`(${count(all.length)})`)}`
    const reasons = groupBy(all, ({ why }) => why)
    for (const [why, places] of [...reasons].slice(0, SHOWN))
      yield* placedLines(console, '  ', placesOf(places), why)
    const left = [...reasons.values()].slice(SHOWN).flat().length
    if (left > 0) yield style.faint(`  and ${count(left)} more`)
  }
}

/** `row 5, 26cff3d2`, or `rows 5, 9, 12 and 30 more`. */
function placesOf(changes: readonly Change[]): string {
  const [first] = changes
  const rows = changes.flatMap(({ row }) => row ?? [])
  if (changes.length === 1 || rows.length === 0) {
    const row = first?.row == null ? [] : [`row ${first.row}`]
    return [...row, ...(first?.node == null ? [] : [shortId(first.node)])].join(', ')
  }
  const more = rows.length > SHOWN ? ` and ${count(rows.length - SHOWN)} more` : ''
  return `rows ${rows.slice(0, SHOWN).join(', ')}${more}`
}

/** The journal for people, the newest first. */
export function historyLines({ width, style }: Console, edits: readonly EditRecord[]): Iterable<string> {
  return tableLines(
    [...edits].reverse(),
    [
      { title: 'no.', text: edit => String(edit.number), side: 'left' },
      { title: 'when', text: edit => dayAndTime(edit.time) },
      { title: 'what', text: edit => edit.command },
      { title: 'state', text: edit => STATES[edit.state] },
      { title: 'session', text: edit => shortId(edit.session) },
      { title: 'from', text: edit => shortId(edit.from) },
      { title: 'title', text: edit => cleanLine(edit.title ?? '(in place)'), flexible: true },
    ],
    { width, title: style.faint },
  )
}

const STATES: Readonly<Record<EditRecord['state'], string>> = {
  begun: 'interrupted',
  done: 'done',
  dropped: 'failed',
  undone: 'taken back',
}

/** The journal for programs. */
export function historyFacts(edits: readonly EditRecord[]): readonly (readonly [string, unknown])[] {
  const list = edits.map(({ number, time, command, state, session, from, title, files }) => ({
    edit: number,
    time: isoTime(time),
    command,
    state,
    session,
    from,
    title,
    files: files.map(({ path, bytes, backup }) => ({ path, bytes, replaced: backup !== null })),
  }))
  return [
    ['dagline', 1],
    ['edits', { list }],
  ]
}

/** Prints what was done; what was changed only where it was not shown before the question. */
export async function printReports(
  console: Console,
  reports: readonly EditReport[],
  what: ReportedEvents = 'all',
): Promise<void> {
  const isJson = console.options.json
  await console.print(isJson ? jsonLines(editFacts(reports)) : editLines(console, reports, what))
}
