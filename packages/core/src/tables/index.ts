/** Tables for SQL: their definitions, and the rows of a file group. */
import { CONTENTS } from './contents.js'
import { BRANCHES, COMPACTIONS, FORKS, QUEUE, SUBAGENTS } from './lines.js'
import { FILES, MESSAGES, TOOL_CALLS, USAGE } from './messages.js'
import { MEMBERSHIP, NODES } from './nodes.js'
import { DIAGNOSTICS, SESSIONS, TRANSCRIPTS } from './sessions.js'
import type { Table } from './table.js'

export {
  openTables,
  type TableContext,
  type TabulatedSession,
  tablesOfPart,
} from './context.js'
export {
  type Cell,
  type Column,
  type ColumnType,
  PARTITION_COLUMNS,
  type Table,
  type TableRow,
} from './table.js'

/** Y1: every table, in the order of docs/TABLES.md. */
export const TABLES: readonly Table[] = [
  SESSIONS,
  NODES,
  MESSAGES,
  TOOL_CALLS,
  USAGE,
  FORKS,
  BRANCHES,
  SUBAGENTS,
  COMPACTIONS,
  QUEUE,
  FILES,
  DIAGNOSTICS,
  MEMBERSHIP,
  TRANSCRIPTS,
]

/** Y9: the tables of an exported session, which has what its entries say, too. */
export const SESSION_TABLES: readonly Table[] = [...TABLES, CONTENTS]
