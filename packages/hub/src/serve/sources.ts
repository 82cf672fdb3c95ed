/** What readers ask, on two connections: one in the role of readers, which names the person, and one of the owner of the tables. */

import { portableName } from '@dagline/core/platform'
import { hubMachineOf } from '@dagline/core/protocol'
import { type IndexStore, NO_LABELS } from '@dagline/store'
import { connectSync, type PgRow, type SyncConnection } from '../db/sync-connection.js'
import { asPerson } from '../index/as-person.js'
import { ofMachine } from '../index/of-machine.js'
import { openPgIndex, openPgReader } from '../index/store.js'
import { type DroppedFiles, dropFiles, type MovedFiles, moveFiles } from '../judge/removal.js'
import type { TenantId } from '../model/index.js'
import { labelsSeen } from '../raw/labels.js'
import { rootOf } from '../raw/paths.js'
import { listServed, openBytes } from './bytes.js'
import type { OpenSource, ReaderSource } from './reading.js'
import type { Reader } from './wire.js'

interface Sources {
  readonly open: OpenSource
  /** Removes what the index has of some files at once; the judge takes in again what is still there. */
  readonly drop: (files: DroppedFiles) => void
  /** Gives what the index has of some files another audience at once. */
  readonly move: (files: MovedFiles) => void
  readonly close: () => void
}

/** Connects to a database. */
export function openSources(url: string): Sources {
  const readers = connectSync(url)
  const owner = connectSync(url)
  const write = (work: (writer: SyncConnection) => void): void => {
    const writer = connectSync(url)
    try {
      work(writer)
    } finally {
      writer.close()
    }
  }
  return {
    open: ({ tenant, person, machine, isFigures }) => {
      if (isFigures) return figuresSource(owner, { tenant, machine })
      const reader = asPerson(readers, { tenant, person })
      const index = onMachine(openPgReader(readers, { tenant, person }), machine, reader, tenant)
      return {
        index: () => index,
        roots: () => {
          const rows = reader.query(
            'SELECT DISTINCT person FROM raw_file WHERE tenant = $1 ORDER BY person',
            [tenant],
          )
          return rows.map(row => rootOf(Number(row['person'])))
        },
        stamp: () => String(reader.query('SELECT dagline_stamp() AS stamp')[0]?.['stamp'] ?? ''),
        labels: () => labelsSeen(reader, { tenant, person }),
        bytes: path => openBytes({ reader, owner, tenant }, path),
        files: (root, which) => listServed({ reader, owner, tenant }, root, which),
        close: () => index.close(),
      }
    },
    drop: files => write(writer => dropFiles(writer, files)),
    move: files => write(writer => moveFiles(writer, files)),
    close: () => {
      readers.close()
      owner.close()
    },
  }
}

/** HU46: all of a tenant, for sums. No bytes of it are read. */
function figuresSource(
  owner: SyncConnection,
  { tenant, machine }: Pick<Reader, 'tenant' | 'machine'>,
): ReaderSource {
  const index = onMachine(openPgIndex(owner, { tenant, audienceOf: () => 0 }), machine, owner, tenant)
  const ask = (sql: string): readonly PgRow[] => owner.query(sql, [tenant])
  return {
    index: () => index,
    roots: () =>
      ask('SELECT DISTINCT person FROM raw_file WHERE tenant = $1 ORDER BY person').map(row =>
        rootOf(Number(row['person'])),
      ),
    stamp: () =>
      String(
        ask('SELECT sum(changed + judged) AS stamp FROM raw_root WHERE tenant = $1')[0]?.['stamp'] ?? '',
      ),
    labels: () => NO_LABELS,
    bytes: () => null,
    files: () => [],
    close: () => {},
  }
}

/** The index, and of it only what machines of a name pushed, where one is given. */
function onMachine(
  index: IndexStore,
  machine: string | null,
  connection: Pick<SyncConnection, 'query'>,
  tenant: TenantId,
): IndexStore {
  if (machine === null) return index
  const projects = (): readonly string[] =>
    connection
      .query('SELECT DISTINCT project FROM index_file WHERE tenant = $1', [tenant])
      .map(row => String(row['project']))
  const name = portableName(machine)
  return ofMachine(index, folder => hubMachineOf(folder) === name, projects)
}
