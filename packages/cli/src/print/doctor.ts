/** What `doctor` found, as text. */
import { type Examined, placeholderHash } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { FAULT_KINDS, type Fault, type FaultKind, hasResumeProblem, pushedFix } from '@dagline/core/faults'
import { bytes, count, dayAndTime, percent, plural, shortId } from '@dagline/core/format'
import { sumOf } from '@dagline/core/model'
import { createRedactor } from '@dagline/core/redact'
import { NEWEST_VERSION } from '@dagline/core/resume'
import type { Console } from '../console.js'
import { locatedLines, locationText } from './edit.js'
import { labelledTitle } from './names.js'
import { barOf, type Column, figureColumn, tableLines } from './table.js'
import { fit, pad, wrap } from './width.js'

const BAR = 20
const SMALL_BAR = 8

/** One session: how much of it a resume loads, and each problem with its rows, meaning, cost and command. */
export function* healthLines(console: Console, health: Examined): Generator<string> {
  const { style } = console
  const { session, faults, last } = health
  const id = shortId(session)
  yield `${style.id(id)}  ${style.strong(fit(titleOf(console, health), console.width - id.length - 2))}`
  yield style.faint(`${bytes(health.bytes)}, last written ${dayAndTime(last)}, ${health.file}`)
  yield ''
  yield coverageLine(console, health)
  if (!hasResumeProblem(health))
    yield faults.length === 0 ? 'No problems were found.' : 'Nothing is lost or rejected. Notes:'
  for (const kind of FAULT_KINDS) {
    const found = faults.filter(({ id }) => id === kind.id)
    if (found.length === 0) continue
    yield ''
    yield `${style.strong(kind.title)}  ${style.faint(kind.id)}`
    yield* faultLines(console, found)
    for (const line of wrap(`${kind.meaning} ${kind.cost}`, console.width - 2)) yield `  ${line}`
    const fix = found[0]?.fix ?? null
    if (fix !== null) yield `  ${style.good('→')} ${fix}`
  }
}

/** D26: what a kind of problem is, what it costs, and what is done about it. */
export function* kindLines({ style, width }: Console, kind: FaultKind): Generator<string> {
  yield `${style.strong(kind.title)}  ${style.faint(kind.id)}`
  for (const text of [kind.meaning, kind.cost, kind.remedy]) {
    yield ''
    yield* wrap(text, width)
  }
  yield ''
  if (kind.fix !== null) yield `${style.good('→')} ${kind.fix}`
  yield style.faint(
    `Rule ${kind.rule} in docs/SPEC.md. Run \`dagline doctor --only ${kind.id}\` to list sessions that have it.`,
  )
}

/** The title of a session. Titles are typed text, and `doctor` prints no secrets. */
function titleOf(console: Console, { session, title }: Examined): string {
  const { text } = createRedactor({ what: ['secrets'], hash: placeholderHash() })
  const plain = cleanLine(text(title ?? '(no title)'))
  return labelledTitle(console.history.labels().get(session), plain)
}

/** `resume loads █████ 301 of 5,783 entries (5 %); after a repair 5,783`. */
function coverageLine({ style }: Console, { coverage: { now, possible }, faults }: Examined): string {
  if (possible === 0) return 'There is no conversation in it.'
  const share = now / possible
  const bar = (share === 1 ? style.good : style.bad)(pad(barOf(share, BAR), BAR))
  const after = share === 1 ? '' : `; after a ${remedyOf(faults)} ${count(possible)}`
  return `resume loads ${bar} ${coverageText(now, possible)}${after}`
}

/** `301 of 5,783 entries (5 %)`. */
function coverageText(now: number, possible: number): string {
  return `${count(now)} of ${plural(possible, 'entry', 'entries')} (${possible === 0 ? '100 %' : percent(now, possible)})`
}

/** The command that brings back what is lost: a repair, or a checkout where there is nothing to repair. */
function remedyOf(faults: readonly Fault[]): string {
  const fixes = faults.filter(({ effect }) => effect !== 'none').map(({ fix }) => fix ?? '')
  return fixes.some(fix => fix.startsWith('dagline repair')) ? 'repair' : 'checkout'
}

const MOST_FAULTS = 8

function* faultLines(console: Console, faults: readonly Fault[]): Generator<string> {
  for (const fault of faults.slice(0, MOST_FAULTS)) yield* faultLine(console, fault)
  const more = faults.length - MOST_FAULTS
  if (more > 0) yield `  … and ${count(more)} more; --json lists all of them`
}

const MARKS: Readonly<Record<Fault['severity'], readonly [keyof Omit<Console['style'], 'lane'>, string]>> = {
  error: ['bad', '✗'],
  warning: ['id', '!'],
  info: ['faint', '·'],
}

function faultLine(console: Console, { severity, row, node, message }: Fault): Iterable<string> {
  const [color, mark] = MARKS[severity]
  return locatedLines(console, `  ${console.style[color](mark)} `, locationText(row, node), message)
}

/** Many sessions: the worst first, then the kinds of problems, then the sums. */
export function* healthTable(
  console: Console,
  shown: readonly Examined[],
  all: readonly Examined[],
): Generator<string> {
  yield* tableLines(shown, columns(console), console)
  if (shown.length > 0) yield ''
  const kinds = countKinds(console, shown)
  yield* tableLines(kinds, kindColumns(console), console)
  if (kinds.length > 0) {
    yield console.style.faint(
      '`dagline doctor --explain PROBLEM` says what a problem is and what is done about it.',
    )
    yield ''
  }
  yield sumLine(all)
}

function columns(console: Console): readonly Column<Examined>[] {
  const { style } = console
  const isLosing = ({ coverage: { now, possible } }: Examined): boolean => now < possible
  return [
    { title: 'session', text: row => shortId(row.session), paint: style.id },
    { title: 'last', text: row => dayAndTime(row.last), paint: style.faint, dropRank: 1 },
    {
      title: 'resume',
      dropRank: 2,
      text: ({ coverage: { now, possible } }) => barOf(possible === 0 ? 0 : now / possible, SMALL_BAR),
      paint: (text, row) => (isLosing(row) ? style.bad(text) : style.good(text)),
    },
    { title: 'loads', text: row => count(row.coverage.now), align: 'right' },
    { title: 'of', text: row => count(row.coverage.possible), align: 'right' },
    {
      title: 'problems',
      text: problemText,
      shrinksTo: SHORT_PROBLEMS,
      paint: (text, row) => (hasError(row) ? style.bad(text) : text),
    },
    { title: 'title', text: row => titleOf(console, row), flexible: true },
  ]
}

/** The longest name of a problem. */
const SHORT_PROBLEMS = 19

function hasError({ faults }: Examined): boolean {
  return faults.some(({ severity }) => severity === 'error')
}

/** The first two kinds, and how many more there are. */
function problemText({ faults }: Examined): string {
  const ids = [...new Set(faults.filter(({ severity }) => severity !== 'info').map(({ id }) => id))]
  return ids.length <= 2 ? ids.join(', ') : `${ids.slice(0, 2).join(', ')} +${ids.length - 2}`
}

interface KindCount {
  readonly id: string
  readonly sessions: number
  readonly faults: number
  readonly title: string
  readonly fix: string
}

function countKinds({ options: { hub } }: Console, shown: readonly Examined[]): readonly KindCount[] {
  return FAULT_KINDS.flatMap(({ id, title, fix }) => {
    const ill = shown
      .map(({ faults }) => faults.filter(fault => fault.id === id))
      .filter(found => found.length > 0)
    const faults = sumOf(ill.flat(), fault => fault.count)
    const usual = hub === null ? fix : pushedFix(fix)
    return ill.length === 0
      ? []
      : [{ id, sessions: ill.length, faults, title, fix: commandFor(usual, ill.flat()) }]
  })
}

/** The command for all sessions with a problem; where it is another one for each, the one that names it. */
function commandFor(usual: string | null, faults: readonly Fault[]): string {
  const fixes = new Set(faults.flatMap(({ fix }) => fix ?? []))
  if (usual !== null || fixes.size === 0) return fixes.size === 0 ? '' : (usual ?? '')
  return fixes.size === 1 ? [...fixes].join('') : 'dagline doctor SESSION'
}

function kindColumns({ style }: Console): readonly Column<KindCount>[] {
  return [
    { title: 'problem', text: ({ id }) => id, paint: style.strong },
    figureColumn('sessions', ({ sessions }) => sessions, 2),
    figureColumn('count', ({ faults }) => faults, 1),
    { title: 'command', text: ({ fix }) => fix, paint: style.good },
    { title: 'what it is', text: ({ title }) => title, flexible: true, wraps: true, dropRank: 0.5 },
  ]
}

/** What a resume loads of all sessions together. */
export function coverageOf(all: readonly Examined[]): Pick<Examined['coverage'], 'now' | 'possible'> {
  return {
    now: sumOf(all, ({ coverage }) => coverage.now),
    possible: sumOf(all, ({ coverage }) => coverage.possible),
  }
}

function sumLine(all: readonly Examined[]): string {
  const { now, possible } = coverageOf(all)
  const loads = coverageText(now, possible)
  return `${plural(all.length, 'session')}, ${affectedText(all)}; a resume with ${NEWEST_VERSION} loads ${loads}.`
}

/** `12 affected (11 lose entries, the API rejects 1)`. */
function affectedText(all: readonly Examined[]): string {
  const ill = all.filter(hasResumeProblem)
  if (ill.length === 0) return 'none loses entries or is rejected'
  const refused = ill.filter(({ faults }) => faults.some(({ effect }) => effect === 'refused')).length
  const losing = ill.filter(({ coverage: { now, possible } }) => now < possible).length
  const parts = [
    ...(losing > 0 ? [`${count(losing)} lose${losing === 1 ? 's' : ''} entries`] : []),
    ...(refused > 0 ? [`the API rejects ${count(refused)}`] : []),
  ]
  return `${count(ill.length)} affected (${parts.join(', ')})`
}

/** What could not be read; nothing where everything was. */
export function* unreadLines(console: Console): Generator<string> {
  const unread = [...console.unread.values()]
  if (unread.length === 0) return
  yield ''
  yield console.style.bad(`${plural(unread.length, 'file or folder', 'files or folders')} could not be read:`)
  for (const { path, message } of unread) yield cleanLine(`  ${path}: ${message}`)
}
