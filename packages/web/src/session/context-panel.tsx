/** V27: the panel of one request: what was before the model, what was not and why, and what the last compaction dropped. */
import { count, dayAndTime, percent, plural, tokens } from '@dagline/core/format'
import {
  type ContextBand,
  type ContextItem,
  type ContextPage,
  categoryText,
  LEFT_OUT_TEXTS,
  type LeftOutEntries,
  unknownText,
} from '@dagline/core/protocol'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pathWith } from '../app/api.js'
import { Failure, Spinner } from '../parts/waiting.js'
import { goToNode, type Session, useSession } from './state.js'

interface PanelProps {
  /** An entry of the answer. */
  readonly node: string
  /** That of the same conversation; null where another one is drawn. */
  readonly band: ContextBand | null
  /** Told which answer is shown; null when the panel is closed. */
  readonly onAnswer: (answer: PanelAnswer | null) => void
}

/** The answer that the panel shows. */
export type PanelAnswer = Pick<ContextPage, 'agent' | 'answer'>

/** The panel. While it is open, what the model did not have is greyed in the conversation. */
export function ContextPanel({ node, band, onAnswer }: PanelProps): VNode {
  const session = useSession()
  const panel = useRef<HTMLElement>(null)
  const { page, failure } = useContextPage(session, node)
  const close = (): void => {
    session.asked.value = null
  }
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    const shown = page === null ? null : rowsOf(session, page)
    session.seen.value = shown
    onAnswer(page)
    return () => {
      onAnswer(null)
      session.seen.value = null
    }
  }, [page, session.sheet.value])
  return (
    <section
      ref={panel}
      class="context-panel"
      aria-label="What the model saw"
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
    >
      <header class="dialog-head">
        <h2>What the model saw</h2>
        <span>
          {band !== null && page !== null && (
            <>
              <Step answer={page.answer} band={band} by={-1} />
              <Step answer={page.answer} band={band} by={1} />
            </>
          )}
          <button type="button" class="button-quiet" aria-label="Close" onClick={close}>
            ✕
          </button>
        </span>
      </header>
      {failure !== null && <Failure isPart error={failure} />}
      {failure === null && page === null && <Spinner />}
      {page !== null && <Details page={page} node={node} />}
    </section>
  )
}

interface Loaded {
  readonly page: ContextPage | null
  readonly failure: unknown
}

/** The request of an entry. The one before stays until the next is there. */
function useContextPage({ source }: Session, node: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ page: null, failure: null })
  useEffect(() => {
    let isWanted = true
    source.contexts?.at(node).then(
      page => isWanted && setLoaded({ page, failure: null }),
      (failure: unknown) => isWanted && setLoaded({ page: null, failure }),
    )
    return () => {
      isWanted = false
    }
  }, [node])
  return loaded
}

/** The rows of what the model had, and of its answer. */
function rowsOf({ facts }: Session, { context, attachments }: ContextPage): ReadonlySet<number> {
  const rowOf = facts.peek()?.rowOf ?? (() => -1)
  return new Set([...context.entries, ...attachments, ...context.reply].map(rowOf))
}

/** A button to the next or previous answer that the band draws. */
function Step({ answer, band, by }: { answer: number; band: ContextBand; by: 1 | -1 }): VNode {
  const { asked } = useSession()
  const item =
    by > 0 ? band.answer.findIndex(each => each > answer) : band.answer.findLastIndex(each => each < answer)
  const next = band.node[item]
  return (
    <button
      type="button"
      class="button-quiet"
      aria-label={by > 0 ? 'Next answer' : 'Previous answer'}
      disabled={next === undefined}
      onClick={() => {
        if (next !== undefined) asked.value = next
      }}
    >
      {by > 0 ? '→' : '←'}
    </button>
  )
}

function Details({ page, node }: { page: ContextPage; node: string }): VNode {
  const session = useSession()
  const { context, out, answer, answers, window, time } = page
  const { total } = context.tokens
  return (
    <>
      <p>
        <button type="button" class="plain-button" onClick={() => goToNode(session, context.reply[0] ?? '')}>
          Answer {count(answer)} of {count(answers)}
        </button>
        {time !== null && <span class="faint"> {dayAndTime(time)}</span>}
      </p>
      <p>
        {total === null
          ? 'The answer does not tell how many tokens its request had.'
          : `${count(total)} tokens, ${percent(total, window)} of the ${count(window)} window.`}
      </p>
      {context.unknown !== null && <p class="context-doubt">{unknownText(context.unknown)}</p>}
      <p class="faint">Greyed in the conversation: what the model did not have then.</p>
      <p>
        <a href={pathWith('/search', { seenAt: context.reply[0] })}>Search in what the model saw</a>
      </p>
      <h3>By category</h3>
      <Parts parts={context.tokens.parts} />
      <h3>Heaviest entries</h3>
      <Items items={page.heaviest} />
      <h3>Not in the request</h3>
      {out.length === 0 ? <p class="faint">Everything written before was in it.</p> : <LeftOut out={out} />}
      <Compacted page={page} node={node} />
    </>
  )
}

function Parts({ parts }: { parts: Readonly<Record<string, number>> }): VNode {
  const sorted = Object.entries(parts).sort(([, a], [, b]) => b - a)
  const sum = sorted.reduce((all, [, part]) => all + part, 0)
  return (
    <table class="context-parts">
      <caption class="faint">Estimates that add up to the total</caption>
      <tbody>
        {sorted.map(([category, part]) => (
          <tr>
            <th scope="row">{categoryText(category)}</th>
            <td class="figure">{tokens(part)}</td>
            <td class="figure">{percent(part, sum)}</td>
            <td class="context-bar" aria-hidden="true">
              <i style={{ width: `${(100 * part) / Math.max(1, sorted[0]?.[1] ?? 1)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Items({ items }: { items: readonly ContextItem[] }): VNode {
  const session = useSession()
  return (
    <ol class="context-items">
      {items.map(({ node, tokens: size, category, text }) => (
        <li>
          <button type="button" class="plain-button" onClick={() => goToNode(session, node)}>
            <span class="figure">{tokens(size)}</span> <span class="faint">{kindText(category)}</span>{' '}
            <span class="context-text">{text}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** The category of an entry in a list. The text of a result names its tool. */
function kindText(category: string): string {
  return category.startsWith('results:') ? 'result' : categoryText(category)
}

function LeftOut({ out }: { out: readonly LeftOutEntries[] }): VNode {
  const session = useSession()
  return (
    <ul class="context-out">
      {out.map(({ reason, entries, nodes }) => (
        <li>
          {plural(entries, 'entry', 'entries')} {LEFT_OUT_TEXTS[reason]}{' '}
          {nodes[0] !== undefined && (
            <button type="button" class="plain-button" onClick={() => goToNode(session, nodes[0] ?? '')}>
              Show the last one
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What the last compaction dropped. Where its summary was asked about, that is what the reader looks for. */
function Compacted({ page, node }: { page: ContextPage; node: string }): VNode | null {
  const session = useSession()
  const heading = useRef<HTMLHeadingElement>(null)
  const { compaction, dropped } = page
  useEffect(() => {
    if (isSummary(session, node)) heading.current?.scrollIntoView({ block: 'start' })
  }, [page])
  if (compaction === null) return null
  const { before, after, boundary, time } = compaction
  return (
    <>
      <h3 ref={heading}>What the last compaction dropped</h3>
      <p>
        <button type="button" class="plain-button" onClick={() => goToNode(session, boundary)}>
          Compaction{time === null ? '' : ` ${dayAndTime(time)}`}
        </button>
        {`: ${size(before?.total)} before, ${size(after?.total)} after. Of the entries in the last request before it, ${count(compaction.dropped)} were dropped.`}
      </p>
      {dropped.length > 0 && <p class="faint">The heaviest of them:</p>}
      <Items items={dropped} />
    </>
  )
}

function isSummary({ facts }: Session, node: string): boolean {
  const known = facts.peek()
  const row = known?.rowOf(node) ?? -1
  return row >= 0 && [...(known?.epochs.values() ?? [])].some(({ summary }) => summary === row)
}

function size(total: number | null | undefined): string {
  return total == null ? 'an unknown number of tokens' : `${tokens(total)} tokens`
}
