/** I12: kept answers in PostgreSQL. The index does not interpret them: the `basis` of a value tells its keeper whether it is still valid. */
import { pushTo } from '@dagline/core/model'
import type { IndexStore, SessionFact } from '@dagline/store'
import { keepable } from './cells.js'
import { NOBODY } from './group-audiences.js'
import type { PgSession } from './session.js'

type Answers = Pick<
  IndexStore,
  | ('grouping' | 'groupSessions' | 'answers' | 'unanswered' | 'keepAnswer')
  | ('parseKept' | 'rootAnswer' | 'keepRootAnswer')
>

/** The part of the index that keeps what commands computed. */
export function openAnswers(pg: PgSession): Answers {
  const { tenant } = pg
  return {
    grouping: root =>
      pg
        .read(
          `SELECT path, file_group, archived, state IS NOT NULL AS is_read FROM index_file
            WHERE tenant = $1 AND root = $2 ORDER BY path`,
          [tenant, root],
        )
        .map(({ path, file_group, archived, is_read }) => ({
          path: String(path),
          group: file_group == null ? null : Number(file_group),
          isArchived: archived === 1,
          isRead: is_read === 1,
        })),
    groupSessions: root => {
      const sessions = new Map<number, SessionFact[]>()
      const sql = `SELECT s.file_group, s.figures FROM index_session s WHERE s.tenant = $1 AND s.root = $2 ORDER BY s.file_group`
      for (const { file_group, figures } of pg.read(sql, [tenant, root]))
        pushTo(sessions, Number(file_group), JSON.parse(String(figures)))
      return sessions
    },
    answers: (root, kind) =>
      pg
        .read(
          `SELECT a.file_group, a.part, a.basis, a.value FROM index_answer a WHERE a.tenant = $1 AND a.kind = $3
            AND a.file_group IN (SELECT id FROM index_group WHERE tenant = $1 AND root = $2)
            ORDER BY a.file_group, a.part`,
          [tenant, root, kind],
        )
        .map(({ file_group, part, basis, value }) => ({
          group: Number(file_group),
          part: String(part),
          basis: String(basis),
          value: String(value),
        })),
    unanswered: (root, kind, basis) =>
      pg
        .read(
          `SELECT DISTINCT g.id FROM index_group g WHERE g.tenant = $1 AND g.root = $2 AND NOT EXISTS (
            SELECT 1 FROM index_answer a WHERE a.tenant = $1 AND a.file_group = g.id AND a.kind = $3 AND a.part = '' AND a.basis = $4
          ) ORDER BY g.id`,
          [tenant, root, kind, keepable(basis)],
        )
        .map(({ id }) => Number(id)),
    keepAnswer: (kind, { group, part, basis, value }) => {
      pg.change(KEEP, [tenant, group, kind, keepable(part), keepable(basis), keepable(value), NOBODY])
    },
    parseKept: value => JSON.parse(value),
    rootAnswer: (root, kind) => {
      const sql = 'SELECT basis, value FROM index_root_answer WHERE tenant = $1 AND root = $2 AND kind = $3'
      const [row] = pg.read(sql, [tenant, root, kind])
      return row === undefined ? null : { basis: String(row['basis']), value: String(row['value']) }
    },
    keepRootAnswer: (root, kind, { basis, value }) => {
      pg.change(
        `INSERT INTO index_root_answer (tenant, root, kind, basis, value) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (tenant, root, kind) DO UPDATE SET basis = excluded.basis, value = excluded.value`,
        [tenant, root, kind, keepable(basis), keepable(value)],
      )
    },
  }
}

/** Where the files of a group have several audiences, no reader sees its answers: each computes its own. */
const KEEP = `INSERT INTO index_answer (tenant, file_group, kind, part, basis, value, audience)
  SELECT $1, $2, $3, $4, $5, $6, CASE WHEN min(audience) = max(audience) THEN min(audience) ELSE $7 END
  FROM index_group WHERE tenant = $1 AND id = $2
  ON CONFLICT (tenant, file_group, kind, part)
  DO UPDATE SET basis = excluded.basis, value = excluded.value, audience = excluded.audience`

/** Removes the answers for a group, and what they were added up to. */
export function dropAnswers(pg: PgSession, group: number): void {
  const sums = `SELECT g.root, a.kind FROM index_answer a JOIN index_group g ON g.tenant = $1 AND g.id = a.file_group
    WHERE a.tenant = $1 AND a.file_group = $2`
  pg.change(`DELETE FROM index_root_answer WHERE tenant = $1 AND (root, kind) IN (${sums})`, [
    pg.tenant,
    group,
  ])
  pg.change('DELETE FROM index_answer WHERE tenant = $1 AND file_group = $2', [pg.tenant, group])
}
