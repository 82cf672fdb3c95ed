/** HU4, HU73: the index of a tenant in PostgreSQL: for the judge, who writes it, and for readers. */
import type { IndexStore } from '@dagline/store'
import type { SyncConnection } from '../db/sync-connection.js'
import { dropAnswers, openAnswers } from './answers.js'
import { asPerson, becomeOwner, type ReaderOptions } from './as-person.js'
import { openFacts } from './facts.js'
import { type AudienceOf, openKnown } from './known.js'
import { openQueries } from './queries.js'
import { openSession, type PgSession } from './session.js'
import { openTexts } from './texts.js'
import { saveJudgement, sweepGroups } from './verdicts.js'
import { keptVocabulary } from './vocabulary.js'

interface PgIndexOptions {
  readonly tenant: number
  /** Who may see a file, by its path below the root: asked once, when the file is new. */
  readonly audienceOf: AudienceOf
}

/**
 * The index of a tenant, to be written. The connection is not to be used for anything else until the index is closed; closing the index
 * releases the locks of its roots and leaves the connection open.
 */
export function openPgIndex(connection: SyncConnection, { tenant, audienceOf }: PgIndexOptions): IndexStore {
  becomeOwner(connection)
  const pg = openSession(connection, tenant)
  const known = openKnown(pg, audienceOf)
  return {
    ...indexOf(pg, { isReader: false, facts: openFacts(pg, known) }),
    rollback: () => {
      pg.rollback()
      known.forget()
    },
    release: group => {
      pg.change('UPDATE index_file SET file_group = NULL WHERE tenant = $1 AND file_group = $2', [
        tenant,
        group,
      ])
      dropAnswers(pg, group)
    },
    judge: judgement => saveJudgement(pg, known, judgement),
    sweep: () => sweepGroups(pg, [...known.roots]),
    close: () => {
      pg.flush()
      known.unlock()
    },
  }
}

/**
 * The index as a person may see it: every statement runs in the role of readers, under row-level security. Reading it never writes.
 * The connection may serve others in between.
 */
export function openPgReader(connection: SyncConnection, options: ReaderOptions): IndexStore {
  const { tenant, person } = options
  const pg = openSession(asPerson(connection, options), tenant)
  const known = openKnown(pg, () => 0)
  const no = (): never => {
    throw new RangeError('The index was opened for reading.')
  }
  const facts = openFacts(pg, known)
  return {
    ...indexOf(pg, { isReader: true, facts }),
    vocabulary: () => keptVocabulary(pg, connection, person),
    // Sums over a root hold what others may not see: they are added up from what the person sees.
    rootAnswer: () => null,
    listing: () => null,
    isFilling: () => false,
    rootId: path => facts.findRoot(path) ?? no(),
    begin: no,
    commit: no,
    rollback: no,
    release: no,
    judge: no,
    sweep: no,
    addFile: no,
    updateFile: no,
    removeFile: no,
    addChunk: no,
    dropRows: no,
    keepListing: no,
    endFilling: no,
    keepAnswer: no,
    keepRootAnswer: no,
    close: () => {},
  }
}

interface Parts {
  readonly isReader: boolean
  readonly facts: ReturnType<typeof openFacts>
}

function indexOf(pg: PgSession, { isReader, facts }: Parts): Omit<IndexStore, 'release' | 'judge' | 'sweep'> {
  return {
    ...facts,
    ...openQueries(pg),
    ...openAnswers(pg),
    ...openTexts({ pg, isReader }),
    begin: pg.begin,
    commit: pg.commit,
    rollback: pg.rollback,
    statements: () => pg.connection.statements(),
    close: () => {},
  }
}
