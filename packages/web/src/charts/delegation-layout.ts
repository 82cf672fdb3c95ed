/**
 * Who calls whom, laid out from left to right: first those that nobody calls, then those they call, and so on. The same
 * calls give the same layout.
 *
 *     Claude ─┬─► planner ───► coder        a call to the same type, or to one further left, bends back
 *             ├─► Explore ┬─► reviewer      many that call nobody: in columns, as far as there is room
 *             └─► tester  └─► writer
 */
import { sumOf } from '@dagline/core/model'
import type { Delegation } from '@dagline/core/protocol'

export interface DelegationNode {
  readonly name: string
  readonly layer: number
  /** The column of the grid that it stands in; 0 outside of it. */
  readonly column: number
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface DelegationEdge {
  readonly from: DelegationNode
  readonly to: DelegationNode
  readonly calls: number
  readonly parallel: number
  readonly path: string
  readonly width: number
  /** Whether it leads to the same type or to the left. */
  readonly isBack: boolean
}

interface DelegationLayout {
  readonly nodes: readonly DelegationNode[]
  readonly edges: readonly DelegationEdge[]
  readonly width: number
  readonly height: number
}

/** The caller of subagents whose call is not known; `unknown` is the name of types that are not. */
export const NOBODY = 'unknown caller'

/** Widths of columns and of the gaps between them. The first column has short names. */
interface Widths {
  readonly first: number
  readonly node: number
  readonly gap: number
}

const WIDE: Widths = { first: 148, node: 200, gap: 96 }
/** Two columns fit a phone. */
const NARROW: Widths = { first: 84, node: 172, gap: 52 }
/** Below this width in pixels, columns are closer together. */
const NARROW_ROOM = 560
export const NODE_HEIGHT = 38
const ROW = 47
const EDGE = 12
/** Between the columns of the grid, where lines to its nodes run. */
const GRID_GAP = 64
/** Lines to the columns run so far above the grid: straight from the middle of a node in the first row. */
const LINE_ABOVE = 12
const ABOVE_GRID = (NODE_HEIGHT / 2 + LINE_ABOVE) / ROW
/** The first column is centered on the next one, but starts at this row at the latest, so that it is visible at once. */
const LOWEST_START = 3

/** Lays out the calls in a width in pixels; 0 where it is not known yet. */
export function layOutDelegation(calls: readonly Delegation[], room: number = 0): DelegationLayout {
  const widths = room > 0 && room < NARROW_ROOM ? NARROW : WIDE
  const links = calls.map(call => ({ ...call, from: call.from ?? NOBODY }))
  const layers = layersOf(links)
  // Edges that bend back need room at the right of the last column.
  const margin = links.some(({ from, to }) => (layers.get(to) ?? 0) <= (layers.get(from) ?? 0)) ? 60 : EDGE
  const columns = columnsIn(room - widths.first - widths.gap - EDGE - margin, widths.node)
  const grid = gridOf(links, layers, columns.count)
  const rows = rowsOf(links, layers, grid)
  const nodes = [...layers].map(([name, layer]) => ({
    name,
    layer,
    column: grid.get(name)?.column ?? 0,
    ...across(layer, grid.get(name), widths, columns.width),
    y: EDGE + (rows.get(name) ?? 0) * ROW,
  }))
  const scale = {
    most: Math.max(1, ...links.map(link => link.calls)),
    top: Math.min(...nodes.filter(({ name }) => grid.has(name)).map(({ y }) => y)),
  }
  const byName = new Map(nodes.map(node => [node.name, node]))
  const edges = links.flatMap(link => {
    const [from, to] = [byName.get(link.from), byName.get(link.to)]
    return from === undefined || to === undefined ? [] : [edgeOf(link, from, to, scale)]
  })
  return {
    nodes,
    edges,
    width: Math.max(...nodes.map(({ x, width }) => x + width), 0) + margin,
    height: Math.max(...nodes.map(({ y }) => y), 0) + NODE_HEIGHT + EDGE,
  }
}

/** Where a node stands from left to right. */
function across(
  layer: number,
  cell: Cell | undefined,
  { first, node, gap }: Widths,
  wide: number,
): Pick<DelegationNode, 'x' | 'width'> {
  if (layer === 0) return { x: EDGE, width: first }
  const start = EDGE + first + gap
  if (cell !== undefined) return { x: start + cell.column * (wide + GRID_GAP), width: wide }
  return { x: start + (layer - 1) * (node + gap), width: node }
}

/** How many columns of a grid fit, and how wide they are. */
function columnsIn(room: number, least: number): { readonly count: number; readonly width: number } {
  const count = Math.floor((room + GRID_GAP) / (least + GRID_GAP))
  return { count, width: Math.floor((room + GRID_GAP) / count) - GRID_GAP }
}

type Link = Delegation & { readonly from: string }

/** The least number of calls between each name and one that nobody calls. */
function layersOf(links: readonly Link[]): ReadonlyMap<string, number> {
  const layers = new Map<string, number>()
  const called = new Set(links.filter(({ from, to }) => from !== to).map(({ to }) => to))
  const callers = links.map(({ from }) => from).sort()
  const starts = callers.filter(name => name === 'Claude' || !called.has(name))
  // Cycles without a caller from outside start anywhere.
  for (const start of [...starts, ...callers]) {
    if (layers.has(start)) continue
    layers.set(start, 0)
    spread(links, layers, start)
  }
  return layers
}

function spread(links: readonly Link[], layers: Map<string, number>, start: string): void {
  const open = [start]
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const next = (layers.get(name) ?? 0) + 1
    for (const { from, to } of links) {
      if (from !== name || (layers.get(to) ?? Number.POSITIVE_INFINITY) <= next) continue
      layers.set(to, next)
      open.push(to)
    }
  }
}

interface Cell {
  readonly row: number
  readonly column: number
}

/** As many fit one column without scrolling. */
const SHORT = 6

/**
 * The cells of types that only the first column calls and that call no other: row by row, the most called first. Empty
 * where they fit one column, or there is room for no second one.
 */
function gridOf(
  links: readonly Link[],
  layers: ReadonlyMap<string, number>,
  columns: number,
): ReadonlyMap<string, Cell> {
  const callers = new Set(links.filter(({ from, to }) => from !== to).map(({ from }) => from))
  const isLeaf = (name: string): boolean =>
    !callers.has(name) && links.every(({ from, to }) => to !== name || from === to || layers.get(from) === 0)
  const leaves = [...layers].filter(([name, layer]) => layer === 1 && isLeaf(name)).map(([name]) => name)
  if (columns < 2 || leaves.length <= SHORT) return new Map()
  const callsOf = (name: string): number => sumOf(links, ({ to, calls }) => (to === name ? calls : 0))
  leaves.sort((a, b) => callsOf(b) - callsOf(a) || (a < b ? -1 : 1))
  return new Map(leaves.map((name, nth) => [name, { row: Math.floor(nth / columns), column: nth % columns }]))
}

/** The rows within each layer: near the callers, the most called first; those of the grid below all others. */
function rowsOf(
  links: readonly Link[],
  layers: ReadonlyMap<string, number>,
  grid: ReadonlyMap<string, Cell>,
): ReadonlyMap<string, number> {
  const rows = new Map<string, number>()
  const depth = Math.max(0, ...layers.values())
  for (let layer = 0; layer <= depth; layer++) {
    const names = [...layers].filter(([name, at]) => at === layer && !grid.has(name)).map(([name]) => name)
    const rank = new Map(names.map(name => [name, rankOf(links, rows, name)]))
    names.sort((a, b) => compareRanks(rank.get(a), rank.get(b)) || (a < b ? -1 : 1))
    for (const [row, name] of names.entries()) rows.set(name, row)
  }
  const behind = [...rows].filter(([name]) => layers.get(name) !== 0).map(([, row]) => row)
  centerStart(layers, rows)
  const above = Math.max(-1, ...behind) + 1 + ABOVE_GRID
  for (const [name, { row }] of grid) rows.set(name, above + row)
  return rows
}

/** The mean row of the callers, and the number of calls. */
type Rank = readonly [row: number, calls: number]

function rankOf(links: readonly Link[], rows: ReadonlyMap<string, number>, name: string): Rank {
  const own = links.filter(({ to, from }) => to === name && rows.has(from))
  const calls = own.reduce((sum, link) => sum + link.calls, 0)
  const row = own.reduce((sum, link) => sum + (rows.get(link.from) ?? 0) * link.calls, 0)
  return [calls === 0 ? 0 : row / calls, calls]
}

function compareRanks(a: Rank = [0, 0], b: Rank = [0, 0]): number {
  return a[0] - b[0] || b[1] - a[1]
}

function centerStart(layers: ReadonlyMap<string, number>, rows: Map<string, number>): void {
  const count = (layer: number): number => [...rows.keys()].filter(name => layers.get(name) === layer).length
  const shift = Math.min(LOWEST_START, Math.max(0, (count(1) - count(0)) / 2))
  for (const [name, layer] of layers) if (layer === 0) rows.set(name, (rows.get(name) ?? 0) + shift)
}

/** The most calls of an edge, and the upper end of the grid. */
interface Scale {
  readonly most: number
  readonly top: number
}

function edgeOf(link: Link, from: DelegationNode, to: DelegationNode, { most, top }: Scale): DelegationEdge {
  const { calls, parallel } = link
  const isBack = to.layer <= from.layer
  const width = Math.round(10 * (1.25 + 5 * Math.sqrt(calls / most))) / 10
  return {
    from,
    to,
    calls,
    parallel,
    isBack,
    width,
    path: isBack ? backPath(from, to) : pathTo(from, to, top),
  }
}

function pathTo(from: DelegationNode, to: DelegationNode, top: number): string {
  const [x, y] = [from.x + from.width, from.y + NODE_HEIGHT / 2]
  const [endX, endY] = [to.x, to.y + NODE_HEIGHT / 2]
  // Above the grid and down between its columns, where nothing stands in the way.
  if (to.column > 0) return `M${x} ${y}h28V${top - LINE_ABOVE}H${endX - 20}V${endY}H${endX}`
  const bend = Math.min(64, (endX - x) / 2)
  return `M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`
}

/** Leaves at the right and returns at the right. */
function backPath(from: DelegationNode, to: DelegationNode): string {
  const out = from.name === to.name ? 9 : 0
  const [x, y] = [from.x + from.width, from.y + NODE_HEIGHT / 2 - out]
  const [endX, endY] = [to.x + to.width, to.y + NODE_HEIGHT / 2 + out]
  const bend = Math.max(x, endX) + 44
  return `M${x} ${y}C${bend} ${y} ${bend} ${endY} ${endX} ${endY}`
}
