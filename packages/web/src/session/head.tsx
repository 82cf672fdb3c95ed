/** The first line of a row: who speaks and when. Rows that continue in the same voice have none. */

import { clock, count, exactMoney, exactTime, money } from '@dagline/core/format'
import type { RowContent } from '@dagline/core/protocol'
import { isAbandoned, kindAt, statusLabel } from '@dagline/core/view'
import type { VNode } from 'preact'
import { lookOf, nameOf, voiceOf } from './row-kind.js'
import { useSession, useView } from './state.js'
import type { View } from './view.js'

/** Name, time, model and cost, where the voice changes. */
export function RowHead({ index }: { index: number }): VNode | null {
  const view = useView()
  const session = useSession()
  const { sheet } = view
  const row = view.rows[index]?.row ?? -1
  if (lookOf(kindAt(sheet, row)).isSilent === true || !startsVoice(view, index)) return null
  const time = sheet.rows.time[row] ?? null
  const status = abandonedLabel(view, row)
  const content = session.contents.at(row)
  return (
    <header class="row-head">
      <span class="who">{nameOf(sheet, row)}</span>
      {status !== null && <span class="tag">{status}</span>}
      {time !== null && (
        <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
          {clock(time)}
        </time>
      )}
      {content?.model != null && (
        <span class="model" title={usageWords(content.usage)}>
          {content.model.replace(/^claude-/, '').replace(/-\d{8}$/, '')}
        </span>
      )}
      <TurnCost row={row} />
    </header>
  )
}

/** The cost of the turn that begins at a row: all answers, with the subagents they called. */
function TurnCost({ row }: { row: number }): VNode | null {
  const cost = useView().facts.turns.get(row)
  if (cost === undefined) return null
  return (
    <span class="spent" title={`This turn cost ${exactMoney(cost)}, including subagents`}>
      {money(cost)}
    </span>
  )
}

function usageWords(usage: RowContent['usage']): string | undefined {
  if (usage === null) return undefined
  const { input, output, cost } = usage
  return `This message: ${count(input)} tokens in, ${count(output)} out, ${exactMoney(cost)}`
}

/** Whether the voice differs from that of the row above. */
function startsVoice({ sheet, rows }: View, index: number): boolean {
  const [here, before] = [rows[index], rows[index - 1]]
  if (here === undefined || before === undefined || before.kind !== 'row') return true
  if (here.line !== before.line || kindAt(sheet, here.row) === 'prompt') return true
  const [voice, last] = [voiceOf(sheet, here.row), voiceOf(sheet, before.row)]
  return voice !== last && !(voice === 'claude' && last === 'tool')
}

/** The status of an abandoned line; of a live line that leaves one, the status of that. */
function abandonedLabel({ sheet, facts }: View, row: number): string | null {
  let line = sheet.rows.line[row] ?? -1
  if (facts.abandoned[line] !== true) return null
  for (let steps = 0; steps < sheet.lines.length; steps++) {
    const known = sheet.lines[line]
    if (known === undefined) break
    if (isAbandoned(known)) return statusLabel(known.status)
    line = known.parent
  }
  return statusLabel('abandoned')
}
