import { plural } from '@dagline/core/format'
import type { SessionShape } from '@dagline/core/protocol'
import type { JSX } from 'preact'

type Mark = SessionShape['marks'][number]

const WIDTH = 128
const HEIGHT = 30
const TRUNK = 15
/** The number of rows at which the picture fills its width. */
const LONGEST = 2000
const SHORTEST = 0.22
/** Pixels of the shortest branch. */
const SMALLEST = 8

/**
 * The shape of a session, from left to right:
 *
 *        ╭──╮      ╭─╮        subagents, above
 *     ───┴──┴───┃──┴─┴──•──   the trunk, with compactions and errors on it
 *          ╰───     ╰─        abandoned branches, below
 */
export function Shape({ shape }: { readonly shape: SessionShape | null }): JSX.Element {
  if (shape === null) return <svg class="shape" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />
  const length = lengthOf(shape.rows)
  const paths = pathsOf(shape, length)
  return (
    <svg class="shape" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{describeShape(shape)}</title>
      <path class="shape-agent" d={paths.agents} />
      <path class="shape-branch" d={paths.branches} />
      <path class="shape-trunk" d={`M2 ${TRUNK}H${round(2 + length)}`} />
      <path class="shape-tick" d={paths.ticks} />
      <path class="shape-error" d={paths.errors} />
    </svg>
  )
}

/** How branches, subagents and compactions look in the picture, for a legend; nothing for others. */
export function ShapeKey({ kind }: { readonly kind: string }): JSX.Element | null {
  const key = KEYS[kind]
  if (key === undefined) return null
  return (
    <svg class="shape shape-key" viewBox="0 0 18 14" aria-hidden="true">
      <path class="shape-trunk" d="M1 7H17" />
      <path class={key[0]} d={key[1]} />
    </svg>
  )
}

const KEYS: Readonly<Record<string, readonly [name: string, path: string]>> = {
  branches: ['shape-branch', 'M4 7Q4 12 7 12H14'],
  agents: ['shape-agent', 'M4 7Q4 2 7 2H11Q14 2 14 7'],
  compactions: ['shape-tick', 'M9 2v10'],
}

/** Describes the picture in words. */
function describeShape({ rows, marks }: SessionShape): string {
  const parts = [
    plural(rows, 'entry', 'entries'),
    ...countText(marks, 'b', 'branch', 'branches'),
    ...countText(marks, 'a', 'subagent'),
    ...countText(marks, 'c', 'compaction'),
    ...countText(marks, 'e', 'error'),
  ]
  return parts.join(', ')
}

function countText(marks: readonly Mark[], kind: Mark[0], ...nouns: [string, string?]): string[] {
  const count = marks.filter(mark => mark[0] === kind).length
  return count === 0 ? [] : [plural(count, ...nouns)]
}

function lengthOf(rows: number): number {
  const share = Math.log(Math.max(rows, 2)) / Math.log(LONGEST)
  return (WIDTH - 4) * Math.min(1, Math.max(SHORTEST, share))
}

function pathsOf(
  { marks }: SessionShape,
  length: number,
): Record<'agents' | 'branches' | 'ticks' | 'errors', string> {
  const of = (kind: Mark[0]): readonly Mark[] => marks.filter(mark => mark[0] === kind)
  const at = (place: number): number => round(2 + (length * place) / 1000)
  return {
    agents: sideBranches(of('a'), length, -1),
    branches: sideBranches(of('b'), length, 1),
    ticks: of('c')
      .map(([, place]) => `M${at(place)} ${TRUNK - 5}v10`)
      .join(''),
    errors: of('e')
      .map(([, place]) => `M${at(place)} ${TRUNK}h0`)
      .join(''),
  }
}

/** Branches on one side of the trunk, each on the nearest free level of three. */
function sideBranches(marks: readonly Mark[], length: number, side: 1 | -1): string {
  const ends = [-1, -1, -1]
  return marks
    .map(([, place, size]) => {
      const start = 2 + (length * place) / 1000
      const run = Math.max(SMALLEST, (length * size) / 1000)
      // Subagents return to the trunk; a branch may reach beyond the end of the trunk.
      const to = Math.min(start + run, side < 0 ? 2 + length : WIDTH - 2)
      const from = Math.min(start, to - SMALLEST)
      const free = ends.findIndex(end => end < from)
      const level = free < 0 ? ends.length - 1 : free
      ends[level] = to + 2
      return sideBranch(round(from), round(to), side * (5 + level * 4))
    })
    .join('')
}

function sideBranch(from: number, to: number, rise: number): string {
  const bend = Math.min(3, (to - from) / 2)
  const y = TRUNK + rise
  const back = rise < 0 ? `Q${to} ${y} ${to} ${TRUNK}` : `H${to}`
  return `M${from} ${TRUNK}Q${from} ${y} ${round(from + bend)} ${y}H${round(to - bend)}${back}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
