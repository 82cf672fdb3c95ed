/** What is asked of the index in SQLite, beside texts. */
import type { Database } from './driver.js'
import type { IndexStore } from './index-store.js'
import { marks, textOrNull } from './sqlite-texts.js'
import { readGroupTouches, readTouches } from './sqlite-touches.js'
import { readGroupUsage, readMessages, readUsage } from './sqlite-usage.js'

type Queries = Pick<
  IndexStore,
  | ('sessions' | 'agents' | 'branches' | 'touches' | 'diagnostics' | 'locate')
  | ('usage' | 'groupUsage' | 'groupTouches' | 'messages')
>

/** The part of the index that answers. */
export function openQueries(db: Database): Queries {
  return {
    sessions: roots =>
      db
        .prepare(`SELECT figures FROM session ${inRoots(roots)} ORDER BY last DESC, id`)
        .all(...(roots ?? []))
        .map(({ figures }) => JSON.parse(String(figures))),
    agents: roots => fromGroups(db, 'agents', roots).flatMap(json => JSON.parse(json)),
    branches: roots => fromGroups(db, 'branches', roots).flatMap(json => JSON.parse(json)),
    touches: roots => readTouches(db, roots),
    groupTouches: group => readGroupTouches(db, group),
    usage: roots => readUsage(db, roots),
    groupUsage: group => readGroupUsage(db, group),
    messages: files => readMessages(db, files),
    locate: (what, start, most = 100) =>
      db
        .prepare(LOCATE[what])
        .all(start, `${start}\uffff`, most)
        .map(row => ({
          id: String(row['id']),
          root: Number(row['root']),
          path: String(row['path']),
          session: textOrNull(row['session']),
          isArchived: row['archived'] === 1,
        })),

    diagnostics: roots => fromGroups(db, 'diagnostics', roots).flatMap(json => JSON.parse(json)),
  }
}

const LOCATE = {
  uuid: `SELECT n.uuid AS id, f.root, f.path, f.session, f.archived FROM node n JOIN file f ON f.id = n.id >> 26
    WHERE n.uuid >= ? AND n.uuid < ? LIMIT ?`,
  // Sessions that rows name are link keys (link-keys.ts).
  session: `SELECT substr(k.key, 3) AS id, f.root, f.path, f.session, f.archived FROM link_key k
    JOIN file f ON f.id = k.file WHERE k.key >= 's ' || ? AND k.key < 's ' || ? LIMIT ?`,
} as const

/** A cell of every group of some roots that is not an empty list. */
function fromGroups(db: Database, cell: string, roots: readonly number[] | undefined): readonly string[] {
  const where = roots === undefined ? '' : `AND root IN (${marks(roots)})`
  const sql = `SELECT ${cell} AS cell FROM file_group WHERE ${cell} <> '[]' ${where} ORDER BY id`
  return db
    .prepare(sql)
    .all(...(roots ?? []))
    .map(row => String(row['cell']))
}

function inRoots(roots: readonly number[] | undefined): string {
  return roots === undefined
    ? ''
    : `WHERE file_group IN (SELECT id FROM file_group WHERE root IN (${marks(roots)}))`
}
