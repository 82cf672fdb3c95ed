/** What is asked of the index in SQLite, beside texts. */
import type { Database } from './driver.js'
import type { IndexStore } from './index-store.js'
import { marks, textOrNull } from './sqlite-texts.js'
import { readGroupUsage, readMessages, readUsage } from './sqlite-usage.js'

type Queries = Pick<IndexStore, 'sessions' | 'usage' | 'groupUsage' | 'messages' | 'diagnostics' | 'locate'>

/** The part of the index that answers. */
export function openQueries(db: Database): Queries {
  return {
    sessions: roots =>
      db
        .prepare(`SELECT figures FROM session ${inRoots(roots)} ORDER BY last DESC, id`)
        .all(...(roots ?? []))
        .map(({ figures }) => JSON.parse(String(figures))),
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

    diagnostics: roots =>
      db
        .prepare(
          `SELECT diagnostics FROM file_group ${roots === undefined ? '' : `WHERE root IN (${marks(roots)})`}`,
        )
        .all(...(roots ?? []))
        .flatMap(({ diagnostics }) => JSON.parse(String(diagnostics))),
  }
}

const LOCATE = {
  uuid: `SELECT n.uuid AS id, f.root, f.path, f.session, f.archived FROM node n JOIN file f ON f.id = n.id >> 26
    WHERE n.uuid >= ? AND n.uuid < ? LIMIT ?`,
  // Sessions that rows name are link keys (link-keys.ts).
  session: `SELECT substr(k.key, 3) AS id, f.root, f.path, f.session, f.archived FROM link_key k
    JOIN file f ON f.id = k.file WHERE k.key >= 's ' || ? AND k.key < 's ' || ? LIMIT ?`,
} as const

function inRoots(roots: readonly number[] | undefined): string {
  return roots === undefined
    ? ''
    : `WHERE file_group IN (SELECT id FROM file_group WHERE root IN (${marks(roots)}))`
}
