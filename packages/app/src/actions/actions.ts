/** V26: actions of the page. Each is the method of a history that the command of the same name calls. */

import { dirname } from 'node:path'
import { count, dayAndTime, plural, shortId } from '@dagline/core/format'
import { groupBy, shellWord } from '@dagline/core/model'
import type { ActionChange, ActionOutcome, ActionRequest } from '@dagline/core/protocol'
import type { EditRecord } from '@dagline/store'
import { coverageSentence, EDIT_DONE, editName, goneSentence, undoneText } from '../edits/report-text.js'
import type { EditReport } from '../edits/run.js'
import type { EditOptions } from '../edits/target.js'
import type { History } from '../history.js'
import { UserError } from '../host/user-error.js'

/** What actions need of a history. */
type ActionHistory = Pick<History, 'edit' | 'archive' | 'find' | 'label'>

/** Does an action, or only says what it would do. Throws `UserError` where it cannot be done. */
export async function doAction(
  history: ActionHistory,
  request: ActionRequest,
  dryRun: boolean,
): Promise<ActionOutcome> {
  switch (request.kind) {
    case 'restore':
      return await restore(history, request.session, dryRun)
    case 'archive':
      return await archive(history, dryRun)
    case 'undo':
      return await undo(history, request.number, dryRun)
    case 'label':
      return await label(history, request, dryRun)
    default:
      return outcomeOf(await edit(history, request, dryRun), request)
  }
}

type EditRequest = Exclude<ActionRequest, { readonly kind: 'restore' | 'archive' | 'undo' | 'label' }>

async function edit(
  { edit: edits }: ActionHistory,
  request: EditRequest,
  dryRun: boolean,
): Promise<readonly EditReport[]> {
  const options = {
    out: null,
    title: 'title' in request ? request.title : null,
    snapshot: false,
    dryRun,
  }
  switch (request.kind) {
    case 'checkout':
      return [await edits.checkout(request.ref, { ...options, at: null })]
    case 'fork':
      return [await edits.fork(request.ref, options)]
    case 'pick':
      return [await edits.pick(request.refs, { ...options, onto: request.onto })]
    case 'trim':
      return [await edits.trim(request.session, { ...options, ...request })]
    case 'split':
      return await edits.split(request.session, { ...options, at: request.at })
    case 'repair':
      return [await repair(edits, request, options)]
  }
}

/** E14: a repair that a resume would load less of is only made where that was accepted. */
async function repair(
  { repair: repairSession }: ActionHistory['edit'],
  { session, isInPlace, acceptsLoss }: Extract<EditRequest, { readonly kind: 'repair' }>,
  options: EditOptions,
): Promise<EditReport> {
  const result = await repairSession(session, {
    only: [],
    inPlace: isInPlace,
    options,
    what: options.dryRun ? 'check' : 'write',
    mayLose: acceptsLoss,
  })
  if (result.state === 'done') return result.report
  if (result.state === 'needless')
    throw new UserError('The session has no problem that a repair fixes. Nothing was written.')
  throw new UserError(
    result.isLess
      ? `A resume would load less of the repaired session than today: ${result.fault}. Go back and accept that to preview it.`
      : `The check of the repair failed: ${result.fault}. Run \`dagline repair ${shortId(session)}\` in a terminal.`,
  )
}

function outcomeOf(reports: readonly EditReport[], request: EditRequest): ActionOutcome {
  const [first] = reports
  const isInPlace = request.kind === 'repair' && request.isInPlace
  return {
    sentences: reports.flatMap(report => sentencesOf(report, isInPlace)),
    changes: changesOf(reports),
    sessions: reports.map(({ plan }) => plan.session),
    resume: first?.resume ?? null,
    edit: first?.number ?? null,
    loss: first?.plan.command === 'repair' ? goneSentence(first) : null,
    edits: [],
  }
}

function sentencesOf(report: EditReport, isInPlace: boolean): readonly string[] {
  const { plan, number, file } = report
  const rows = plural(plan.rows.length.length, 'row')
  // A new session gets its id, and so its file, when it is written.
  const target = isInPlace ? `${file} with ${rows}` : `a new session of ${rows} into ${dirname(file)}`
  const what = number === null ? `Would write ${target}.` : `${EDIT_DONE[plan.command]}: ${file} has ${rows}.`
  const gone = goneSentence(report)
  return [what, coverageSentence(report), ...(gone === null ? [] : [gone])]
}

/** So many reasons are given for each kind of change. */
const REASONS = 3

function changesOf(reports: readonly EditReport[]): readonly ActionChange[] {
  const changes = reports.flatMap(({ plan, saved }) => [...plan.changes, ...saved.changes])
  return [...groupBy(changes, ({ what }) => what)].map(([what, all]) => ({
    what,
    count: all.length,
    why: reasonsOf(all.map(({ why }) => why)).slice(0, REASONS),
  }))
}

/** Each reason once. Those that differ only in the number that they begin with are one, with the sum. */
function reasonsOf(reasons: readonly string[]): readonly string[] {
  return [...groupBy(reasons, reason => reason.replace(/^\d+/, ''))].map(([words, alike]) => {
    const numbers = alike.flatMap(reason => /^\d+/.exec(reason) ?? [])
    return numbers.length === 0
      ? words
      : `${count(numbers.reduce((sum, each) => sum + Number(each), 0))}${words}`
  })
}

const NOTHING_ELSE = { changes: [], sessions: [], resume: null, edit: null, loss: null, edits: [] } as const

async function restore(history: ActionHistory, session: string, dryRun: boolean): Promise<ActionOutcome> {
  if (dryRun)
    return {
      ...NOTHING_ELSE,
      sentences: [
        'Writes the files of the session that are missing, byte for byte, from the archive. Files that exist are not overwritten.',
      ],
    }
  const { files } = await history.archive.restore(session, {
    archive: null,
    to: null,
    all: false,
    touch: true,
  })
  return { ...NOTHING_ELSE, sentences: [`Restored ${plural(files.length, 'file')}.`], sessions: [session] }
}

async function archive(history: ActionHistory, dryRun: boolean): Promise<ActionOutcome> {
  if (dryRun)
    return {
      ...NOTHING_ELSE,
      sentences: [
        'Copies new and changed transcripts of all projects into the archive. No transcript is changed.',
      ],
    }
  const report = await history.archive.keep([], { archive: null })
  const copied = report === null ? 0 : report.kept.files
  return { ...NOTHING_ELSE, sentences: [`The archive has ${plural(copied, 'file')} as they are now.`] }
}

async function undo(
  { edit: edits }: ActionHistory,
  number: number | null,
  dryRun: boolean,
): Promise<ActionOutcome> {
  if (!dryRun) {
    const undone = await edits.undo(number)
    return { ...NOTHING_ELSE, sentences: [`Undid ${editName(undone)}: ${undoneText(undone)}.`] }
  }
  const done = (await edits.list()).filter(({ state }) => state === 'done' || state === 'begun')
  const meant = number === null ? done.at(-1) : done.find(edit => edit.number === number)
  if (meant === undefined)
    throw new UserError(
      number === null
        ? 'There is no edit to undo.'
        : `Edit ${number} cannot be undone. Run \`dagline history\` to list edits.`,
    )
  const choices = done.toReversed().map(choice => ({ number: choice.number, text: editText(choice) }))
  return { ...NOTHING_ELSE, sentences: [`Undoes ${editName(meant)}: ${undoneText(meant)}.`], edits: choices }
}

function editText(edit: EditRecord): string {
  return `${dayAndTime(edit.time)}, ${editName(edit)}`
}

type LabelRequest = Extract<ActionRequest, { readonly kind: 'label' }>

async function label(history: ActionHistory, request: LabelRequest, dryRun: boolean): Promise<ActionOutcome> {
  const thing = await history.find(request.ref)
  const { name, tags, note } = request
  if (!dryRun) {
    history.label(thing, { name, note, removeTags: [] })
    if (tags.length > 0) history.label(thing, { addTags: tags })
  }
  const parts = [
    name === null ? 'no name' : `the name ${name}`,
    tags.length === 0 ? 'no tags' : `the tags ${tags.join(', ')}`,
    note === null ? 'no note' : 'a note',
  ]
  const verb = dryRun ? 'Gives' : 'Gave'
  return { ...NOTHING_ELSE, sentences: [`${verb} ${thing.kind} ${shortId(thing.id)} ${parts.join(', ')}.`] }
}

/** The same action in a terminal. */
export function commandFor(request: ActionRequest): string {
  const commands = request.kind === 'label' ? labelWords(request) : [wordsFor(request)]
  return commands.map(words => ['dagline', ...words.map(shellWord)].join(' ')).join(' && ')
}

/** One command for each thing that is given; where nothing is, the one that removes the name. */
function labelWords({ ref, name, tags, note }: LabelRequest): readonly (readonly string[])[] {
  const commands = [
    ...(name === null ? [] : [['name', ref, name]]),
    ...(tags.length === 0 ? [] : [['tag', ref, ...tags]]),
    ...(note === null ? [] : [['note', ref, note]]),
  ]
  return commands.length > 0 ? commands : [['name', ref, '--remove']]
}

function wordsFor(request: Exclude<ActionRequest, LabelRequest>): readonly string[] {
  const title = 'title' in request && request.title !== null ? ['--title', request.title] : []
  switch (request.kind) {
    case 'checkout':
    case 'fork':
      return [request.kind, request.ref, ...title]
    case 'pick':
      return ['pick', ...request.refs, '--onto', request.onto, ...title]
    case 'trim':
      return ['trim', request.session, ...trimWords(request)]
    case 'split':
      return ['split', request.session, '--at', request.at]
    case 'repair':
      return ['repair', request.session, '--yes', ...repairWords(request)]
    case 'restore':
      return ['restore', request.session, '--touch']
    case 'archive':
      return ['archive']
    case 'undo':
      return ['undo', ...(request.number === null ? [] : [`${request.number}`])]
  }
}

function repairWords(request: Extract<ActionRequest, { readonly kind: 'repair' }>): readonly string[] {
  return [...(request.isInPlace ? ['--in-place'] : []), ...(request.acceptsLoss ? ['--accept-loss'] : [])]
}

function trimWords(request: Extract<ActionRequest, { readonly kind: 'trim' }>): readonly string[] {
  const flags = (['images', 'thinking', 'progress'] as const).filter(name => request[name])
  const outputs = request.outputs === null ? [] : ['--outputs', `${request.outputs}`]
  return [...outputs, ...flags.map(name => `--${name}`)]
}
