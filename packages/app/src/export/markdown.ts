/** A session as a document in Markdown: turns, answers, tools, and what was left, for reading and pasting. */

import { cleanLine, printableText } from '@dagline/core/content'
import { dayAndTime, exactMoney, plural } from '@dagline/core/format'
import { commandLine, never } from '@dagline/core/model'
import {
  type Block,
  FROM_PROGRESS,
  ROW_KINDS,
  ROW_MARKS,
  type RowContent,
  type RowKind,
  type Sheet,
  type SheetLine,
} from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { isMarked, ownFigures } from '@dagline/core/view'
import type { ExportedSession } from './exported-session.js'
import { nameOf } from './html.js'
import { type Links, sessionAnchor } from './links.js'
import {
  anchorsAt,
  isSection,
  junctionWords,
  linksIn,
  linkText,
  originWords,
  type RowLinks,
  rowLink,
} from './markdown-links.js'
import { codeSpan, cutOutput, fenced, folded, quoted, safeMarkdown } from './markdown-text.js'
import { type CallWords, callMarkdown, resultMarkdown } from './markdown-tools.js'

const CHUNK = 256

/** Where the document is. */
interface DocumentState {
  readonly sheet: Sheet
  readonly links: Links
  readonly marks: RowLinks
  readonly plain: Plain
  /** Lines that are open, from the outermost on. */
  readonly open: number[]
  turns: number
  speaker: string
  /** What the document does not have: rows of the client, and thinking without text. */
  readonly leftOut: { rows: number; thinking: number }
}

/** The document, piece by piece. O1: it has no control characters, whatever its parts are made of. */
export function* markdownPieces(
  exported: ExportedSession,
  redactor: Redactor | null,
  links: Links,
): Generator<string> {
  for (const piece of documentPieces(exported, redactor, links)) yield printableText(piece)
}

function* documentPieces(
  exported: ExportedSession,
  redactor: Redactor | null,
  links: Links,
): Generator<string> {
  const { sheet } = exported
  const plain = redactor === null ? (text: string) => text : redactor.text
  const document: DocumentState = {
    sheet,
    links,
    marks: linksIn(sheet),
    plain,
    open: [],
    turns: 0,
    speaker: '',
    leftOut: { rows: 0, thinking: 0 },
  }
  yield headOf(exported, nameOf(exported, redactor), document)
  for (let from = 0; from < sheet.rows.node.length; from += CHUNK) {
    const contents = exported.contents(from, Math.min(from + CHUNK, sheet.rows.node.length), redactor)
    for (const [at, content] of contents.entries()) yield* rowPieces(document, from + at, content)
  }
  yield* closeLines(document, 0)
  yield* leftOutPieces(document)
}

/** L6: what the document leaves out. */
function* leftOutPieces({ leftOut: { rows, thinking } }: DocumentState): Generator<string> {
  const parts = [
    rows > 0 ? plural(rows, 'hook, attachment or note', 'hooks, attachments and notes') : '',
    thinking > 0 ? `${plural(thinking, 'thinking block')} without recorded text` : '',
  ].filter(part => part !== '')
  if (parts.length > 0) yield `*Left out: ${parts.join(', ')}.*\n`
}

type Plain = (text: string) => string

function headOf({ sheet, messages: usages }: ExportedSession, title: string, state: DocumentState): string {
  const { links, plain } = state
  const { session, rows } = sheet
  const messages = rows.marks.filter(marks => (marks & ROW_MARKS.message) !== 0).length
  const { branches, agents, cost } = ownFigures(sheet)
  const facts = [
    `Session ${codeSpan(session.id)}`,
    `project ${codeSpan(plain(session.project))}`,
    session.first === null ? '' : `${dayAndTime(session.first)} to ${dayAndTime(session.last)}`,
    plural(messages, 'message'),
    branches > 0 ? plural(branches, 'abandoned branch', 'abandoned branches') : '',
    agents > 0 ? plural(agents, 'subagent') : '',
    [...new Set([...usages.values()].flatMap(({ model }) => model ?? []))].map(codeSpan).join(', '),
    costText(cost ?? 0),
  ]
  const origin = originWords(sheet, links, plain)
  const known = facts.filter(fact => fact !== '').join(', ')
  const anchor = `<a id="${sessionAnchor(session.id)}"></a>`
  return `${anchor}\n\n# ${safeLine(title)}\n\n${known}.\n\n${origin === '' ? '' : `${origin}.\n\n`}`
}

/** When a turn began, and what it cost. */
function turnFacts({ sheet }: DocumentState, row: number): string {
  const time = sheet.rows.time[row] ?? null
  const [, cost = 0] = sheet.turns.find(([prompt]) => prompt === row) ?? []
  const facts = [time === null ? '' : dayAndTime(time), costText(cost)].filter(fact => fact !== '')
  return facts.length === 0 ? '' : `*${facts.join(', ')}*\n\n`
}

function costText(cost: number): string {
  return cost > 0 ? exactMoney(cost) : ''
}

function safeLine(text: string): string {
  return safeMarkdown(cleanLine(text)).replace(/^#+\s*/, '')
}

function* rowPieces(document: DocumentState, row: number, content: RowContent): Generator<string> {
  yield* enterLine(document, row)
  if (!isHeaded(document.sheet, row)) yield* anchorsAt(document.marks, row)
  yield* saidPieces(document, row, content)
  yield* leavingPieces(document, row)
}

/** S2: the sessions that go on from a row, and the branches that were left at it. */
function* leavingPieces({ sheet, marks, links, plain }: DocumentState, row: number): Generator<string> {
  for (const junction of marks.junctions.get(row) ?? [])
    yield `*${junctionWords(junction, links, plain)}*\n\n`
  for (const line of marks.leaving.get(row) ?? []) {
    const words = line.words === null ? '' : `: ${linkText(plain(line.words)).slice(0, 60)}`
    yield `*Left here: ${rowLink(sheet, line.head, `abandoned attempt${words}`)}*\n\n`
  }
}

function* saidPieces(document: DocumentState, row: number, content: RowContent): Generator<string> {
  const epoch = document.sheet.epochs.find(each => each.row === row)
  const kind = kindAt(document.sheet, row)
  if (epoch?.isUnfinished === true) yield `*${safeLine(epoch.label)}*\n\n`
  else if (epoch !== undefined) yield `---\n\n**${safeLine(epoch.label)}**\n\n---\n\n`
  if (SILENT.has(kind)) document.leftOut.rows++
  if (SILENT.has(kind) || kind === 'compaction') return
  if (kind === 'prompt' || kind === 'queued' || isMarked(document.sheet, row, ROW_MARKS.turn))
    yield* promptPieces(document, row, content)
  else for (const block of content.blocks) yield* spoken(document, row, kind, block)
  for (const { became, words } of document.sheet.queue.filter(item => item.row === row))
    yield `*Queued and ${became}:*\n\n${quoted(safeMarkdown(document.plain(words)))}\n\n`
}

/** What Claude Code adds by itself. */
const SILENT: ReadonlySet<RowKind> = new Set(['system', 'attachment', 'progress', 'meta', 'caveat'])

function kindAt({ rows }: Sheet, row: number): RowKind {
  return ROW_KINDS[rows.kind[row] ?? -1] ?? 'other'
}

/** Opens and closes sections, so that the row stands in that of its line. */
function* enterLine(document: DocumentState, row: number): Generator<string> {
  const line = document.sheet.rows.line[row] ?? 0
  const at = document.open.lastIndexOf(line)
  if (at >= 0) {
    yield* closeLines(document, at + 1)
    return
  }
  const host = document.open.lastIndexOf(document.sheet.lines[line]?.parent ?? -1)
  yield* closeLines(document, host + 1)
  document.open.push(line)
  document.speaker = ''
  const known = document.sheet.lines[line]
  const section = sectionOf(known, document.plain)
  if (section === null) return
  if (isHeaded(document.sheet, row)) yield* anchorsAt(document.marks, row)
  yield `${'#'.repeat(levelOf(document))} ${section}\n\n${backOf(document.sheet, known)}`
}

function* closeLines(document: DocumentState, keep: number): Generator<string> {
  while (document.open.length > keep) {
    const line = document.sheet.lines[document.open.pop() ?? -1]
    document.speaker = ''
    if (line !== undefined && isSection(line)) yield `*End of the ${endName(line)}.*\n\n`
  }
}

/** Whether a row begins a section: its anchors stand above the heading. */
function isHeaded({ lines, rows }: Sheet, row: number): boolean {
  const line = lines[rows.line[row] ?? -1]
  return line !== undefined && line.head === row && isSection(line)
}

/** S2: the link back from a section to the row that it leaves. */
function backOf(sheet: Sheet, line: SheetLine | undefined): string {
  if (line === undefined || line.at < 0) return ''
  return `${rowLink(sheet, line.at, backLabel(line))}\n\n`
}

function backLabel({ kind, agent }: SheetLine): string {
  if (kind !== 'agent') return 'Back to where it was left'
  return agent?.evidence == null ? 'Back to the entry it hangs on' : 'Back to its call'
}

function endName({ agent, kind }: SheetLine): string {
  return kind === 'agent' ? `agent ${safeLine(agent?.name ?? '')}`.trim() : 'abandoned attempt'
}

function sectionOf(line: SheetLine | undefined, plain: Plain): string | null {
  if (line === undefined || !isSection(line)) return null
  const words = line.words === null ? '' : `: ${safeLine(plain(line.words)).slice(0, 100)}`
  const { name = 'agent', step = null, source = null } = line.agent ?? {}
  const marks = [step, source === 'progress' ? FROM_PROGRESS : null].filter(mark => mark !== null)
  const label = marks.length === 0 ? name : `${name} (${marks.join(', ')})`
  if (line.kind === 'agent') return `Agent ${safeLine(plain(label))}${words}`
  return 'Abandoned attempt'
}

/** Sections inside of sections have smaller headings, as far as there are any. */
function levelOf({ open, sheet }: DocumentState): number {
  const sections = open.filter(line => {
    const made = sheet.lines[line]
    return made !== undefined && isSection(made)
  })
  return Math.min(6, 2 + sections.length)
}

/** S6: what was typed has a heading of its own; where it begins a turn of the conversation, with a number. */
function* promptPieces(document: DocumentState, row: number, content: RowContent): Generator<string> {
  document.speaker = ''
  const text = content.blocks
    .map(block =>
      block.kind === 'text' ? block.text.text : block.kind === 'command' ? commandLine(block) : '',
    )
    .join('\n')
    .trim()
  const lines = document.open.flatMap(line => document.sheet.lines[line] ?? [])
  const isTurn = lines.every(({ kind }) => kind !== 'agent')
  const isLeft = lines.some(isSection)
  const level = Math.min(6, levelOf(document) + (isLeft ? 1 : 0))
  const isNumbered = isTurn && !isLeft && isMarked(document.sheet, row, ROW_MARKS.turn)
  const number = isNumbered ? `${++document.turns}. ` : ''
  if (isTurn)
    yield `${'#'.repeat(level)} ${number}${safeLine(text).slice(0, 90)}\n\n${turnFacts(document, row)}`
  const isWhole = isTurn && text.length <= 90 && !text.includes('\n')
  if (text !== '' && !isWhole) yield `${quoted(safeMarkdown(text))}\n\n`
  for (const block of content.blocks)
    if (block.kind !== 'text' && block.kind !== 'command') yield* spoken(document, row, 'prompt', block)
}

/** A block of a row, under the name of who speaks where that has changed. */
function* spoken(document: DocumentState, row: number, kind: RowKind, block: Block): Generator<string> {
  if (block.kind === 'thinking' && block.isHidden) document.leftOut.thinking++
  // Blank lines around a text would stand beside those between blocks.
  const text = blockMarkdown(kind, block, wordsAt(document, row)).replace(/^\n+|\s+$/g, '')
  if (text === '') return
  const speaker = document.sheet.names[document.sheet.rows.actor[row] ?? -1] ?? ''
  if (kind === 'text' && speaker !== document.speaker) {
    document.speaker = speaker
    yield `**${safeLine(speaker)}**\n\n`
  }
  yield `${text}\n\n`
}

/** The links that a call or result at a row shows. */
function wordsAt({ sheet, marks, plain }: DocumentState, row: number): CallWords {
  const { lines } = sheet
  const call = marks.callOf.get(row)
  return {
    agentOf: line => {
      const name = linkText(plain(lines[line]?.agent?.name ?? ''))
      return rowLink(sheet, lines[line]?.head ?? -1, `the section of its agent ${name}`.trim())
    },
    late: rowLink(sheet, marks.resultOf.get(row) ?? -1, 'see below'),
    call: call === undefined ? '' : ` (${rowLink(sheet, call, 'its call')})`,
  }
}

function blockMarkdown(kind: RowKind, block: Block, words: CallWords): string {
  switch (block.kind) {
    case 'text':
      if (block.text.text.trim() === '') return ''
      return kind === 'summary'
        ? folded('Summary', quoted(safeMarkdown(block.text.text)))
        : safeMarkdown(block.text.text)
    case 'thinking':
      return block.text.text === '' ? '' : folded('Thinking', quoted(safeMarkdown(block.text.text)))
    case 'call':
      return callMarkdown(block, words)
    case 'result':
      return resultMarkdown(block, words)
    case 'image':
      return `*(a picture, ${block.image.media})*`
    case 'command': {
      const output = block.output === null ? '' : `\n\n${fenced(cutOutput(block.output.text), '')}`
      return `${codeSpan(`${block.name} ${block.args}`.trim())}${output}`
    }
    case 'note':
      return noteMarkdown(kind, block.label, block.text.text)
    case 'error':
      return quoted(`**Error:** ${safeMarkdown(block.text.text)}`)
    default:
      return never(block)
  }
}

/** A block of another kind is named; what the client says to itself within a message is left out. */
function noteMarkdown(kind: RowKind, label: string, text: string): string {
  if (kind === 'notification' || kind === 'interrupt') return quoted(safeMarkdown(text))
  if (INNER_NOTES.has(label)) return ''
  const name = `**${safeLine(label)}**`
  if (text.includes('\n')) return `${name}\n\n${fenced(cutOutput(text), '')}`
  return text === '' ? name : `${name} ${codeSpan(text)}`
}

const INNER_NOTES: ReadonlySet<string> = new Set(['reminder', 'caveat', 'meta'])
