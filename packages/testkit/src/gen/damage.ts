/** Damage that a reader must repair or report (rule P5), and that leaves the conversation what it was. */
import type { Rng } from '../base/rng.js'
import type { RowCount } from './sink.js'

/** Kinds of damage. All but `bom` and `torn` are chances per row; those two are chances per file. */
type DamageKind = 'bom' | 'blank' | 'crlf' | 'dangling' | 'joined' | 'nul' | 'torn' | 'unknown'

/** How often each kind happens, from 0 to 1. */
export type DamageWeights = Readonly<Record<DamageKind, number>>

/** A whole world. */
export const NO_DAMAGE: DamageWeights = {
  bom: 0,
  blank: 0,
  crlf: 0,
  dangling: 0,
  joined: 0,
  nul: 0,
  torn: 0,
  unknown: 0,
}

/** A bit of everything. */
export const SOME_DAMAGE: DamageWeights = {
  bom: 0.2,
  blank: 0.05,
  crlf: 0.05,
  dangling: 0.03,
  joined: 0.05,
  nul: 0.03,
  torn: 0.5,
  unknown: 0.05,
}

interface DamagedRow {
  readonly text: string
  readonly chained: boolean
  readonly count: RowCount
  readonly rng: Rng
  readonly damage: DamageWeights
}

/** The text to append for one record: its row, with what the damage puts before it and does to it. */
export function damageRow({ text, chained, count, rng, damage }: DamagedRow): string {
  const hit = (kind: DamageKind): boolean => damage[kind] > 0 && rng.chance(damage[kind])
  let before = count.rows === 0 && hit('bom') ? '\uFEFF' : ''
  if (count.rows > 0 && !count.open && hit('blank')) before += blankRow(count)
  if (chained && !count.open && hit('dangling')) before += extraRow(danglingHook(rng), count)
  if (chained && !count.open && hit('unknown')) before += extraRow(unknownNote(rng), count)
  const nul = !count.open && hit('nul') ? '\0'.repeat(rng.between(1, 40)) : ''
  const ending = hit('joined') ? '' : hit('crlf') ? '\r\n' : '\n'
  if (!count.open) count.rows++
  count.records++
  count.open = ending === ''
  return `${before}${nul}${text}${ending}`
}

/** What the file ends with: its missing line ending, and perhaps a row that was cut off while being written. */
export function tornTail(count: RowCount, rng: Rng, damage: DamageWeights): string {
  const ending = count.open ? '\n' : ''
  count.open = false
  if (damage.torn === 0 || count.rows === 0 || !rng.chance(damage.torn)) return ending
  const whole = danglingHook(rng)
  count.rows++
  count.torn++
  return ending + whole.slice(0, rng.between(1, whole.length - 2))
}

function blankRow(count: RowCount): string {
  count.rows++
  count.blank++
  return '\n'
}

function extraRow(text: string, count: RowCount): string {
  count.rows++
  count.records++
  return `${text}\n`
}

/** A hook's row whose parent was never written: the commonest orphan of real files. */
function danglingHook(rng: Rng): string {
  return JSON.stringify({
    parentUuid: rng.uuid(),
    isSidechain: false,
    type: 'attachment',
    attachment: { type: 'hook_success', hookName: 'PostToolUse:Bash', hookEvent: 'PostToolUse', content: '' },
    uuid: rng.uuid(),
    timestamp: '2026-01-05T09:00:00.000Z',
  })
}

function unknownNote(rng: Rng): string {
  return JSON.stringify({ type: `future-${rng.hex(4)}`, value: rng.int(1000), nested: { list: [1, null] } })
}
