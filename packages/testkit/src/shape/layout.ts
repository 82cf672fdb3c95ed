/** Puts the tokens of a shape in their places: parent, time, and what a repeated token takes over from its first writing. */
import type { ShapeLine, ShapePlace, ShapeToken, ToolMark } from './notation.js'

/** A token in its place. Parents are tokens still, `?9` included; times are epoch milliseconds. */
export interface PlacedToken {
  readonly kind: 'node'
  readonly at: ShapePlace
  readonly mark: ShapeToken
  readonly parent: string | null
  readonly logical: string | null
  readonly time: number
  /** The token whose words are repeated: itself, or `u2` for `u2'`. */
  readonly original: string
}

/** A row of a shape: a node, or raw text. */
export type PlacedRow = PlacedToken | { readonly kind: 'raw'; readonly at: ShapePlace; readonly text: string }

/** What the rows say about each other. */
export interface ShapeIndex {
  readonly rows: readonly PlacedRow[]
  readonly first: ReadonlyMap<string, PlacedToken>
}

/** The fixed day on which all shapes happen. */
const SHAPE_START: number = Date.UTC(2026, 0, 1, 10, 0, 0)

const CALLERS = 'aey'

/** Lays the lines out in the order written: one second per row, a chain's parent is the token before it. */
export function layoutShape(lines: readonly ShapeLine[]): ShapeIndex {
  const clock = { now: SHAPE_START }
  const first = new Map<string, PlacedToken>()
  const rows = lines.flatMap((line): PlacedRow[] => {
    if (line.kind === 'meta') return []
    if (line.kind === 'nodes') return placeNodes(line, first, clock)
    clock.now += 1000
    return [{ kind: 'raw', at: line.at, text: line.text }]
  })
  return { rows, first }
}

type NodeLine = Extract<ShapeLine, { kind: 'nodes' }>
type Clock = { now: number }

function placeNodes(line: NodeLine, first: Map<string, PlacedToken>, clock: Clock): PlacedToken[] {
  let before = line.after
  return line.nodes.map(written => {
    const placed = placeToken({ at: line.at, written, before, first, clock })
    if (!first.has(placed.mark.token)) first.set(placed.mark.token, placed)
    before = placed.mark.token
    return placed
  })
}

interface Placing {
  readonly at: ShapePlace
  readonly written: ShapeToken
  readonly before: string | null
  readonly first: ReadonlyMap<string, PlacedToken>
  readonly clock: Clock
}

function placeToken({ at, written, before, first, clock }: Placing): PlacedToken {
  const earlier = first.get(written.token) ?? repeated(written.token, first)
  const mark = earlier ? takeOver(written, earlier.mark) : written
  const boundary = kindOf(mark.token) === 'c'
  const usual = earlier ? earlier.parent : boundary ? null : before
  return {
    kind: 'node',
    at,
    mark,
    parent: written.parent === undefined ? usual : written.parent,
    logical: mark.logical === undefined ? (boundary ? before : null) : mark.logical,
    time: timeOf(written, earlier, first, clock),
    original: earlier?.original ?? mark.token,
  }
}

function repeated(token: string, first: ReadonlyMap<string, PlacedToken>): PlacedToken | null {
  if (!token.endsWith("'")) return null
  const original = first.get(token.slice(0, -1))
  if (!original) throw new RangeError(`${token} repeats a token that was not written before`)
  return original
}

function takeOver(written: ShapeToken, earlier: ShapeToken): ShapeToken {
  return {
    ...written,
    sidechain: written.sidechain || earlier.sidechain,
    message: written.message ?? earlier.message,
    logical: written.logical === undefined ? earlier.logical : written.logical,
    tools: written.tools.length > 0 ? written.tools : earlier.tools,
    preserved: written.preserved ?? earlier.preserved,
    text: written.text ?? earlier.text,
    extra: written.extra ?? earlier.extra,
  }
}

/** A shift moves the clock on, so that what follows stays later; going back, or another's instant, does not. */
function timeOf(
  { time, token }: ShapeToken,
  earlier: PlacedToken | null,
  first: ReadonlyMap<string, PlacedToken>,
  clock: Clock,
): number {
  const now = clock.now
  clock.now += 1000
  if (time && 'same' in time) return timeOfToken(time.same, first, token)
  if (!time) return earlier ? earlier.time : now
  if (time.shift > 0) clock.now += time.shift
  return now + time.shift
}

function timeOfToken(same: string, first: ReadonlyMap<string, PlacedToken>, token: string): number {
  const other = first.get(same)
  if (!other) throw new RangeError(`${token}@=${same}: ${same} was not written before`)
  return other.time
}

/** The letter of a token. */
export function kindOf(token: string): string {
  return token.charAt(0)
}

/** The token that makes the call `tool`: in the same file where there is one, else anywhere. */
export function callerOf(index: ShapeIndex, at: ShapePlace, tool: string): PlacedToken | null {
  const nodes = index.rows.filter(row => row.kind === 'node')
  const callers = nodes.filter(
    ({ mark }) => CALLERS.includes(kindOf(mark.token)) && mark.tools.some(({ id }) => id === tool),
  )
  return callers.find(caller => samePlace(caller.at, at)) ?? callers[0] ?? null
}

/** The first summary written after the boundary in the same file: the anchor of what a compaction preserves. */
export function summaryAfter(index: ShapeIndex, boundary: PlacedToken): PlacedToken | null {
  const rows = index.rows.slice(index.rows.indexOf(boundary) + 1)
  for (const row of rows) {
    if (row.kind === 'node' && kindOf(row.mark.token) === 'k' && samePlace(row.at, boundary.at)) return row
  }
  return null
}

/**
 * The first prompt of the agent that a call spawns. `[t1:Task>x]` names agent `x`, or an inline prompt by its
 * token; unnamed calls take the session's unnamed agents one by one, in the order in which they first appear.
 */
export function spawnedPrompt(index: ShapeIndex, caller: PlacedToken, tool: ToolMark): PlacedToken | null {
  const agents = agentsOf(index, caller.at.session)
  if (tool.agent !== null) return findAgent(agents, tool.agent) ?? index.first.get(tool.agent) ?? null
  const calls = spawningCalls(index, caller.at.session)
  const named = new Set(calls.flatMap(({ agent }) => (agent === null ? [] : [findAgent(agents, agent)])))
  const unnamed = calls.filter(({ agent }) => agent === null)
  const free = agents.filter(agent => !named.has(agent))
  return free[unnamed.findIndex(({ id }) => id === tool.id)] ?? null
}

/** Whether a call of this tool starts an agent. */
export function isSpawn(tool: ToolMark): boolean {
  return tool.name === 'Task' || tool.name === 'Agent'
}

function findAgent(agents: readonly PlacedToken[], name: string): PlacedToken | undefined {
  return agents.find(({ at, mark }) => (at.agent === null ? mark.token === name : at.agent === name))
}

function spawningCalls(index: ShapeIndex, session: string): ToolMark[] {
  const callers = [...index.first.values()].filter(
    ({ at, mark }) => at.session === session && CALLERS.includes(kindOf(mark.token)),
  )
  return callers.flatMap(({ mark }) => mark.tools.filter(isSpawn))
}

/** The first prompts of a session's agents: of each agent file, and of each inline side chain. */
function agentsOf(index: ShapeIndex, session: string): PlacedToken[] {
  const seen = new Set<string>()
  return [...index.first.values()].filter(placed => {
    if (placed.at.session !== session || kindOf(placed.mark.token) !== 'u') return false
    if (placed.at.agent === null) return placed.mark.sidechain && !followsSidechain(index, placed)
    if (seen.has(placed.at.agent)) return false
    seen.add(placed.at.agent)
    return true
  })
}

function followsSidechain(index: ShapeIndex, { parent }: PlacedToken): boolean {
  return parent !== null && index.first.get(parent)?.mark.sidechain === true
}

function samePlace(one: ShapePlace, other: ShapePlace): boolean {
  return one.session === other.session && one.agent === other.agent
}
