/** The index in SQLite. */
import type { OpenOptions } from './driver.js'
import type { IndexStore } from './index-store.js'
import { openIndexDatabase } from './schema.js'
import { openFacts } from './sqlite-facts.js'
import { openQueries } from './sqlite-queries.js'
import { saveJudgement, sweepFamilies } from './sqlite-verdicts.js'

/** Opens an index file, and makes it where there is none. Throws `StoreFailure`. */
export function openIndex(path: string, options: OpenOptions = {}): IndexStore {
  const db = openIndexDatabase(path, options)
  return {
    ...openFacts(db),
    ...openQueries(db),
    begin: () => db.exec('BEGIN IMMEDIATE'),
    commit: () => db.exec('COMMIT'),
    rollback: () => db.rollback(),
    release: family => {
      db.prepare('UPDATE file SET family = NULL WHERE family = ?').run(family)
    },
    judge: judgement => saveJudgement(db, judgement),
    sweep: () => sweepFamilies(db),
    statements: () => db.statements(),
    close: () => db.close(),
  }
}
