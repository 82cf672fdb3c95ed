/**
 * Who calls whom, laid out from left to right: first those that nobody calls, then those they call, and so on. The same
 * calls give the same layout.
 *
 *     Claude ─┬─► Explore
 *             └─► planner ───► coder        a call to the same type, or to one further left, bends back
 */
import type { Delegation } from '@dagline/core/protocol'

export interface DelegationNode {
  readonly name: string
  readonly layer: number
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

/** The caller of subagents whose call is not known. */
export const NOBODY = 'unknown'

/** Widths of columns and of the gaps between them. The first column has short names. */
interface Widths {
  readonly first: number
  readonly node: number
  readonly gap: number
}

const WIDE: Widths = { first: 108, node: 200, gap: 96 }
/** Two columns fit a phone. */
const NARROW: Widths = { first: 84, node: 172, gap: 52 }
export const NODE_HEIGHT = 38
const ROW = 47
const EDGE = 12
/** The first column is centered on the next one, but starts at this row at the latest, so that it is visible at once. */
const LOWEST_START = 3

/** Lays out the calls. */
export function layOutDelegation(calls: readonly Delegation[], isNarrow: boolean = false): DelegationLayout {
  const { first, node: wide, gap } = isNarrow ? NARROW : WIDE
  const links = calls.map(call => ({ ...call, from: call.from ?? NOBODY }))
  const layers = layersOf(links)
  const rows = rowsOf(links, layers)
  const nodes = [...layers].map(([name, layer]) => ({
    name,
    layer,
    x: EDGE + (layer === 0 ? 0 : first + gap + (layer - 1) * (wide + gap)),
    y: EDGE + (rows.get(name) ?? 0) * ROW,
    width: layer === 0 ? first : wide,
  }))
  const most = Math.max(1, ...links.map(link => link.calls))
  const byName = new Map(nodes.map(node => [node.name, node]))
  const edges = links.flatMap(link => {
    const [from, to] = [byName.get(link.from), byName.get(link.to)]
    return from === undefined || to === undefined ? [] : [edgeOf(link, from, to, most)]
  })
  // Edges that bend back need room at the right of the last column.
  const margin = edges.some(({ isBack }) => isBack) ? 60 : EDGE
  return {
    nodes,
    edges,
    width: Math.max(...nodes.map(({ x, width }) => x + width), 0) + margin,
    height: Math.max(...nodes.map(({ y }) => y), 0) + NODE_HEIGHT + EDGE,
  }
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

/** The rows within each layer: near the callers, the most called first. */
function rowsOf(links: readonly Link[], layers: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const rows = new Map<string, number>()
  const depth = Math.max(0, ...layers.values())
  for (let layer = 0; layer <= depth; layer++) {
    const names = [...layers].filter(([, at]) => at === layer).map(([name]) => name)
    const rank = new Map(names.map(name => [name, rankOf(links, rows, name)]))
    names.sort((a, b) => compareRanks(rank.get(a), rank.get(b)) || (a < b ? -1 : 1))
    for (const [row, name] of names.entries()) rows.set(name, row)
  }
  centerStart(layers, rows)
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
  const count = (layer: number): number => [...layers.values()].filter(at => at === layer).length
  const shift = Math.min(LOWEST_START, Math.max(0, (count(1) - count(0)) / 2))
  for (const [name, layer] of layers) if (layer === 0) rows.set(name, (rows.get(name) ?? 0) + shift)
}

function edgeOf(link: Link, from: DelegationNode, to: DelegationNode, most: number): DelegationEdge {
  const { calls, parallel } = link
  const isBack = to.layer <= from.layer
  const width = Math.round(10 * (1.25 + 5 * Math.sqrt(calls / most))) / 10
  return { from, to, calls, parallel, isBack, width, path: isBack ? backPath(from, to) : pathTo(from, to) }
}

function pathTo(from: DelegationNode, to: DelegationNode): string {
  const [x, y] = [from.x + from.width, from.y + NODE_HEIGHT / 2]
  const [endX, endY] = [to.x, to.y + NODE_HEIGHT / 2]
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
