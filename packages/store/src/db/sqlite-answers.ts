/** I12: kept answers in SQLite. The index does not look into them: who keeps a value also says when it counts. */

import { pushTo } from '@dagline/core/model'
import type { Database } from './driver.js'
import type { IndexStore, SessionFact } from './index-store.js'

type Answers = Pick<
  IndexStore,
  | ('grouping' | 'groupSessions' | 'answers' | 'unanswered' | 'keepAnswer')
  | ('parseKept' | 'rootAnswer' | 'keepRootAnswer')
>

/** The part of the index that keeps what commands computed. */
export function openAnswers(db: Database): Answers {
  return {
    grouping: root =>
      db
        .prepare(
          'SELECT path, file_group, archived, state IS NOT NULL AS is_read FROM file WHERE root = ? ORDER BY path',
        )
        .all(root)
        .map(({ path, file_group, archived, is_read }) => ({
          path: String(path),
          group: file_group == null ? null : Number(file_group),
          isArchived: archived === 1,
          isRead: is_read === 1,
        })),
    groupSessions: root => {
      const sessions = new Map<number, SessionFact[]>()
      const sql = `SELECT s.file_group, s.figures FROM file_group g
        CROSS JOIN session s ON s.file_group = g.id WHERE g.root = ?`
      for (const { file_group, figures } of db.prepare(sql).each(root))
        pushTo(sessions, Number(file_group), JSON.parse(String(figures)))
      return sessions
    },
    answers: function* (root, kind) {
      const sql = `SELECT a.file_group, a.part, a.basis, a.value FROM file_group g
        CROSS JOIN answer a ON a.file_group = g.id AND a.kind = ? WHERE g.root = ?`
      for (const { file_group, part, basis, value } of db.prepare(sql).each(kind, root))
        yield {
          group: Number(file_group),
          part: String(part),
          basis: String(basis),
          value: String(value),
        }
    },
    unanswered: (root, kind, basis) => {
      // Group by group: answers are large, and all others would be looked at, too.
      const answered = `SELECT 1 FROM answer a
        WHERE a.file_group = g.id AND a.kind = ? AND a.part = '' AND a.basis = ?`
      const sql = `SELECT id FROM file_group g WHERE root = ? AND NOT EXISTS (${answered}) ORDER BY id`
      return db
        .prepare(sql)
        .all(root, kind, basis)
        .map(({ id }) => Number(id))
    },
    keepAnswer: (kind, { group, part, basis, value }) => {
      const sql =
        'INSERT OR REPLACE INTO answer (file_group, kind, part, basis, value) VALUES (?, ?, ?, ?, ?)'
      db.prepare(sql).run(group, kind, part, basis, value)
    },
    parseKept: value => JSON.parse(value),
    rootAnswer: (root, kind) => {
      const sql = 'SELECT basis, value FROM root_answer WHERE root = ? AND kind = ?'
      const row = db.prepare(sql).get(root, kind)
      return row === undefined ? null : { basis: String(row['basis']), value: String(row['value']) }
    },
    keepRootAnswer: (root, kind, { basis, value }) => {
      const sql = 'INSERT OR REPLACE INTO root_answer (root, kind, basis, value) VALUES (?, ?, ?, ?)'
      db.prepare(sql).run(root, kind, basis, value)
    },
  }
}

/** Removes the answers for a group, and what they were added up to. */
export function dropAnswers(db: Database, group: number): void {
  const sums = `SELECT g.root, a.kind FROM answer a JOIN file_group g ON g.id = a.file_group WHERE g.id = ?`
  db.prepare(`DELETE FROM root_answer WHERE (root, kind) IN (${sums})`).run(group)
  db.prepare('DELETE FROM answer WHERE file_group = ?').run(group)
}
