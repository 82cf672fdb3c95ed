/**
 * Y2: where the rows of tables come from. They are made of one file group at a time, from the rows that the index keeps: memory
 * is bounded by the largest group, and a group whose files are unchanged is not looked at again.
 */
import { type Graph, startGraph } from '@dagline/core'
import { mergeRows, pricesBasis, type UsageRow } from '@dagline/core/measure'
import { groupBy, lazily } from '@dagline/core/model'
import { openTables, TABLES, type Table, type TableContext, type TableRow } from '@dagline/core/tables'
import type { IndexStore, KnownFile, SessionFact } from '@dagline/store'
import { codeVersion, hashBasis } from '../graphs/answers.js'
import { addGroup } from '../graphs/indexed.js'
import { currentPrices } from '../host/prices.js'
import type { Indexed } from '../index/open.js'

/** A file group, and what its rows depend on. */
export interface TableGroup {
  /** Differs wherever the rows may differ. */
  readonly basis: string
  /** The projects that its transcripts are in. */
  readonly projects: ReadonlySet<string>
  readonly bytes: number
  /** Makes the rows of all tables, one table after the other. */
  readonly rows: () => Generator<{ readonly table: Table; readonly row: TableRow }>
}

/** The file groups of all roots of an index. */
export function tableGroups({ index, found }: Pick<Indexed, 'index' | 'found'>): readonly TableGroup[] {
  const roots = found.flatMap(({ root }) => {
    const id = index.findRoot(root)
    return id === null ? [] : [{ id, root }]
  })
  const general = [codeVersion(), pricesBasis(currentPrices())]
  const groups = roots.flatMap(root => groupsOf(index, root))
  const counted = countOnce(index, groups)
  return groups.map(group => {
    const { root, files } = group
    const own = counted.get(group.group)
    const states = files.map(({ path, bytes, state, facts, diagnostics, isArchived }) => {
      // The number of a file on its disk changes with every copy of it, and its rows do not.
      const { inode: _, ...read } = { inode: 0, ...state }
      return [path, bytes, read, facts, diagnostics, isArchived]
    })
    return {
      basis: hashBasis([general, root, states, own === undefined ? [] : [...own]]),
      projects: new Set(files.map(({ project }) => project)),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      rows: () => rowsOf(contextOf(index, group, own)),
    }
  })
}

interface GroupOfRoot {
  readonly group: number
  readonly root: string
  readonly files: readonly KnownFile[]
  readonly sessions: () => readonly SessionFact[]
}

function groupsOf(
  index: IndexStore,
  { id, root }: { readonly id: number; readonly root: string },
): readonly GroupOfRoot[] {
  const sessions = lazily(() => index.groupSessions(id))
  return [...groupBy(index.files(id), ({ group }) => group)].flatMap(([group, files]) =>
    group === null ? [] : [{ group, root, files, sessions: () => sessions().get(group) ?? [] }],
  )
}

/** What counts for a message that several groups have: its row, or null where another group has it. */
type Counted = ReadonlyMap<string, UsageRow | null>

/**
 * T3: two roots may hold the same messages, which count once. Within a root a message is in one group only, because its id is a
 * link key (I3).
 */
function countOnce(index: IndexStore, groups: readonly GroupOfRoot[]): ReadonlyMap<number, Counted> {
  if (new Set(groups.map(({ root }) => root)).size < 2) return new Map()
  const holders = new Map<string, { readonly group: number; readonly row: UsageRow }[]>()
  for (const { group } of groups)
    for (const row of index.groupUsage(group)) {
      const known = holders.get(row.message)
      if (known === undefined) holders.set(row.message, [{ group, row }])
      else known.push({ group, row })
    }
  const counted = new Map<number, Map<string, UsageRow | null>>()
  const set = (group: number, message: string, row: UsageRow | null): void => {
    counted.set(group, (counted.get(group) ?? new Map()).set(message, row))
  }
  for (const [message, all] of holders) {
    if (all.length < 2) continue
    const merged = all.map(({ row }) => row).reduce(mergeRows)
    const owner = all.find(({ row }) => isSameOwner(row, merged)) ?? all[0]
    for (const { group } of all) set(group, message, group === owner?.group ? merged : null)
  }
  return counted
}

function isSameOwner(a: UsageRow, b: UsageRow): boolean {
  return a.project === b.project && a.session === b.session && a.line === b.line
}

function contextOf(
  index: IndexStore,
  { root, group, files, sessions }: GroupOfRoot,
  counted: Counted | undefined,
): TableContext {
  const graph = graphOf(index, files)
  const usage = index.groupUsage(group)
  return openTables({
    prices: currentPrices(),
    graph,
    root,
    files: new Map(files.map(({ path, project, isArchived }) => [path, { project, isArchived }])),
    sessions: sessions(),
    usage: counted === undefined ? usage : usage.flatMap(row => countedRow(counted, row)),
    touches: index.groupTouches(group),
    diagnostics: [...files.flatMap(file => file.diagnostics), ...graph.diagnostics()],
  })
}

function countedRow(counted: Counted, row: UsageRow): readonly UsageRow[] {
  const known = counted.get(row.message)
  if (known === undefined) return [row]
  return known === null ? [] : [known]
}

function graphOf(index: IndexStore, files: readonly KnownFile[]): Graph {
  const builder = startGraph()
  for (const _ of addGroup(builder, index, files));
  return builder.build()
}

function* rowsOf(context: TableContext): Generator<{ readonly table: Table; readonly row: TableRow }> {
  for (const table of TABLES) for (const row of table.rows(context)) yield { table, row }
}
