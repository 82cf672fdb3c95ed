import type { SessionShape } from '@dagline/core'
import type { JSX } from 'preact'
import { plural } from './format.js'

type Mark = SessionShape['marks'][number]

const WIDTH = 128
const HEIGHT = 30
const TRUNK = 15
/** The picture of a session this long fills its width. */
const LONGEST = 2000
const SHORTEST = 0.22
/** Pixels of the smallest twig. */
const SMALLEST = 8

/**
 * The picture of a session, from its beginning at the left:
 *
 *        ╭──╮      ╭─╮        agents, above
 *     ───┴──┴───┃──┴─┴──•──   the trunk, with compactions across it and errors on it
 *          ╰───     ╰─        branches that were left, below
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

/** The picture in words. */
function describeShape({ rows, marks }: SessionShape): string {
  const parts = [
    plural(rows, 'entry', 'entries'),
    ...said(marks, 'b', 'branch', 'branches'),
    ...said(marks, 'a', 'agent'),
    ...said(marks, 'c', 'compaction'),
    ...said(marks, 'e', 'error'),
  ]
  return parts.join(', ')
}

function said(marks: readonly Mark[], kind: Mark[0], ...nouns: [string, string?]): string[] {
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
    agents: twigs(of('a'), length, -1),
    branches: twigs(of('b'), length, 1),
    ticks: of('c')
      .map(([, place]) => `M${at(place)} ${TRUNK - 5}v10`)
      .join(''),
    errors: of('e')
      .map(([, place]) => `M${at(place)} ${TRUNK}h0`)
      .join(''),
  }
}

/** Twigs beside the trunk, on the nearest of three levels that is free; agents come back, branches end. */
function twigs(marks: readonly Mark[], length: number, side: 1 | -1): string {
  const ends = [-1, -1, -1]
  return marks
    .map(([, place, size]) => {
      const start = 2 + (length * place) / 1000
      const run = Math.max(SMALLEST, (length * size) / 1000)
      // Agents come back to the trunk; a branch may go on beyond its end.
      const to = Math.min(start + run, side < 0 ? 2 + length : WIDTH - 2)
      const from = Math.min(start, to - SMALLEST)
      const free = ends.findIndex(end => end < from)
      const level = free < 0 ? ends.length - 1 : free
      ends[level] = to + 2
      return twig(round(from), round(to), side * (5 + level * 4))
    })
    .join('')
}

function twig(from: number, to: number, rise: number): string {
  const bend = Math.min(3, (to - from) / 2)
  const y = TRUNK + rise
  const back = rise < 0 ? `Q${to} ${y} ${to} ${TRUNK}` : `H${to}`
  return `M${from} ${TRUNK}Q${from} ${y} ${round(from + bend)} ${y}H${round(to - bend)}${back}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
