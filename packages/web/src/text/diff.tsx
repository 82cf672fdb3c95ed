/** Changes to a file, line by line. */

import { count } from '@dagline/core/format'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useScrollKeys } from './code.js'
import type { DiffRow } from './diff-rows.js'
import './text.css'

const FIRST = 60
const STEP = 400

/** Removed and added lines with their numbers. The end of a long diff is folded. */
export function Diff({ rows }: { rows: readonly DiffRow[] }): VNode {
  const [limit, setLimit] = useState(FIRST)
  const more = rows.length - limit
  const box = useScrollKeys<HTMLPreElement>()
  return (
    <div class="clamp">
      <pre class="diff" ref={box}>
        <code>{rows.slice(0, more > 3 ? limit : rows.length).map(renderRow)}</code>
      </pre>
      {more > 3 && (
        <button type="button" class="more" onClick={() => setLimit(limit + STEP)}>
          {count(more)} more lines
        </button>
      )}
    </div>
  )
}

const SYMBOLS = { same: ' ', removed: '−', added: '+', gap: '⋯' }

/** The style sheet adds numbers and symbols, so that they are not copied. */
function renderRow(row: DiffRow): VNode {
  const { kind, text, part } = row
  const number = `${row.after ?? row.before ?? ''}`
  return (
    <span class={`diff-row ${kind}`} data-number={number} data-symbol={SYMBOLS[kind]}>
      {part === null || part[0] >= part[1] ? (
        text
      ) : (
        <>
          {text.slice(0, part[0])}
          <mark>{text.slice(...part)}</mark>
          {text.slice(part[1])}
        </>
      )}
    </span>
  )
}
