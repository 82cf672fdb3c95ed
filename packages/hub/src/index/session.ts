/**
 * HU4: one user's view of the index: a connection with the tenant that every statement names. What is written is
 * collected and sent in batches, because a statement for each row would take twenty times as long; whatever is read
 * comes after what was written.
 */
import type { Row } from '@dagline/store'
import type { Cell, SyncConnection } from '../db/sync-connection.js'
import { type CellValue, copyLine, rowFrom } from './cells.js'

/** Tables that rows are collected for, with the columns in their order; before them stands the tenant. */
const COLUMNS = {
  index_file: 'audience, path, project, session, facts, state, diagnostics, bytes, archived, root, id',
  index_chunk: 'audience, file, row, node, rows',
  index_node: 'audience, id, uuid',
  index_message: 'audience, node, id, version, time, usage',
  index_call: 'audience, node, id, name',
  index_touched: 'audience, node, path, tool',
  index_text: 'audience, id, file, row, at, length, node, time, field, tool, failed, long, words',
  index_verdict: 'audience, first, last, owner, line, live, compacted',
  index_line:
    'audience, id, file_group, name, kind, status, session, agent, agent_name, branch, branch_status',
  index_session: 'audience, root, file_group, id, project, last, figures',
  index_group: 'audience, id, root, queue, diagnostics, agents, branches',
  index_undelivered: 'audience, file, row, file_group',
} as const

type CollectedTable = keyof typeof COLUMNS

/** Characters of rows for one table, after which they are sent. */
const BATCH = 1024 * 1024

/** Names the numbers of new rows, one after another. */
const SEQUENCES = { file: 'index_file_id', line: 'index_line_id' } as const

export interface PgSession {
  readonly tenant: number
  readonly connection: SyncConnection
  readonly begin: () => void
  readonly commit: () => void
  readonly rollback: () => void
  /** Reads rows, after all that was written. */
  readonly read: (sql: string, values?: readonly Cell[]) => readonly Row[]
  /** Changes rows, after all that was written. */
  readonly change: (sql: string, values?: readonly Cell[]) => void
  /** Adds a row to a table. */
  readonly add: (table: CollectedTable, cells: readonly CellValue[]) => void
  /** Adds a link key of a file, unless it has it. */
  readonly addKey: (audience: number, key: string, file: number) => void
  /** Changes the group of files, or other cells of one. */
  readonly updateFile: (id: number, cells: readonly CellValue[]) => void
  readonly setGroup: (files: readonly number[], group: number) => void
  /** The number of a new row. */
  readonly nextId: (what: keyof typeof SEQUENCES) => number
  readonly nextText: () => number
  readonly flush: () => void
}

/** Makes a session of a writer. */
export function openSession(connection: SyncConnection, tenant: number): PgSession {
  const batches = new Map<CollectedTable, string>()
  const keys = newKeys()
  const updates = new Map<number, readonly CellValue[]>()
  const groups = new Map<number, number>()
  let isInTransaction = false
  let hasTexts = false
  const sendBatch = (table: CollectedTable): void => {
    const rows = batches.get(table) ?? ''
    batches.delete(table)
    hasTexts ||= table === 'index_text'
    if (rows !== '') connection.copy(`COPY ${table} (tenant, ${COLUMNS[table]}) FROM STDIN`, rows)
  }
  const sendAll = (): void => {
    for (const table of batches.keys()) sendBatch(table)
    if (keys.key.length > 0) {
      connection.send(ADD_KEYS, [tenant, keys.audience, keys.key, keys.file])
      Object.assign(keys, newKeys())
    }
    if (updates.size > 0) connection.send(UPDATE_FILES, updateValues(tenant, updates))
    if (groups.size > 0) connection.send(SET_GROUPS, [tenant, [...groups.keys()], [...groups.values()]])
    updates.clear()
    groups.clear()
  }
  const isClean = (): boolean =>
    batches.size === 0 && keys.key.length === 0 && updates.size === 0 && groups.size === 0
  const flush = (): void => {
    if (isClean()) return
    // Also outside of a transaction, the rows of all tables are written together.
    if (!isInTransaction) connection.send('BEGIN')
    sendAll()
    if (!isInTransaction) connection.send('COMMIT')
    if (!isInTransaction) addLexemes()
  }
  const addLexemes = (): void => {
    if (hasTexts) connection.send(ADD_LEXEMES, [tenant])
    hasTexts = false
  }
  const discard = (): void => {
    batches.clear()
    updates.clear()
    groups.clear()
    Object.assign(keys, newKeys())
  }
  const sendIfLarge = (table: CollectedTable): void => {
    if ((batches.get(table)?.length ?? 0) < BATCH) return
    if (isInTransaction) sendBatch(table)
    else flush()
  }
  const read = (sql: string, values: readonly Cell[] = []): readonly Row[] => {
    flush()
    return connection.query(sql, values).map(rowFrom)
  }
  const ids = { file: numbersFrom(connection, SEQUENCES.file), line: numbersFrom(connection, SEQUENCES.line) }
  const texts = textNumbers(connection)
  return {
    tenant,
    connection,
    begin: () => {
      flush()
      connection.send('BEGIN')
      isInTransaction = true
    },
    commit: () => {
      flush()
      isInTransaction = false
      connection.query('COMMIT')
      addLexemes()
    },
    rollback: () => {
      discard()
      isInTransaction = false
      connection.rollback()
    },
    read,
    change: (sql, values = []) => {
      flush()
      connection.send(sql, values)
    },
    add: (table, cells) => {
      batches.set(table, (batches.get(table) ?? '') + copyLine([tenant, ...cells]))
      sendIfLarge(table)
    },
    addKey: (audience, key, file) => {
      keys.audience.push(audience)
      keys.key.push(key)
      keys.file.push(file)
    },
    updateFile: (id, cells) => updates.set(id, cells),
    setGroup: (files, group) => {
      for (const file of files) groups.set(file, group)
    },
    nextId: what => ids[what](),
    nextText: texts,
    flush,
  }
}

/** Puts the lexemes of new texts in their places (schema-index.ts), in the partition of the tenant. */
const ADD_LEXEMES = `SELECT gin_clean_pending_list(i.inhrelid) FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid
  WHERE i.inhparent = 'index_text_words'::regclass
  AND x.indrelid = (SELECT tableoid FROM index_text WHERE tenant = $1 LIMIT 1)`

interface Keys {
  audience: number[]
  key: string[]
  file: number[]
}

function newKeys(): Keys {
  return { audience: [], key: [], file: [] }
}

const ADD_KEYS = `INSERT INTO index_link_key (tenant, audience, key, file)
  SELECT $1, * FROM unnest($2::int[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING`

const UPDATE_FILES = `UPDATE index_file f SET path = u.path, project = u.project, session = u.session, facts = u.facts,
    state = u.state, diagnostics = u.diagnostics, bytes = u.bytes, archived = u.archived
  FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::boolean[])
    AS u(id, path, project, session, facts, state, diagnostics, bytes, archived)
  WHERE f.tenant = $1 AND f.id = u.id`

function updateValues(tenant: number, updates: ReadonlyMap<number, readonly CellValue[]>): readonly Cell[] {
  const rows = [...updates.values()]
  const columns = Array.from({ length: 8 }, (_, at) =>
    rows.map(cells => {
      const cell = cells[at] ?? null
      return typeof cell === 'boolean' ? String(cell) : cell
    }),
  )
  return [tenant, [...updates.keys()], ...columns]
}

const SET_GROUPS = `UPDATE index_file f SET file_group = u.file_group
  FROM unnest($2::bigint[], $3::bigint[]) AS u(id, file_group)
  WHERE f.tenant = $1 AND f.id = u.id AND f.file_group IS DISTINCT FROM u.file_group`

/** At most so many numbers are taken ahead. */
const MOST_AHEAD = 256

/** Takes numbers of a sequence ahead, more of them each time: a number that is not used is lost. */
function numbersFrom(connection: SyncConnection, sequence: string): () => number {
  let ahead: number[] = []
  let count = 1
  return () => {
    if (ahead.length === 0) {
      const sql = `SELECT nextval('${sequence}') AS id FROM generate_series(1, ${count})`
      ahead = connection.query(sql).map(({ id }) => Number(id))
      count = Math.min(count * 2, MOST_AHEAD)
    }
    return ahead.shift() ?? 0
  }
}

/** The sequence counts by as many. */
const TEXTS_AHEAD = 1000

function textNumbers(connection: SyncConnection): () => number {
  let next = 0
  let end = 0
  return () => {
    if (next === end) {
      next = Number(connection.query("SELECT nextval('index_text_id') AS id")[0]?.['id'])
      end = next + TEXTS_AHEAD
    }
    return next++
  }
}
