/** Tables of figures, sortable by any column, with bars in one of them. */

import { count } from '@dagline/core/format'
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useFirst } from '../parts/panel.js'

export interface Column<T> {
  readonly title: string
  /** The value to sort by; numbers are right-aligned. */
  readonly value: (row: T) => number | string | null
  /** What is shown; without it, the value: a text as it is, a number as a count. */
  readonly cell?: (row: T) => ComponentChildren
  /** Shows a bar in proportion to the largest value. */
  readonly hasBar?: boolean
  readonly hint?: string
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean
  /** Texts of a few words, which stay on one line where there is room. */
  readonly isShort?: boolean
}

interface SortTableProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  /** The initial sort column; without one, the order of the rows. */
  readonly by?: string
}

interface Order {
  readonly by: string | null
  readonly isDown: boolean
}

/** Rows of a long table that are shown at first. */
const FIRST_ROWS = 20

/** The table. The first click on a column of numbers sorts in descending order. */
export function SortTable<T>({ label, rows, columns, keyOf, by }: SortTableProps<T>): JSX.Element {
  const [order, setOrder] = useState<Order>({ by: by ?? null, isDown: true })
  const column = columns.find(({ title }) => title === order.by)
  const sorted = column === undefined ? rows : sortBy(rows, column.value, order.isDown)
  const { shown, more } = useFirst(sorted, FIRST_ROWS)
  const toggle = ({ title, value }: Column<T>): void => {
    const isText = rows.some(row => typeof value(row) === 'string')
    setOrder({ by: title, isDown: order.by === title ? !order.isDown : !isText })
  }
  return (
    <div class="table-scroll">
      <table class="figures">
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(each => (
              <Head key={each.title} column={each} order={order} onToggle={() => toggle(each)} rows={rows} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(row => (
            <tr key={keyOf(row)}>
              {columns.map((each, nth) => (
                <Cell
                  key={each.title}
                  column={each}
                  row={row}
                  isFirst={nth === 0}
                  most={each.hasBar ? largest(rows, each) : 0}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  )
}

interface HeadProps<T> {
  readonly column: Column<T>
  readonly order: Order
  readonly onToggle: () => void
  readonly rows: readonly T[]
}

function Head<T>({ column, order, onToggle, rows }: HeadProps<T>): JSX.Element {
  const isBy = order.by === column.title
  return (
    <th
      scope="col"
      class={classOf(column, rows[0])}
      aria-sort={isBy ? (order.isDown ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" onClick={onToggle} title={column.hint}>
        {column.title}
        <span class="sort-mark" aria-hidden="true">
          {isBy ? (order.isDown ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  )
}

interface CellProps<T> {
  readonly column: Column<T>
  readonly row: T
  readonly isFirst: boolean
  readonly most: number
}

function Cell<T>({ column, row, isFirst, most }: CellProps<T>): JSX.Element {
  const value = column.value(row)
  const share = most > 0 && typeof value === 'number' ? Math.max(0, value) / most : 0
  const Tag = isFirst ? 'th' : 'td'
  return (
    <Tag scope={isFirst ? 'row' : undefined} class={classOf(column, row)}>
      {column.cell === undefined ? <Value value={value} /> : column.cell(row)}
      {share > 0 ? <i class="cell-bar" style={{ width: `${Math.round(share * 1000) / 10}%` }} /> : null}
    </Tag>
  )
}

function Value({ value }: { readonly value: number | string | null }): ComponentChildren {
  if (typeof value !== 'number') return value ?? '–'
  return <span class={value === 0 ? 'figure quiet' : 'figure'}>{count(value)}</span>
}

function classOf<T>(column: Column<T>, row: T | undefined): string {
  const isText = row !== undefined && typeof column.value(row) === 'string'
  return `${isText ? 'is-text' : 'is-number'}${column.isMinor ? ' is-minor' : ''}${column.isShort ? ' is-short' : ''}${column.hasBar ? ' has-bar' : ''}`
}

function largest<T>(rows: readonly T[], { value }: Column<T>): number {
  return Math.max(0, ...rows.map(row => Number(value(row) ?? 0)))
}

/** Sorts by a value. Rows without one come last in both directions. */
function sortBy<T>(
  rows: readonly T[],
  read: (row: T) => number | string | null,
  isDown: boolean,
): readonly T[] {
  const direction = isDown ? -1 : 1
  return [...rows].sort((a, b) => {
    const [one, other] = [read(a), read(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return one < other ? -direction : one > other ? direction : 0
  })
}
