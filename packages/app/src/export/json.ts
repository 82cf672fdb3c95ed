/** A session as data: its part of what `dagline graph --json` prints, and what its rows say. */
import type { Redactor, RowContent, SheetJunction } from '@dagline/core'
import { asObject, type Json } from '../contents/records.js'
import { describeLoaded, PARTS, type Part, type ProjectFacts } from '../graphs/facts.js'
import { jsonLines } from '../text/json.js'
import type { Material } from './material.js'

const CHUNK = 256

/** The object, line by line. */
export function* jsonPieces(material: Material, redactor: Redactor | null): Generator<string> {
  const facts = describeLoaded(material.loaded)
  const scope = scopeOf(material)
  const shown = (value: unknown): unknown => (redactor === null ? value : redactor.value(value))
  const parts = new Map(
    PARTS.map(part => [part, itemsOf(facts.parts[part], item => partItem(part, item, scope))]),
  )
  const list = (part: Part): readonly [string, unknown] => [
    part,
    { list: (parts.get(part) ?? []).map(shown) },
  ]
  const agents = PARTS.indexOf('agents')
  const live = facts.live.filter(([file]) => scope.files.has(file))
  yield* withBreaks(
    jsonLines([
      ['dagline', 1],
      ['session', material.session.id],
      ...PARTS.slice(0, agents).map(list),
      [
        'live',
        shown(Object.fromEntries(live.map(([file, nodes]) => [file, nodesIn(JSON.parse(nodes), scope)]))),
      ],
      ...PARTS.slice(agents).map(list),
      ['junctions', { list: material.sheet.junctions.map(junctionFacts).map(shown) }],
      ['tools', shown(toolsIn(facts.tools, scope))],
      [
        'diagnostics',
        {
          list: itemsOf(facts.diagnostics, item => (scope.files.has(`${item['file']}`) ? item : null)).map(
            shown,
          ),
        },
      ],
      ['totals', totalsOf(parts, scope)],
      ['contents', { list: contentsOf(material, redactor) }],
    ]),
  )
}

/** S2: another session that goes on from an entry. */
function junctionFacts({ node, session, how, title }: SheetJunction): Json {
  return { at: node, session, how, title }
}

function* withBreaks(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`
}

function* contentsOf(material: Material, redactor: Redactor | null): Generator<RowContent> {
  const rows = material.sheet.rows.node.length
  for (let from = 0; from < rows; from += CHUNK)
    yield* material.contents(from, Math.min(rows, from + CHUNK), redactor)
}

/** What belongs to the export. */
interface Scope {
  readonly session: string
  readonly nodes: ReadonlySet<string>
  readonly lines: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

function scopeOf({ session, sheet }: Material): Scope {
  return {
    session: session.id,
    nodes: new Set([...sheet.rows.node, ...sheet.also.map(([, id]) => id)]),
    lines: new Set(sheet.lines.map(({ id }) => id)),
    files: new Set(session.files.map(({ facts }): string => facts.path)),
  }
}

function itemsOf(items: readonly string[], pick: (item: Json) => Json | null): readonly Json[] {
  const made = items.map(item => asObject(JSON.parse(item))).filter(item => item !== null)
  return made.map(pick).filter(item => item !== null)
}

/** An item with what belongs to the export of it; null where nothing does. */
function partItem(part: Part, item: Json, scope: Scope): Json | null {
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

function toolsIn({ unanswered, stray }: ProjectFacts['tools'], { nodes }: Scope): Json {
  const own = (ends: typeof stray): typeof stray => ends.filter(end => nodes.has(`${end['node']}`))
  return { unanswered: own(unanswered), stray: own(stray) }
}

function totalsOf(parts: ReadonlyMap<Part, readonly Json[]>, { nodes }: Scope): Json {
  const files = parts.get('files') ?? []
  const sum = (key: string): number => files.reduce((total, file) => total + Number(file[key] ?? 0), 0)
  const forks = parts.get('forks') ?? []
  const folded = parts.get('folded')?.length ?? 0
  return {
    files: files.length,
    bytes: sum('bytes'),
    rows: sum('rows'),
    entries: sum('entries'),
    blank: sum('blank'),
    damaged: sum('damaged'),
    continuation: sum('continuation'),
    joined: sum('joined'),
    pieces: sum('pieces'),
    nodes: nodes.size,
    placed: nodes.size - folded,
    folded,
    forks: forks.length,
    rewinds: forks.filter(fork => fork['kind'] === 'rewind').length,
  }
}
