/** What the doctor found, for people. */

import type { Examined } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { FAULT_KINDS, type Fault, isIll, type ResumeCoverage } from '@dagline/core/faults'
import { bytes, count, dayAndTime, percent, plural, shortId } from '@dagline/core/format'
import { createRedactor } from '@dagline/core/redact'
import { NEWEST_VERSION } from '@dagline/core/resume'
import type { Console } from '../console.js'
import { barOf } from './charts.js'
import { labelledTitle } from './names.js'
import { placedLines } from './placed.js'
import { type Column, tableLines } from './table.js'
import { fit, pad, wrap } from './width.js'

const BAR = 20
const SMALL_BAR = 8

/** One session: how much of it a resume reaches, and each fault with its place, meaning, cost and command. */
export function* healthLines(console: Console, health: Examined): Generator<string> {
  const { style } = console
  const { session, faults, last } = health
  const id = shortId(session)
  yield `${style.id(id)}  ${style.strong(fit(titleOf(console, health), console.width - id.length - 2))}`
  yield style.faint(`${bytes(health.bytes)}, last written ${dayAndTime(last)}, ${health.file}`)
  yield ''
  yield reachLine(console, health)
  if (!isIll(health))
    yield faults.length === 0 ? 'Nothing is wrong with it.' : 'Nothing is lost or refused. Notes:'
  for (const kind of FAULT_KINDS) {
    const found = faults.filter(({ id }) => id === kind.id)
    if (found.length === 0) continue
    yield ''
    yield `${style.strong(kind.title)}  ${style.faint(kind.id)}`
    yield* placeLines(console, found)
    for (const line of wrap(`${kind.meaning} ${kind.cost}`, console.width - 2)) yield `  ${line}`
    const fix = found[0]?.fix ?? null
    if (fix !== null) yield `  ${style.good('→')} ${fix}`
  }
}

/** What the session is called; the doctor never prints a secret, and titles are what was typed. */
function titleOf(console: Console, { session, title }: Examined): string {
  const { text } = createRedactor({ what: ['secrets'] })
  const plain = cleanLine(text(title ?? '(no title)'))
  return labelledTitle(console.history.labels().get(session), plain)
}

/** `resume reaches █████ 301 of 5,783 messages (5 %); after a repair 5,783`. */
function reachLine({ style }: Console, { reach: { now, possible }, faults }: Examined): string {
  if (possible === 0) return 'There is no conversation in it.'
  const share = now / possible
  const colour = share === 1 ? style.good : style.bad
  const bar = colour(pad(barOf(share, BAR), BAR))
  const after = share === 1 ? '' : `; after a ${remedyOf(faults)} ${count(possible)}`
  return `resume reaches ${bar} ${count(now)} of ${count(possible)} messages (${percent(now, possible)})${after}`
}

/** What brings back what is lost: a repair, or a checkout where there is nothing to repair. */
function remedyOf(faults: readonly Fault[]): string {
  const fixes = faults.filter(({ effect }) => effect !== 'none').map(({ fix }) => fix ?? '')
  return fixes.some(fix => fix.startsWith('dagline repair')) ? 'repair' : 'checkout'
}

const PLACES = 8

function* placeLines(console: Console, faults: readonly Fault[]): Generator<string> {
  for (const fault of faults.slice(0, PLACES)) yield* placeLine(console, fault)
  const more = faults.length - PLACES
  if (more > 0) yield `  … and ${plural(more, 'more place')}; --json has them all`
}

function placeLine(console: Console, { severity, row, node, message }: Fault): Iterable<string> {
  const { style } = console
  const place = [row === null ? '' : `row ${row}`, node === null ? '' : shortId(node)]
    .filter(Boolean)
    .join(', ')
  const sign =
    severity === 'error' ? style.bad('✗') : severity === 'warning' ? style.id('!') : style.faint('·')
  return placedLines(console, `  ${sign} `, place, message)
}

/** A root: its sessions, worst first, then the kinds of faults, then the sums. */
export function* tableOfHealth(
  console: Console,
  shown: readonly Examined[],
  all: readonly Examined[],
): Generator<string> {
  const { style, width } = console
  if (shown.length > 0) {
    yield* tableLines(shown, columns(console), { width, title: style.faint })
    yield ''
  }
  const kinds = countKinds(shown)
  if (kinds.length > 0) {
    yield* tableLines(kinds, kindColumns(console), { width, title: style.faint })
    yield ''
  }
  yield sumLine(all)
}

function columns(console: Console): readonly Column<Examined>[] {
  const { style } = console
  const lost = ({ reach }: Examined): boolean => reach.now < reach.possible
  return [
    { title: 'session', text: row => shortId(row.session), paint: style.id },
    { title: 'last', text: row => dayAndTime(row.last), paint: style.faint },
    {
      title: 'reach',
      text: ({ reach }) => barOf(reach.possible === 0 ? 0 : reach.now / reach.possible, SMALL_BAR),
      paint: (text, row) => (lost(row) ? style.bad(text) : style.good(text)),
    },
    { title: 'now', text: ({ reach }) => count(reach.now), side: 'left' },
    { title: 'possible', text: ({ reach }) => count(reach.possible), side: 'left' },
    { title: 'faults', text: faultWords, paint: (text, row) => (hasError(row) ? style.bad(text) : text) },
    { title: 'title', text: row => titleOf(console, row), flexible: true },
  ]
}

function hasError({ faults }: Examined): boolean {
  return faults.some(({ severity }) => severity === 'error')
}

/** The kinds with an effect before the others, and how many more there are. */
function faultWords({ faults }: Examined): string {
  const ids = [...new Set(faults.filter(({ severity }) => severity !== 'info').map(({ id }) => id))]
  return ids.length <= 2 ? ids.join(', ') : `${ids.slice(0, 2).join(', ')} +${ids.length - 2}`
}

interface KindCount {
  readonly id: string
  readonly sessions: number
  readonly faults: number
  readonly meaning: string
  readonly fix: string
}

function countKinds(shown: readonly Examined[]): readonly KindCount[] {
  return FAULT_KINDS.flatMap(({ id, meaning, fix }) => {
    const ill = shown
      .map(({ faults }) => faults.filter(fault => fault.id === id))
      .filter(found => found.length > 0)
    const faults = ill.flat().reduce((sum, fault) => sum + fault.count, 0)
    return ill.length === 0 ? [] : [{ id, sessions: ill.length, faults, meaning, fix: fix ?? '' }]
  })
}

function kindColumns({ style }: Console): readonly Column<KindCount>[] {
  return [
    { title: 'fault', text: ({ id }) => id, paint: style.strong },
    { title: 'sessions', text: ({ sessions }) => count(sessions), side: 'left' },
    { title: 'places', text: ({ faults }) => count(faults), side: 'left' },
    { title: 'command', text: ({ fix }) => fix, paint: style.good },
    { title: 'what it means', text: ({ meaning }) => meaning, flexible: true },
  ]
}

function sumLine(all: readonly Examined[]): string {
  const [now, possible] = [sumOf(all, ({ now }) => now), sumOf(all, ({ possible }) => possible)]
  const reach = `a resume with ${NEWEST_VERSION} reaches ${count(now)} of ${count(possible)} messages (${possible === 0 ? '100 %' : percent(now, possible)})`
  return `${plural(all.length, 'session')}, ${illWords(all)}; ${reach}.`
}

/** `12 ill (11 lose messages, 1 is refused)`. */
function illWords(all: readonly Examined[]): string {
  const ill = all.filter(isIll)
  if (ill.length === 0) return 'none ill'
  const refused = ill.filter(({ faults }) => faults.some(({ effect }) => effect === 'refused')).length
  const losing = ill.filter(({ reach }) => reach.now < reach.possible).length
  const parts = [
    ...(losing > 0 ? [`${count(losing)} lose${losing === 1 ? 's' : ''} messages`] : []),
    ...(refused > 0 ? [`the API refuses ${count(refused)}`] : []),
  ]
  return `${count(ill.length)} ill (${parts.join(', ')})`
}

function sumOf(all: readonly Examined[], pick: (reach: ResumeCoverage) => number): number {
  return all.reduce((sum, { reach }) => sum + pick(reach), 0)
}
