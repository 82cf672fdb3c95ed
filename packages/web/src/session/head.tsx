/** The first line of a row: who speaks and when. Rows that go on in the same voice have none. */
import { kindAt, type RowContent, type RowKind } from '@dagline/core'
import type { VNode } from 'preact'
import { clock, count, exactMoney, exactTime, money } from '../parts/format.js'
import { useSession, useView } from './context.js'
import { isLeft } from './facts.js'
import { STATUS_WORDS } from './fork-branches.js'
import { nameOf, voiceOf } from './row-kind.js'
import type { View } from './view.js'

const SILENT: ReadonlySet<RowKind> = new Set([
  'compaction',
  'system',
  'attachment',
  'progress',
  'meta',
  'caveat',
  'other',
  'notification',
  'interrupt',
  'output',
])

/** Name, time, model and cost, where the voice changes. */
export function RowHead({ place }: { place: number }): VNode | null {
  const view = useView()
  const session = useSession()
  const { sheet } = view
  const row = view.rows[place]?.row ?? -1
  if (SILENT.has(kindAt(sheet, row)) || !startsVoice(view, place)) return null
  const time = sheet.rows.time[row] ?? null
  const left = leftWord(view, row)
  const content = session.contents.at(row)
  return (
    <header class="row-head">
      <span class="who">{nameOf(sheet, row)}</span>
      {left !== null && <span class="tag">{left}</span>}
      {time !== null && (
        <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
          {clock(time)}
        </time>
      )}
      {content?.model != null && (
        <span class="model" title={usageWords(content.usage)}>
          {shortModel(content.model)}
        </span>
      )}
      <TurnCost row={row} />
    </header>
  )
}

/** What the turn cost that begins at a row: all answers to it, and the agents they called. */
function TurnCost({ row }: { row: number }): VNode | null {
  const cost = useView().facts.turns.get(row)
  if (cost === undefined) return null
  return (
    <span class="spent" title={`This turn cost ${exactMoney(cost)}, agents included`}>
      {money(cost)}
    </span>
  )
}

/** The message by itself. */
function usageWords(usage: RowContent['usage']): string | undefined {
  if (usage === null) return undefined
  const { input, output, cost } = usage
  return `This message: ${count(input)} tokens in, ${count(output)} out, ${exactMoney(cost)}`
}

/** Whether another voice begins here than the one above. */
function startsVoice({ sheet, rows }: View, place: number): boolean {
  const [here, before] = [rows[place], rows[place - 1]]
  if (here === undefined || before === undefined || before.kind !== 'row') return true
  if (here.line !== before.line || kindAt(sheet, here.row) === 'prompt') return true
  const [voice, last] = [voiceOf(sheet, here.row), voiceOf(sheet, before.row)]
  return voice !== last && !(voice === 'claude' && last === 'tool')
}

/** What became of the line; of a live line on one that was left, what became of that. */
function leftWord({ sheet, facts }: View, row: number): string | null {
  let line = sheet.rows.line[row] ?? -1
  if (facts.left[line] !== true) return null
  for (let steps = 0; steps < sheet.lines.length; steps++) {
    const known = sheet.lines[line]
    if (known === undefined) break
    if (isLeft(known)) return STATUS_WORDS[known.status].toLowerCase()
    line = known.parent
  }
  return 'left'
}

function shortModel(model: string): string {
  return model.replace(/^claude-/, '').replace(/-\d{8}$/, '')
}
