/** A session as data: its part of what `dagline graph --json` prints, and what its rows say. */
import type { FileId, Graph, Totals } from '@dagline/core'
import type { RowContent, SheetJunction } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import {
  diagnosticFacts,
  type Item,
  itemsOf,
  PARTS,
  type Part,
  type ToolFacts,
  toolFacts,
} from '../graphs/facts.js'
import { allDiagnostics } from '../graphs/project.js'
import { addTotals } from '../measure/summary.js'
import { jsonLines } from '../text/json.js'
import type { ExportedSession } from './exported-session.js'

const CHUNK = 256

/** The object, line by line. */
export function* jsonPieces(exported: ExportedSession, redactor: Redactor | null): Generator<string> {
  for (const line of jsonLines(fieldsOf(exported, redactor))) yield `${line}\n`
}

/** Its fields in order. Items are made one at a time: a session may have tens of thousands of lines. */
function* fieldsOf(
  exported: ExportedSession,
  redactor: Redactor | null,
): Generator<readonly [string, unknown]> {
  const { loaded, session, sheet } = exported
  const items = itemsOf(loaded)
  const scope = scopeOf(exported)
  const totals = { ...addTotals([]), nodes: scope.nodes.size }
  const shown = (value: unknown): unknown => (redactor === null ? value : redactor.value(value))
  const list = (part: Part): readonly [string, unknown] => [
    part,
    { list: shownItems(partItems(part, items[part](), scope, totals), shown) },
  ]
  const agents = PARTS.indexOf('agents')
  yield ['dagline', 1]
  yield ['session', session.id]
  yield* PARTS.slice(0, agents).map(list)
  yield [
    'live',
    shown(Object.fromEntries(session.files.map(({ facts }) => liveIn(loaded.graph, facts.path, scope)))),
  ]
  yield* PARTS.slice(agents).map(list)
  yield ['junctions', { list: shownItems(sheet.junctions.map(junctionFacts), shown) }]
  yield ['tools', shown(toolsIn(toolFacts(loaded.graph), scope))]
  const diagnostics = allDiagnostics(loaded).filter(({ file }) => scope.files.has(file))
  yield ['diagnostics', { list: shownItems(diagnostics.map(diagnosticFacts), shown) }]
  yield ['totals', { ...totals, placed: totals.nodes - totals.folded }]
  yield ['contents', { list: contentsOf(exported, redactor) }]
}

function* shownItems(items: Iterable<Item>, shown: (value: unknown) => unknown): Generator<unknown> {
  for (const item of items) yield shown(item)
}

/** The items of a part that belong to the export, which are counted in the totals. */
function* partItems(part: Part, items: Iterable<Item>, scope: Scope, totals: Counted): Generator<Item> {
  for (const item of items) {
    const own = partItem(part, item, scope)
    if (own === null) continue
    addTo(totals, part, own)
    yield own
  }
}

/** The live conversation of a file, as far as it belongs to the export. */
function liveIn(graph: Graph, path: FileId, { nodes }: Scope): readonly [string, readonly string[]] {
  return [
    path,
    graph
      .live(path)
      .map(node => graph.id(node))
      .filter(id => nodes.has(id)),
  ]
}

/** S2: another session that goes on from an entry. */
function junctionFacts({ node, session, how, title }: SheetJunction): Item {
  return { at: node, session, how, title }
}

function* contentsOf(exported: ExportedSession, redactor: Redactor | null): Generator<RowContent> {
  const rows = exported.sheet.rows.node.length
  for (let from = 0; from < rows; from += CHUNK)
    yield* exported.contents(from, Math.min(rows, from + CHUNK), redactor)
}

/** What belongs to the export. */
interface Scope {
  readonly session: string
  readonly nodes: ReadonlySet<string>
  readonly lines: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

function scopeOf({ session, sheet }: ExportedSession): Scope {
  return {
    session: session.id,
    nodes: new Set([...sheet.rows.node, ...sheet.also.map(([, id]) => id)]),
    lines: new Set(sheet.lines.map(({ id }) => id)),
    files: new Set(session.files.map(({ facts }): string => facts.path)),
  }
}

/** An item with what belongs to the export of it; null where nothing does. */
function partItem(part: Part, item: Item, scope: Scope): Item | null {
  const isIn = (set: ReadonlySet<string>, key: string): boolean => set.has(`${item[key]}`)
  switch (part) {
    case 'files':
      return isIn(scope.files, 'path') ? item : null
    case 'sessions':
      return item['id'] === scope.session ? item : null
    case 'lines':
      return isIn(scope.lines, 'id') ? { ...item, nodes: nodesIn(item['nodes'], scope) } : null
    case 'folded':
      return isIn(scope.nodes, 'node') ? item : null
    case 'queue':
      return isIn(scope.files, 'file') ? item : null
    default:
      return isIn(scope.lines, 'line') ? item : null
  }
}

function nodesIn(nodes: unknown, { nodes: own }: Scope): readonly unknown[] {
  return Array.isArray(nodes) ? nodes.filter(node => own.has(`${node}`)) : []
}

function toolsIn({ unanswered, stray }: ToolFacts, { nodes }: Scope): Item {
  const own = (ends: typeof stray): typeof stray => ends.filter(end => nodes.has(`${end['node']}`))
  return { unanswered: own(unanswered), stray: own(stray) }
}

/** Totals while they are counted. */
type Counted = { -readonly [Name in keyof Totals]: Totals[Name] }

const OF_FILES = ['bytes', 'rows', 'entries', 'blank', 'damaged', 'continuation', 'joined', 'pieces'] as const

function addTo(totals: Counted, part: Part, item: Item): void {
  if (part === 'files') for (const key of OF_FILES) totals[key] += Number(item[key] ?? 0)
  if (part === 'files' || part === 'forks' || part === 'folded') totals[part]++
  if (part === 'forks' && item['kind'] === 'rewind') totals.rewinds++
}
