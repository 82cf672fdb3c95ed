/**
 * Everything an index says, without its own numbers: two indexes of the same files say the same, however they came to
 * be. Numbers of files, nodes, texts and lines depend on the order in which things were added; groups on what the
 * files had in common before.
 */
import { type Database, openDatabase, type Row } from '../src/db/driver.js'
import type { FoundText, IndexStore, KnownFile, QueueFact } from '../src/db/index-store.js'

/** What any kind of index says when it is asked. */
export function dumpAnswers(index: IndexStore, root: number): object {
  return {
    files: index.files(root).map(file => dumpFile(index, file)),
    texts: sorted(index.find([], { roots: [root] }, Number.MAX_SAFE_INTEGER).map(dumpText)),
    total: index.count([], { roots: [root] }),
    sessions: sorted(index.sessions([root])),
    agents: sorted(index.agents([root])),
    branches: sorted(index.branches([root])),
    touches: sorted(index.touches([root])),
    groupTouches: sorted(groupsIn(index, root).flatMap(group => index.groupTouches(group))),
    usage: sorted(index.usage([root])),
    diagnostics: sorted(index.diagnostics([root])),
  }
}

function groupsIn(index: IndexStore, root: number): readonly number[] {
  return [...new Set(index.files(root).flatMap(({ group }) => group ?? []))]
}

function dumpFile(index: IndexStore, { id, group, state, ...file }: KnownFile): object {
  return {
    ...file,
    isJudged: group !== null,
    state: state && { ...state, inode: 0 },
    rows: [...index.rowsOf(id)],
  }
}

function dumpText({ text, file, ...rest }: FoundText): object {
  return rest
}

/** What stands in the tables of an index file, beyond what can be asked for. */
export function dumpTables(path: string): object {
  const db = openDatabase(path, { readOnly: true })
  try {
    const nodes = db.prepare(NODES).all().map(dumpNode)
    return {
      nodes: sorted(nodes),
      lines: sorted(
        db
          .prepare('SELECT * FROM line')
          .all()
          .map(({ id, file_group, ...line }) => line),
      ),
      queue: sorted(queueOf(db)),
      sessions: sorted(db.prepare('SELECT figures FROM session').all()),
      calls: sorted(db.prepare(tableOf('call', 'x.id, x.name')).all()),
      touched: sorted(db.prepare(tableOf('touched', 'x.path AS touched, x.tool')).all()),
      words: sorted(db.prepare(WORDS).all()),
    }
  } finally {
    db.close()
  }
}

/** Each node with its verdict. */
const NODES = `SELECT f.path, n.id & 67108863 AS nth, n.uuid, o.uuid AS owner, p.path AS owner_file,
  v.owner + (n.id - v.first) AS owner_id, v.live, v.compacted, l.name AS line
  FROM node n JOIN file f ON f.id = n.id >> 26
  LEFT JOIN verdict v ON v.first = (SELECT max(first) FROM verdict WHERE first <= n.id) AND v.last >= n.id
  LEFT JOIN line l ON l.id = v.line LEFT JOIN node o ON o.id = v.owner + (n.id - v.first)
  LEFT JOIN file p ON p.id = o.id >> 26`

/** Texts that no file has, and words that no text has, would show here. */
const WORDS = `SELECT f.path, t.row, t.field, w.rowid IS NOT NULL AS has_words FROM text t
  LEFT JOIN file f ON f.id = t.file LEFT JOIN words w ON w.rowid = t.id
  UNION ALL SELECT 'stray words', w.rowid, 0, 0 FROM words w WHERE w.rowid NOT IN (SELECT id FROM text)`

function tableOf(table: string, cells: string): string {
  return `SELECT f.path, x.node & 67108863 AS nth, ${cells} FROM ${table} x LEFT JOIN file f ON f.id = x.node >> 26`
}

function dumpNode({ owner_id, ...node }: Row): object {
  return node
}

function queueOf(db: Database): readonly object[] {
  const paths = new Map(
    db
      .prepare('SELECT id, path FROM file')
      .all()
      .map(row => [Number(row['id']), row['path']]),
  )
  return db
    .prepare('SELECT queue FROM file_group')
    .all()
    .flatMap(({ queue }) => {
      const steps: readonly QueueFact[] = JSON.parse(String(queue))
      return steps.map(({ file, ...step }) => ({ ...step, path: paths.get(file) }))
    })
}

/** What an index says of each node, by uuid: on which line, and whether some sighting of it is live. */
export interface NodeVerdict {
  readonly line: string | null
  readonly live: boolean
  /** The file that owns it. */
  readonly owner: string | null
}

/** The verdicts of an index file, by uuid. */
export function verdictsIn(path: string): ReadonlyMap<string, NodeVerdict> {
  const db = openDatabase(path, { readOnly: true })
  const verdicts = new Map<string, NodeVerdict>()
  try {
    for (const { uuid, line, live, owner_file } of db.prepare(NODES).all()) {
      const known = verdicts.get(String(uuid))
      verdicts.set(String(uuid), {
        line: line == null ? null : String(line),
        live: live === 1 || known?.live === true,
        owner: owner_file == null ? null : String(owner_file),
      })
    }
    return verdicts
  } finally {
    db.close()
  }
}

/** In an order that does not depend on the one they came in; fields by name. */
function sorted(items: readonly unknown[]): readonly string[] {
  return items.map(item => JSON.stringify(item, byName)).sort()
}

function byName(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
