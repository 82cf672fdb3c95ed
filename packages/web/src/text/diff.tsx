/** Changes to a file, line by line. */

import { count } from '@dagline/core/format'
import type { ComponentChildren, VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { CopyIcon } from '../parts/copy.js'
import { useScrollKeys } from './code.js'
import { type ColoredRow, colorRows } from './diff-colors.js'
import type { DiffRow } from './diff-rows.js'
import './text.css'

const FIRST = 60
const STEP = 400

interface DiffProps {
  readonly rows: readonly DiffRow[]
  /** A language or file extension; empty for plain text. */
  readonly language: string
}

/** Removed and added lines with their numbers. The end of a long diff is folded. */
export function Diff({ rows, language }: DiffProps): VNode {
  const [limit, setLimit] = useState(FIRST)
  const more = rows.length - limit
  const box = useScrollKeys<HTMLPreElement>()
  const colored = useMemo(() => colorRows(rows, language), [rows, language])
  return (
    <div class="clamp">
      <CopyIcon title="Copy diff" text={() => rows.map(rowText).join('\n')} />
      <pre class="diff" ref={box}>
        <code>{colored.slice(0, more > 3 ? limit : rows.length).map(renderRow)}</code>
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
const PREFIXES = { same: ' ', removed: '-', added: '+', gap: '@@' }

function rowText({ kind, text }: DiffRow): string {
  return PREFIXES[kind] + text
}

/** The style sheet adds numbers and symbols, so that they are not copied. */
function renderRow({ row, pieces }: ColoredRow): VNode {
  return (
    <span
      class={`diff-row ${row.kind}`}
      data-number={`${row.after ?? row.before ?? ''}`}
      data-symbol={SYMBOLS[row.kind]}
    >
      {pieces.map(renderPiece)}
    </span>
  )
}

function renderPiece({ text, scope, isChanged }: ColoredRow['pieces'][number]): ComponentChildren {
  const inside = scope === '' ? text : <span class={`h-${scope}`}>{text}</span>
  return isChanged ? <mark>{inside}</mark> : inside
}
