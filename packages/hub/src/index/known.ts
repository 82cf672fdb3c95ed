/** What a writer of the index remembers of files, so that verdicts and audiences need no further queries. */
import type { FileDraft, Row } from '@dagline/store'
import { textOrNull } from '@dagline/store'
import type { PgSession } from './session.js'

/** Who may see a file, and how the graph names it. */
export interface KnownFacts {
  readonly audience: number
  readonly root: number
  readonly path: string
  readonly session: string | null
}

export interface Known {
  /** Roots that this writer has named or changed. */
  readonly roots: Set<number>
  readonly of: (file: number) => KnownFacts
  /** Notes a file from the cells of its row. */
  readonly note: (file: number, row: Row) => void
  readonly add: (file: number, root: number, draft: FileDraft) => KnownFacts
  readonly change: (file: number, draft: FileDraft) => void
  readonly remove: (file: number) => void
  /** Whether files were added by this writer, and not judged since: there are no verdicts on them. */
  readonly areFresh: (files: readonly number[]) => boolean
  readonly setJudged: (files: readonly number[]) => void
  /** Keeps other writers away from a root. */
  readonly lock: (root: number) => void
  readonly unlock: () => void
  /** Drops what was noted, after a rollback. */
  readonly forget: () => void
}

/** HU5: who may see a file, by its path below the root. */
export type AudienceOf = (path: string) => number

export function openKnown(pg: PgSession, audienceOf: AudienceOf): Known {
  const files = new Map<number, KnownFacts>()
  const fresh = new Set<number>()
  const roots = new Set<number>()
  const locked = new Set<number>()
  const note = (file: number, row: Row): KnownFacts => {
    const facts = factsIn(row)
    files.set(file, facts)
    return facts
  }
  const find = (file: number): KnownFacts => {
    const sql = 'SELECT audience, root, path, session FROM index_file WHERE tenant = $1 AND id = $2'
    const [row] = pg.read(sql, [pg.tenant, file])
    return row === undefined ? UNKNOWN : note(file, row)
  }
  return {
    roots,
    of: file => files.get(file) ?? find(file),
    note,
    add: (file, root, { path, facts }) => {
      const known = { audience: audienceOf(path), root, path, session: facts.session }
      files.set(file, known)
      fresh.add(file)
      return known
    },
    change: (file, { path, facts }) => {
      const known = files.get(file) ?? find(file)
      files.set(file, { ...known, path, session: facts.session })
    },
    remove: file => {
      files.delete(file)
      fresh.delete(file)
    },
    areFresh: ids => ids.every(id => fresh.has(id)),
    setJudged: ids => {
      for (const id of ids) fresh.delete(id)
    },
    lock: root => {
      if (locked.has(root)) return
      pg.read('SELECT pg_advisory_lock($1, $2)', lockOf(pg.tenant, root))
      locked.add(root)
    },
    unlock: () => {
      for (const root of locked) pg.read('SELECT pg_advisory_unlock($1, $2)', lockOf(pg.tenant, root))
      locked.clear()
    },
    forget: () => {
      files.clear()
      fresh.clear()
    },
  }
}

/** What is known of a file that is not in the index. */
export const UNKNOWN: KnownFacts = { audience: 0, root: -1, path: '', session: null }

/** What the cells of a file's row say. */
export function factsIn(row: Row): KnownFacts {
  return {
    audience: Number(row['audience']),
    root: Number(row['root']),
    path: String(row['path']),
    session: textOrNull(row['session']),
  }
}

/** The lock of a root: two numbers of 32 bits; the first one tells these locks from those of other uses. */
export function lockOf(tenant: number, root: number): readonly number[] {
  return [-1 - tenant, root]
}
