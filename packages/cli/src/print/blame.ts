/** A file line by line, as `git blame` prints it: REF, date, prompt, line. */
import {
  absentEdits,
  describeFate,
  describeLine,
  describeOrigins,
  isAbandonedEdit,
} from '@dagline/core/blame'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoDay, isoTime, plural, shortId } from '@dagline/core/format'
import type { BlamedCommit, BlamedEdit, BlamedFile, BlamedLine, BlamedPrompt } from '@dagline/core/protocol'
import type { Console } from '../console.js'
import type { BlamedLineJson, BlamedPromptJson } from '../json/blame.js'
import type { JsonFields } from '../json/fields.js'
import { fit, pad, wrap } from './width.js'

/** The fields of `blame --json`. */
export function blameFacts(file: BlamedFile): JsonFields<'blame'> {
  const { path, source, lines, edits, failed, commits } = file
  return {
    path,
    source,
    lines: { list: lines.map(line => lineFacts(line, file)) },
    edits: edits.map(({ time, prompt, ...edit }) => ({
      ref: edit.node,
      ...edit,
      time: isoTime(time),
      prompt: prompt === null ? null : promptFacts(prompt),
    })),
    failed,
    commits: commits.map(commit => ({ ...commit, time: isoTime(commit.time) })),
  }
}

function lineFacts(line: BlamedLine, file: BlamedFile): BlamedLineJson {
  const { line: number, after, before, ...facts } = line
  return {
    number,
    ...facts,
    because: describeLine(line, file),
    after: isoTime(after),
    before: isoTime(before),
  }
}

/** A prompt, with its time as others are printed. */
export function promptFacts(prompt: BlamedPrompt): BlamedPromptJson {
  return { ...prompt, time: isoTime(prompt.time) }
}

const REF = 8
const DATE = 10
/** Columns of the prompt: at most, and at least. */
const MOST_WORDS = 40
const LEAST_WORDS = 12

/** The lines, then what is known of the whole file. */
export function* blameLines(
  console: Console,
  file: BlamedFile,
  lines: readonly BlamedLine[],
): Generator<string> {
  const { style, width } = console
  const digits = String(lines.at(-1)?.line ?? 0).length
  const room = Number.isFinite(width) ? Math.floor((width - REF - DATE - digits) / 3) : MOST_WORDS
  const wide = Math.max(LEAST_WORDS, Math.min(MOST_WORDS, room))
  for (const line of lines) {
    const { ref, time, words, isPrompt } = sourceOf(line, file)
    const cells = [
      style.id(pad(ref, REF)),
      style.faint(pad(isoDay(time), DATE)),
      isPrompt ? pad(fit(words, wide), wide) : style.faint(pad(fit(words, wide), wide)),
      style.faint(pad(String(line.line), digits, 'right')),
      fit(codeLine(line.text), width - REF - DATE - wide - digits - 4),
    ]
    yield cells.join(' ').trimEnd()
  }
  yield* summaryLines(console, file)
}

interface LineSource {
  readonly ref: string
  readonly time: number | null
  readonly words: string
  readonly isPrompt: boolean
}

/** What is shown before a line: the call and its prompt, the commit, or that neither is known. */
function sourceOf(line: BlamedLine, { edits, commits }: BlamedFile): LineSource {
  const edit = editOf(line, edits)
  if (line.origin === 'undecided')
    return { ref: '?', time: null, words: `undecided: ${plural(line.edits.length, 'call')}`, isPrompt: false }
  if (edit === undefined) {
    const commit = line.commit === null ? undefined : commits[line.commit]
    return { ref: '-', time: commit?.time ?? null, words: commitWords(commit), isPrompt: false }
  }
  const agent = edit.agent === null ? '' : `${edit.agent.name}: `
  const words = edit.prompt === null ? '(no prompt)' : edit.prompt.text
  return { ref: shortId(edit.node), time: edit.time, words: cleanLine(`${agent}${words}`), isPrompt: true }
}

function editOf(
  { origin, edits: [first] }: BlamedLine,
  edits: readonly BlamedEdit[],
): BlamedEdit | undefined {
  return origin === 'edit' && first !== undefined ? edits[first] : undefined
}

function commitWords(commit: BlamedCommit | undefined): string {
  return commit === undefined ? 'no session' : cleanLine(`commit ${shortId(commit.hash)} ${commit.subject}`)
}

/** A line of a file, with tabs as blanks. */
function codeLine(text: string): string {
  return cleanLine(text.replaceAll('\t', '    ')) === '' ? '' : text.replaceAll('\t', '    ')
}

function* summaryLines({ style }: Console, file: BlamedFile): Generator<string> {
  yield ''
  yield style.faint(describeOrigins(file))
  const absent = absentEdits(file.edits)
  if (absent.length > 0) yield style.faint('Not in the file:')
  for (const edit of absent)
    yield `  ${style.id(shortId(edit.node))} ${style.faint(dayAndTime(edit.time))} ${cleanLine(edit.prompt?.text ?? edit.tool)} ${style.faint(`(${describeFate(edit)})`)}`
}

const LABEL = 9

/** All that is known of one line. */
export function* lineCard(console: Console, file: BlamedFile, line: BlamedLine): Generator<string> {
  const { style, width } = console
  const label = (name: string, value: string): string => `${style.faint(pad(name, LABEL))} ${value}`
  yield label(`line ${line.line}`, codeLine(line.text))
  for (const nth of line.edits) {
    const edit = file.edits[nth]
    if (edit !== undefined) yield* editLines(console, edit, label)
  }
  const commit = line.commit === null ? undefined : file.commits[line.commit]
  if (commit !== undefined)
    yield label(
      'commit',
      `${style.id(shortId(commit.hash))} ${cleanLine(commit.subject)}, ${cleanLine(commit.author)}`,
    )
  const [first = '', ...more] = wrap(describeLine(line, file), width - LABEL - 1)
  yield label('because', first)
  for (const rest of more) yield `${' '.repeat(LABEL)} ${rest}`
}

function* editLines(
  { style }: Console,
  edit: BlamedEdit,
  label: (name: string, value: string) => string,
): Generator<string> {
  const { prompt, session, title, agent, tool, node, time, line, status } = edit
  if (prompt !== null)
    yield label(
      'prompt',
      `${style.human(cleanLine(prompt.text))} ${style.faint(`(turn ${prompt.turn}, ${shortId(prompt.node)})`)}`,
    )
  yield label('session', `${style.id(shortId(session))} ${cleanLine(title ?? '')}`)
  if (agent !== null) yield label('subagent', cleanLine(`${agent.name} ${agent.id}`))
  yield label('call', `${tool} ${style.id(shortId(node))}, ${dayAndTime(time)}`)
  if (isAbandonedEdit(edit)) yield label('branch', cleanLine(`${line ?? ''} (${status})`))
}
