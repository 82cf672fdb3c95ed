/** The index in SQLite. */
import type { OpenOptions } from './driver.js'
import type { IndexStore } from './index-store.js'
import { openIndexDatabase } from './schema.js'
import { dropAnswers, openAnswers } from './sqlite-answers.js'
import { openFacts } from './sqlite-facts.js'
import { openQueries } from './sqlite-queries.js'
import { openTexts } from './sqlite-texts.js'
import { saveJudgement, sweepGroups } from './sqlite-verdicts.js'

/** Opens an index file, and makes it where there is none. Throws `StoreError`. */
export function openIndex(path: string, options: OpenOptions = {}): IndexStore {
  const db = openIndexDatabase(path, options)
  return {
    ...openFacts(db),
    ...openQueries(db),
    ...openAnswers(db),
    ...openTexts(db),
    begin: () => db.exec('BEGIN IMMEDIATE'),
    commit: () => db.exec('COMMIT'),
    rollback: () => db.rollback(),
    release: group => {
      db.prepare('UPDATE file SET file_group = NULL WHERE file_group = ?').run(group)
      dropAnswers(db, group)
    },
    judge: judgement => saveJudgement(db, judgement),
    sweep: () => sweepGroups(db),
    statements: () => db.statements(),
    close: () => db.close(),
  }
}
