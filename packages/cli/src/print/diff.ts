/** Two conversations side by side, or one after the other where there is no room for two columns. */
import { cleanLine, cleanText } from '@dagline/core/content'
import { clock, count, dayAndTime, exactMoney, isoTime, plural, shortId } from '@dagline/core/format'
import type { ComparedSide, ComparedTurn, Comparison } from '@dagline/core/protocol'
import type { Console } from '../console.js'
import type { ComparedJson, ComparedTurnJson, SideJson } from '../json/comparison.js'
import { fit, fitEnd, pad, widthOf, wrap } from './width.js'

interface DiffPage {
  readonly comparison: Comparison
  /** The names that the user gave the sides; empty without one. */
  readonly names: readonly [string, string]
  /** Prompts and answers in full. */
  readonly isFull: boolean
}

/** The least width for two columns. */
const WIDE = 100
const BETWEEN = ' │ '
const NAMES = 12

/** All lines of a comparison. */
export function* diffLines(console: Console, page: DiffPage): Generator<string> {
  yield* forkLines(console, page)
  if (isSame(page.comparison)) return
  yield ''
  yield* figureLines(console, page)
  yield* fileLines(console, page.comparison.sides)
  const isWide = console.width >= WIDE && Number.isFinite(console.width)
  yield* isWide ? pairedTurns(console, page) : turnsInRow(console, page)
}

export function diffFacts({ comparison: { fork, sides }, names }: DiffPage): ComparedJson {
  return { fork, sides: sides.map((side, at) => sideFacts(side, names[at] ?? '')) }
}

function sideFacts(side: ComparedSide, name: string): SideJson {
  const { cost: costUSD, turns, ...figures } = side
  const named = name === '' ? {} : { name }
  const times = { first: isoTime(side.first), last: isoTime(side.last) }
  return { ...figures, ...named, ...times, costUSD, turns: turns.map(turnFacts) }
}

function turnFacts({ cost: costUSD, ...turn }: ComparedTurn): ComparedTurnJson {
  return { ...turn, time: isoTime(turn.time), costUSD }
}

function* forkLines({ style, width }: Console, { comparison: { fork, sides } }: DiffPage): Generator<string> {
  if (fork === null) {
    yield style.faint('They have no common history: both are shown from the start.')
    return
  }
  const place = fork.node === null ? 'at the start' : `after ${shortId(fork.node)}`
  const shared = fork.shared === 0 ? '' : `, with ${plural(fork.shared, 'entry', 'entries')} in common`
  const text = isSame({ fork, sides })
    ? `They are the same${shared}. Run \`dagline branches SESSION\` to list branches to compare.`
    : `They diverge ${place}${shared}.`
  yield* wrap(text, width)
  if (fork.evidence !== null) yield style.faint(fit(fork.evidence, width))
}

function isSame({ fork, sides }: Comparison): boolean {
  return fork !== null && sides.every(side => side.turns.length === 0)
}

/** A row of figures: a name, and what both sides have of it. */
type FigureRow = readonly [name: string, text: (side: ComparedSide) => string]

const FIGURES: readonly FigureRow[] = [
  ['time', timesOf],
  ['turns', side => count(side.turnCount)],
  ['API messages', side => count(side.messages)],
  ['tokens', ({ tokens, output }) => (tokens === 0 ? '' : `${count(tokens)} (${count(output)} output)`)],
  ['cost', ({ messages, cost }) => (messages === 0 ? '' : exactMoney(cost))],
  ['subagents', side => (side.agents === 0 ? '' : count(side.agents))],
  ['tools', side => side.tools.map(toolText).join(', ')],
]

function timesOf({ first, last }: ComparedSide): string {
  const start = dayAndTime(first)
  const end = dayAndTime(last)
  if (start === '' || start === end) return start
  const isSame = (length: number): boolean => end.slice(0, length) === start.slice(0, length)
  return `${start} to ${isSame('2026-03-01'.length) ? clock(last) : end.slice(isSame('2026-'.length) ? '2026-'.length : 0)}`
}

function toolText({ name, calls, errors }: ComparedSide['tools'][number]): string {
  return `${cleanLine(name)} ${calls}${errors > 0 ? ` (${errors} failed)` : ''}`
}

function* figureLines(console: Console, { comparison: { sides }, names }: DiffPage): Generator<string> {
  const { style, width } = console
  const longest = Math.max(...sides.flatMap((side, at) => textsOf(side, names[at] ?? '').map(widthOf)))
  const column = Math.min(longest, Math.floor((width - NAMES - 2 - BETWEEN.length) / 2))
  const line = (name: string, texts: readonly string[], paint: (text: string) => string): string =>
    `${style.faint(pad(name, NAMES))}  ${texts.map(text => paint(pad(fit(text, column), column))).join(BETWEEN)}`.trimEnd()
  yield line(
    '',
    sides.map((side, at) => `${'AB'[at]} ${sideName(side, names[at] ?? '')}`),
    style.strong,
  )
  const titles = sides.map(side => cleanLine(side.title ?? ''))
  if (titles[0] !== titles[1]) yield line('', titles, style.faint)
  for (const [name, text] of FIGURES) {
    const texts = sides.map(text)
    if (texts.some(each => each !== '')) yield line(name, texts, plain)
  }
}

/** All cells of a side: a pipe has no width that they must fit. */
function textsOf(side: ComparedSide, name: string): readonly string[] {
  return [`A ${sideName(side, name)}`, cleanLine(side.title ?? ''), ...FIGURES.map(([, text]) => text(side))]
}

function plain(text: string): string {
  return text
}

/** `4539d2d0@7e083490-abc decimals (abandoned)`. */
function sideName({ session, line, status }: ComparedSide, name: string): string {
  const end = line.startsWith(session) ? line.slice(session.length) : ''
  const given = cleanLine(name)
  return `${shortId(session)}${end}${given === '' ? '' : ` ${given}`} (${status})`
}

/** Files by who wrote them. */
function* fileLines({ style, width }: Console, [a, b]: Comparison['sides']): Generator<string> {
  const edits = (side: ComparedSide): Map<string, number> =>
    new Map(side.files.map(({ path, edits: times }) => [path, times]))
  const [inA, inB] = [edits(a), edits(b)]
  const paths = [...new Set([...inA.keys(), ...inB.keys()])].sort()
  if (paths.length === 0) return
  yield ''
  yield style.strong('Files written')
  for (const path of paths) {
    const [left, right] = [inA.get(path) ?? 0, inB.get(path) ?? 0]
    const who = left === 0 ? '  B' : right === 0 ? 'A  ' : 'A B'
    const times = [left, right].filter(edited => edited > 0).map(edited => `${edited}×`)
    yield `${style.id(who)}  ${fitEnd(cleanLine(path), width - 14)}  ${style.faint(times.join(' '))}`
  }
}

/** Lines that are shown of a prompt or an answer. */
const MOST_LINES = 6

/** The first turns beside each other, and so on: the same question is often asked again. */
function* pairedTurns(console: Console, { comparison: { sides }, isFull }: DiffPage): Generator<string> {
  const column = Math.floor((console.width - BETWEEN.length) / 2)
  const [a, b] = sides.map(({ turns }) => turns)
  for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at++) {
    const [left, right] = [a?.[at], b?.[at]].map(turn =>
      turn === undefined ? [] : [...turnLines(console, turn, { width: column, isFull })],
    )
    yield ''
    for (let row = 0; row < Math.max(left?.length ?? 0, right?.length ?? 0); row++)
      yield `${left?.[row]?.(column) ?? ' '.repeat(column)}${console.style.faint(BETWEEN)}${right?.[row]?.(0) ?? ''}`.trimEnd()
  }
  yield* omitted(console, sides)
}

function* turnsInRow(
  console: Console,
  { comparison: { sides }, names, isFull }: DiffPage,
): Generator<string> {
  for (const [at, side] of sides.entries()) {
    yield ''
    yield console.style.strong(fit(`${'AB'[at]} ${sideName(side, names[at] ?? '')}`, console.width))
    for (const turn of side.turns)
      for (const line of turnLines(console, turn, { width: console.width, isFull })) yield line(0)
  }
  yield* omitted(console, sides)
}

function* omitted({ style }: Console, sides: Comparison['sides']): Generator<string> {
  for (const [at, { turns, turnCount }] of sides.entries()) {
    const rest = turnCount - turns.filter(({ prompt }) => prompt !== null).length
    if (rest > 0) {
      yield ''
      yield style.faint(`${plural(rest, 'further turn')} of ${'AB'[at]} not shown.`)
    }
  }
}

/** A line that can be padded to a width: colors take no room. */
type Fillable = (width: number) => string

interface TurnRoom {
  readonly width: number
  readonly isFull: boolean
}

function* turnLines({ style }: Console, turn: ComparedTurn, room: TurnRoom): Generator<Fillable> {
  const filled =
    (text: string, paint: (text: string) => string): Fillable =>
    width =>
      paint(text) + ' '.repeat(Math.max(0, width - widthOf(text)))
  const time = clock(turn.time)
  yield filled(`── ${time === '' ? '' : `${time} `}${shortId(turn.node)} `, style.faint)
  const prompt = turn.prompt ?? '(continues a turn)'
  for (const line of textLines(prompt, room)) yield filled(line, style.human)
  for (const { tool, text, failed } of turn.calls) {
    const line = fit(`· ${cleanLine(tool)} ${cleanLine(text)}`, room.width)
    yield filled(line, failed ? style.bad : style.tool)
  }
  for (const line of textLines(turn.answer ?? '', room)) yield filled(line, plain)
}

function textLines(text: string, { width, isFull }: TurnRoom): readonly string[] {
  const lines = wrap(cleanText(text).trim(), width).filter(line => isFull || line.trim() !== '')
  if (text.trim() === '') return []
  if (isFull || lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES - 1), '…']
}
