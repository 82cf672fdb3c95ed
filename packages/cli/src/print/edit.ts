/** What an edit did, as text and as JSON. */
import { coverageSentence, EDIT_DONE, type EditRecord, type EditReport, goneSentence } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { type Change, type EditPlan, type Saved, savedTokens } from '@dagline/core/edit'
import { count, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import type { Console } from '../console.js'
import type { EditJson } from '../json/changes.js'
import type { JsonFields } from '../json/fields.js'
import { tableLines } from './table.js'
import { wrap } from './width.js'

/** Prints what was done. Changes that were shown before a question are not repeated. */
export async function printReports(
  console: Console,
  reports: readonly EditReport[],
  shown: 'changes-were-shown' | null = null,
): Promise<void> {
  if (!console.options.json) return await console.print(editLines(console, reports, shown === null))
  const parts = reports.map(factsOf)
  const [first] = reports
  const [fields] = parts
  if (first === undefined || fields === undefined) return
  // A split has two reports: the first in the fields of the contract, both in `parts`.
  await console.printJson(first.plan.command, {
    ...fields,
    ...(parts.length > 1 ? { parts: { list: parts } } : {}),
  })
}

function factsOf({ plan, number, file, live, gone, reach, coverage, resume, saved }: EditReport): EditJson {
  const { tokens, characters, images } = { ...saved, tokens: savedTokens(saved) }
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
    ...(coverage === null ? {} : { coverage }),
    ...(plan.trim === null ? {} : { saved: { tokens, characters, images } }),
  }
}

function allChanges({ changes }: EditPlan, saved: Saved): readonly Change[] {
  return [...changes, ...saved.changes]
}

/** What was changed and why, how much a resume loads, and how to resume. */
function* editLines(
  console: Console,
  reports: readonly EditReport[],
  withChanges: boolean,
): Generator<string> {
  const { style } = console
  for (const report of reports) {
    const { plan, number, path, saved } = report
    if (withChanges) yield* changeLines(console, allChanges(plan, saved))
    if (plan.trim !== null) yield `Saves about ${plural(savedTokens(saved), 'token')} of the conversation.`
    yield coverageSentence(report)
    yield* goneLines(console, report)
    if (number === null) {
      yield style.faint('Nothing was written.')
      continue
    }
    const name = plan.title === null ? '' : ` ${style.strong(cleanLine(plan.title))}`
    yield `${EDIT_DONE[plan.command]}:${name} ${style.id(plan.session)}`
    yield style.faint(path)
    yield `  ${report.resume}`
  }
  const number = reports[0]?.number ?? null
  if (number !== null) yield style.faint(`Run \`dagline undo\` to undo edit ${number}.`)
}

/** Entries that a resume loads today, but not from the result. */
export function goneLines({ style }: Console, report: Pick<EditReport, 'gone'>): readonly string[] {
  const sentence = goneSentence(report, style.id)
  return sentence === null ? [] : [sentence]
}

/** So many reasons are shown of each kind of change, and so many rows of each reason. */
const SHOWN = 3

/** What was changed, by kind. A reason that holds for many rows is given once. */
export function* changeLines(console: Console, changes: readonly Change[]): Generator<string> {
  const { style } = console
  for (const [kind, all] of groupBy(changes, ({ what }) => what)) {
    yield `${style.strong(kind)} ${style.faint(`(${count(all.length)})`)}`
    const reasons = groupBy(all, ({ why }) => why)
    for (const [why, found] of [...reasons].slice(0, SHOWN))
      yield* locatedLines(console, '  ', locationsText(found), why)
    const left = [...reasons.values()].slice(SHOWN).flat().length
    if (left > 0) yield style.faint(`  and ${count(left)} more`)
  }
}

/** `row 5, 26cff3d2`, or `rows 5, 9, 12 and 30 more`. */
function locationsText(changes: readonly Change[]): string {
  const [first] = changes
  const rows = changes.flatMap(({ row }) => row ?? [])
  if (changes.length === 1 || rows.length === 0) return locationText(first?.row ?? null, first?.node ?? null)
  const more = rows.length > SHOWN ? ` and ${count(rows.length - SHOWN)} more` : ''
  return `rows ${rows.slice(0, SHOWN).join(', ')}${more}`
}

/** `row 5, 26cff3d2`; empty where neither is known. */
export function locationText(row: number | null, node: string | null): string {
  return [...(row === null ? [] : [`row ${row}`]), ...(node === null ? [] : [shortId(node)])].join(', ')
}

/** `row 5, 26cff3d2  What is wrong there.`, wrapped after a mark; the location may be empty. */
export function* locatedLines(
  { style, width }: Console,
  mark: string,
  location: string,
  text: string,
): Generator<string> {
  const start = location === '' ? '' : `${location}  `
  const [first = '', ...more] = wrap(`${start}${cleanLine(text)}`, width - 4)
  yield `${mark}${style.faint(first.slice(0, start.length))}${first.slice(start.length)}`
  for (const line of more) yield `    ${line}`
}

/** The edits, the newest first. */
export function historyLines(console: Console, edits: readonly EditRecord[]): Iterable<string> {
  return tableLines(
    edits.toReversed(),
    [
      { title: 'no.', text: edit => String(edit.number), align: 'right' },
      { title: 'when', text: edit => dayAndTime(edit.time) },
      { title: 'what', text: edit => edit.command },
      { title: 'state', text: edit => STATES[edit.state] },
      { title: 'session', text: edit => shortId(edit.session) },
      { title: 'from', text: edit => shortId(edit.from) },
      { title: 'title', text: edit => cleanLine(edit.title ?? '(in place)'), flexible: true },
    ],
    console,
  )
}

const STATES: Readonly<Record<EditRecord['state'], string>> = {
  begun: 'interrupted',
  done: 'done',
  dropped: 'failed',
  undone: 'undone',
}

export function historyFacts(edits: readonly EditRecord[]): JsonFields<'history'> {
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
  return { edits: { list } }
}
