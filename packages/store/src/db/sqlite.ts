/** The index in SQLite. */
import { checkPages, DamagedIndex, damageOf, withErrors } from './damage.js'
import { type Database, makeFile, type OpenOptions } from './driver.js'
import type { IndexStore } from './index-store.js'
import { beginSums, followPages, type Pages, sizeOf } from './page-sums.js'
import { INDEX_VERSION, markedVersion, openIndexDatabase } from './schema.js'
import { dropAnswers, openAnswers } from './sqlite-answers.js'
import { openFacts } from './sqlite-facts.js'
import { openQueries } from './sqlite-queries.js'
import { openTexts } from './sqlite-texts.js'
import { saveJudgement, sweepGroups } from './sqlite-verdicts.js'
import { openVocabulary } from './vocabulary.js'

/** Opens an index file, and makes it where there is none. Throws `StoreError`, `DamagedIndex` where it must be made again. */
export function openIndex(path: string, options: OpenOptions = {}): IndexStore {
  const isWriter = options.readOnly !== true && path !== ':memory:'
  try {
    if (isWriter) makeFile(path)
    const isThere = sizeOf(path) > 0
    const isUnknown = isThere && checkPages(path, isWriter)
    const isMade = !isThere || (markedVersion(path) ?? INDEX_VERSION) < INDEX_VERSION
    if (isWriter && isMade) beginSums(path, INDEX_VERSION)
    const db = openIndexDatabase(path, options)
    if (isUnknown) checkStructure(db)
    const index = storeIn(db, isWriter ? pagesOf(db) : null)
    return withErrors(index, error => damageOf(error, path))
  } catch (error) {
    throw damageOf(error, path)
  }
}

/** For an index without checksums, as a process leaves it that was killed while it made it. */
function checkStructure(db: Database): void {
  const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
  if (found === 'ok') return
  db.close()
  throw new DamagedIndex(db.path)
}

function pagesOf(db: Database): Pages {
  return followPages(db.path, INDEX_VERSION, () => db.exec('PRAGMA wal_checkpoint(PASSIVE)'))
}

function storeIn(db: Database, pages: Pages | null): IndexStore {
  return {
    ...openFacts(db),
    ...openQueries(db),
    ...openAnswers(db),
    ...openTexts(db),
    ...openVocabulary(db),
    begin: () => db.exec('BEGIN IMMEDIATE'),
    commit: () => {
      db.exec('COMMIT')
      pages?.afterCommit()
    },
    rollback: () => db.rollback(),
    release: group => {
      db.prepare('UPDATE file SET file_group = NULL WHERE file_group = ?').run(group)
      dropAnswers(db, group)
    },
    judge: judgement => saveJudgement(db, judgement),
    sweep: () => sweepGroups(db),
    statements: () => db.statements(),
    close: () => {
      const closed = pages?.beforeClose()
      db.close()
      closed?.()
    },
  }
}
