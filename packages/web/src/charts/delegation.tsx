/** The delegation graph of subagents: the more calls, the thicker the line. */

import { plural } from '@dagline/core/format'
import { withEllipsis } from '@dagline/core/model'
import type { Delegation as DelegationCall } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import {
  type DelegationEdge,
  type DelegationNode,
  layOutDelegation,
  NOBODY,
  NODE_HEIGHT,
} from './delegation-layout.js'
import { useWidth } from './scale.js'

interface DelegationProps {
  readonly calls: readonly DelegationCall[]
  /** Figures of a subagent, shown under its name. */
  readonly figuresOf: (name: string) => string
  /** Where a type leads; null where it has no runs. */
  readonly hrefOf: (name: string) => string | null
}

/** The graph. Nodes lead to their runs; hovering over one highlights its callers and what it calls. */
export function Delegation({ calls, figuresOf, hrefOf }: DelegationProps): JSX.Element {
  const [box, room] = useWidth<HTMLElement>()
  const layout = useMemo(() => layOutDelegation(calls, room), [calls, room])
  const [active, setActive] = useState<string | null>(null)
  const isNear = ({ from, to }: DelegationEdge): boolean => from.name === active || to.name === active
  const { width, height, nodes, edges } = layout
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
    <section ref={box} class="delegation" aria-label={`Delegation: ${describe(calls)}`} tabIndex={0}>
      <svg class="chart" role="presentation" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {edges.map(edge => (
          <path
            key={`${edge.from.name} ${edge.to.name}`}
            class={edgeClass(edge, active === null ? null : isNear(edge))}
            d={edge.path}
            stroke-width={edge.width}
          >
            <title>{edgeWords(edge)}</title>
          </path>
        ))}
        {edges
          .filter(edge => (active === null ? edges.length <= 12 : isNear(edge)))
          .map(edge => (
            <EdgeCount key={`${edge.from.name} ${edge.to.name}`} edge={edge} />
          ))}
        {nodes.map(node => (
          <Node
            key={node.name}
            node={node}
            figures={figuresOf(node.name)}
            href={hrefOf(node.name)}
            point={setActive}
          />
        ))}
      </svg>
    </section>
  )
}

function edgeClass({ isBack }: DelegationEdge, isNear: boolean | null): string {
  const back = isBack ? ' is-back' : ''
  return `delegation-edge${back}${isNear === null ? '' : isNear ? ' is-near' : ' is-far'}`
}

function edgeWords({ from, to, calls, parallel }: DelegationEdge): string {
  return `${from.name} calls ${to.name}: ${plural(calls, 'time')}, ${parallel} in parallel`
}

/** The number of calls, in the middle of the line. */
function EdgeCount({ edge: { from, to, calls, isBack } }: { readonly edge: DelegationEdge }): JSX.Element {
  const x = isBack ? Math.max(from.x + from.width, to.x + to.width) + 36 : (from.x + from.width + to.x) / 2
  const y = (from.y + to.y) / 2 + NODE_HEIGHT / 2
  return (
    <text class="delegation-count" x={x} y={y + 4}>
      {calls}
    </text>
  )
}

/** Pixels of a character. */
const CHARACTER = 8.6

/** Pixels beside a name in its box. */
const PADDING = 12

/** Long names keep their end: they begin with the name of a plugin. */
function shortName(name: string, width: number): string {
  const longest = Math.floor((width - 2 * PADDING) / CHARACTER)
  if (name.length <= longest) return name
  const last = name.split(':').at(-1) ?? name
  const short = last === name ? name : `…${last}`
  return withEllipsis(short, longest)
}

interface NodeProps {
  readonly node: DelegationNode
  readonly figures: string
  readonly href: string | null
  readonly point: (name: string | null) => void
}

function Node({ node: { name, x, y, width, layer }, figures, href, point }: NodeProps): JSX.Element {
  const short = shortName(name, width)
  const box = (
    <g onPointerEnter={() => point(name)} onPointerLeave={() => point(null)}>
      {short === name ? null : <title>{name}</title>}
      <rect
        class={`delegation-node${layer === 0 ? ' is-first' : ''}`}
        x={x}
        y={y}
        width={width}
        height={NODE_HEIGHT}
        rx={8}
      />
      <text class="delegation-name" x={x + PADDING} y={y + (figures === '' ? 24 : 16)}>
        {short}
      </text>
      <text class="delegation-figures" x={x + PADDING} y={y + 30}>
        {figures}
      </text>
    </g>
  )
  if (href === null) return box
  return (
    <a href={href} onFocus={() => point(name)} onBlur={() => point(null)}>
      {box}
    </a>
  )
}

function describe(calls: readonly DelegationCall[]): string {
  const parts = calls
    .slice(0, 6)
    .map(({ from, to, calls: count }) => `${from ?? NOBODY} calls ${to} ${plural(count, 'time')}`)
  const more = calls.length > 6 ? ` and ${calls.length - 6} more` : ''
  return `${parts.join(', ')}${more}`
}
