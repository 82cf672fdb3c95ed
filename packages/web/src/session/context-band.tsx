/** V27: the context band: what was before the model at each answer, by category, with compactions and the window's limit. */
import { count, percent, plural, tokens } from '@dagline/core/format'
import { withEllipsis } from '@dagline/core/model'
import {
  type ContextBand,
  type ContextBandPage,
  type ContextConversation,
  categoryText,
  type Sheet,
} from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CursorBox, useCursor } from '../charts/cursor.js'
import { useWidth } from '../charts/scale.js'
import { ContextPanel, type PanelAnswer } from './context-panel.js'
import { BandPlot, LEFT } from './context-plot.js'
import { useSession, useView } from './state.js'
import './context.css'

/** The band of the session, and the panel of the answer that was chosen. */
export function ContextView(): VNode {
  const session = useSession()
  const [agent, setAgent] = useState<string | null>(null)
  const [panel, setPanel] = useState<PanelAnswer | null>(null)
  const { page, isWaiting } = useBand(agent)
  const asked = session.asked.value
  const isSame = page !== null && panel !== null && panel.agent === page.agent
  return (
    <>
      {page === null ? (
        isWaiting && <Measuring />
      ) : page.band.answers > 1 || page.conversations.length > 1 ? (
        <Band page={page} answer={isSame ? panel.answer : null} onAgent={setAgent} />
      ) : null}
      {asked !== null && <ContextPanel node={asked} band={isSame ? page.band : null} onAnswer={setPanel} />}
    </>
  )
}

/** Shown until the band is there. A fast answer comes before it is visible. */
function Measuring(): VNode {
  return (
    <section class="context-band is-waiting" aria-label="Context">
      <header class="context-head">
        <h2>Context</h2>
        <p>measuring…</p>
      </header>
    </section>
  )
}

interface LoadedBand {
  /** Null until it is loaded, and where it could not be. */
  readonly page: ContextBandPage | null
  readonly isWaiting: boolean
}

/** The band of a conversation, loaded again after changes. Without an answer the page goes on without a band. */
function useBand(agent: string | null): LoadedBand {
  const { source, sheet } = useSession()
  const [loaded, setLoaded] = useState<LoadedBand>({ page: null, isWaiting: true })
  const version = sheet.value?.version
  useEffect(() => {
    let isWanted = true
    source.contexts?.band(agent).then(
      page => isWanted && setLoaded({ page, isWaiting: false }),
      () => isWanted && setLoaded(({ page }) => ({ page, isWaiting: false })),
    )
    return () => {
      isWanted = false
    }
  }, [agent, version])
  return loaded
}

interface BandProps {
  readonly page: ContextBandPage
  /** The number of the answer that the panel shows; null for none. */
  readonly answer: number | null
  readonly onAgent: (agent: string | null) => void
}

function Band({ page, answer, onAgent }: BandProps): VNode {
  const { band, conversations } = page
  const { lines } = useView().sheet
  return (
    <section class="context-band" aria-label="Context">
      <header class="context-head">
        <h2>Context</h2>
        <p>{band.answers === 0 ? 'no answers in this conversation' : overview(band)}</p>
        {conversations.length > 1 && (
          <select
            aria-label="Context of"
            value={page.agent ?? ''}
            onChange={({ currentTarget: { value } }) => onAgent(value === '' ? null : value)}
          >
            {conversations.map(({ agent, name }) => (
              <option value={agent ?? ''}>
                {withEllipsis(nameOf({ agent, name }, lines), LONGEST_NAME)}
              </option>
            ))}
          </select>
        )}
      </header>
      {band.answers > 0 && <Drawing band={band} answer={answer} />}
    </section>
  )
}

/** Subagents of one type without a description are told apart by their first words. */
function nameOf({ agent, name }: ContextConversation, lines: Sheet['lines']): string {
  const line = lines.find(each => agent !== null && each.agent?.id === agent)
  return line?.words != null && line.agent?.name === name ? `${name}: ${line.words}` : name
}

/** Characters of a name in the list of conversations. */
const LONGEST_NAME = 80

/** The band with its cursor and legend. */
function Drawing({ band, answer }: { readonly band: ContextBand; readonly answer: number | null }): VNode {
  const { asked } = useSession()
  const [box, width] = useWidth<HTMLDivElement>()
  const step = Math.max(0, width - LEFT) / Math.max(1, band.node.length)
  const cursor = useCursor(band.node.length, {
    find: x => Math.floor((x - LEFT) / step),
    pick: at => {
      asked.value = band.node[at] ?? null
    },
  })
  const chosen = answer === null ? -1 : nearestItem(band, answer)
  const shown = cursor.at ?? (chosen >= 0 ? chosen : largestOf(band))
  return (
    <>
      <CursorBox
        box={box}
        name="context-box"
        label="Tokens before the model at each answer; Enter shows what they were"
        words={itemText(band, shown)}
        cursor={cursor}
      >
        {width === 0 ? null : (
          <BandPlot band={band} width={width} step={step} at={cursor.at} chosen={chosen} />
        )}
      </CursorBox>
      <Legend band={band} at={shown} />
    </>
  )
}

function Legend({ band, at }: { readonly band: ContextBand; readonly at: number }): VNode {
  return (
    <div class="context-legend">
      <p>
        <strong>{answerText(band, at)}</strong>
      </p>
      <ul>
        {band.parts.map(({ category, tokens: parts }, nth) => (
          <li class={(parts[at] ?? 0) > 0 ? undefined : 'is-none'}>
            <i class={`swatch series-${nth % 8}`} />
            {categoryText(category)} <span class="figure">{tokens(parts[at] ?? 0)}</span>
          </li>
        ))}
      </ul>
      <p class="faint">Click an answer to see what its request contained.</p>
    </div>
  )
}

/** The item that stands for an answer: its own, or that of a neighbour. */
function nearestItem({ answer: answers }: ContextBand, answer: number): number {
  const away = (item: number): number => Math.abs((answers[item] ?? 0) - answer)
  return answers.reduce((nearest, _, item) => (away(item) < away(nearest) ? item : nearest), 0)
}

/** How full the window was, and how often it was emptied. */
function overview(band: ContextBand): string {
  const at = largestOf(band)
  const total = sumAt(band, at)
  const compactions = band.mark.filter(mark => mark === 'compaction').length
  const most = `${tokens(total)} tokens at most, ${percent(total, band.window)} of the ${tokens(band.window)} window`
  return [
    plural(band.answers, 'answer'),
    most,
    compactions === 0
      ? 'never compacted'
      : `compacted ${compactions === 1 ? 'once' : `${compactions} times`}`,
  ].join(' · ')
}

function answerText(band: ContextBand, at: number): string {
  const name = `Answer ${count(band.answer[at] ?? 0)}: ${tokens(sumAt(band, at))} tokens`
  const mark = band.mark[at]
  return mark == null ? name : `${name}, ${MARKS[mark]}`
}

const MARKS = { compaction: 'the first after a compaction', rewind: 'after going back' } as const

/** The item under the cursor, for screen readers. */
function itemText(band: ContextBand, at: number): string {
  const heaviest = band.parts
    .map(({ category, tokens: parts }) => ({ category, part: parts[at] ?? 0 }))
    .sort((a, b) => b.part - a.part)
    .slice(0, 3)
    .filter(({ part }) => part > 0)
  const parts = heaviest.map(({ category, part }) => `${categoryText(category)} ${tokens(part)}`)
  return `${answerText(band, at)}; ${parts.join(', ')}`
}

function largestOf(band: ContextBand): number {
  let largest = 0
  for (let at = 1; at < band.node.length; at++) if (sumAt(band, at) > sumAt(band, largest)) largest = at
  return largest
}

/** The tokens of an item; without a total the sum of the estimates. */
function sumAt({ total, parts }: ContextBand, at: number): number {
  return total[at] ?? parts.reduce((sum, { tokens: each }) => sum + (each[at] ?? 0), 0)
}
