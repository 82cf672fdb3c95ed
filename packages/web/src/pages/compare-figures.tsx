/** The figures of two branches or sessions, and the files that they changed. */

import { count, duration, money, shortPath, tokens } from '@dagline/core/format'
import { sumOf } from '@dagline/core/model'
import type { ComparedSide, Comparison } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { SortTable } from '../charts/sort-table.js'

type Sides = Comparison['sides']

/** The totals of both, files and tools. */
export function CompareFigures({ sides }: { readonly sides: Sides }): JSX.Element {
  return (
    <div class="compare-figures" id="figures">
      <Totals sides={sides} />
      <Tools sides={sides} />
      <Files sides={sides} />
    </div>
  )
}

interface Figure {
  readonly name: string
  readonly of: (side: ComparedSide) => number | null
  readonly format: (value: number) => string
}

const FIGURES: readonly Figure[] = [
  { name: 'Turns', of: ({ turnCount }) => turnCount, format: count },
  { name: 'API messages', of: ({ messages }) => messages, format: count },
  { name: 'Tool calls', of: ({ tools }) => sumOf(tools, ({ calls }) => calls), format: count },
  { name: 'Failed calls', of: ({ tools }) => sumOf(tools, ({ errors }) => errors), format: count },
  { name: 'Subagents', of: ({ agents }) => agents, format: count },
  { name: 'Files changed', of: ({ files }) => files.length, format: count },
  {
    name: 'Time',
    of: ({ first, last }) => (first === null || last === null ? null : last - first),
    format: duration,
  },
  { name: 'Tokens', of: side => side.tokens, format: tokens },
  { name: 'Output', of: ({ output }) => output, format: tokens },
  { name: 'Cost', of: ({ cost }) => cost, format: money },
]

function Totals({ sides: [left, right] }: { readonly sides: Sides }): JSX.Element {
  return (
    <section class="panel">
      <h2>Figures</h2>
      <table class="figures">
        <caption class="hidden">Figures of both</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Figure</span>
            </th>
            {['A', 'B', 'B − A'].map(name => (
              <th key={name} scope="col" class="is-number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FIGURES.map(({ name, of, format }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="is-number">{shown(of(left), format)}</td>
              <td class="is-number">{shown(of(right), format)}</td>
              <td class="is-number quiet">{difference(of(left), of(right), format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** How much more or less the second is; empty where they are equal or one is unknown. */
function difference(a: number | null, b: number | null, format: (value: number) => string): string {
  if (a === null || b === null || a === b) return ''
  return `${b > a ? '+' : '−'}${format(Math.abs(b - a))}`
}

function shown(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value)
}

/** Files by the side that changed them. */
function Files({ sides: [left, right] }: { readonly sides: Sides }): JSX.Element {
  const [a, b] = [left, right].map(({ files }) => new Map(files.map(({ path, edits }) => [path, edits])))
  const paths = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].sort()
  const groups = [
    { name: 'Changed in both', paths: paths.filter(path => a?.has(path) && b?.has(path)) },
    { name: 'Only in A', paths: paths.filter(path => !b?.has(path)) },
    { name: 'Only in B', paths: paths.filter(path => !a?.has(path)) },
  ]
  const editsOf = (path: string): string => {
    const both = [a?.get(path), b?.get(path)].filter(edits => edits !== undefined)
    return both.map(edits => `${edits}×`).join(' / ')
  }
  return (
    <section class="panel compare-files">
      <h2>Files</h2>
      {paths.length === 0 ? <p class="panel-note">No file was changed.</p> : null}
      {groups
        .filter(group => group.paths.length > 0)
        .map(group => (
          <div key={group.name}>
            <h3>
              {group.name} <span class="quiet">{group.paths.length}</span>
            </h3>
            <ul>
              {group.paths.map(path => (
                <li key={path} title={path}>
                  <code>{shortPath(path, 3)}</code> <span class="quiet figure">{editsOf(path)}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </section>
  )
}

/** The tools of both sides, with their calls and errors. */
function Tools({ sides: [left, right] }: { readonly sides: Sides }): JSX.Element | null {
  const names = [...new Set([...left.tools, ...right.tools].map(({ name }) => name))]
  if (names.length === 0) return null
  const callsOf = (side: ComparedSide, name: string): number =>
    side.tools.find(tool => tool.name === name)?.calls ?? 0
  return (
    <section class="panel">
      <h2>Tools</h2>
      <SortTable
        label="Tool calls of both"
        rows={names}
        keyOf={name => name}
        columns={[
          { title: 'Tool', value: name => name },
          { title: 'A', value: name => callsOf(left, name) },
          { title: 'B', value: name => callsOf(right, name) },
        ]}
      />
    </section>
  )
}
