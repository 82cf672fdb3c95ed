/** The raw bytes of one person, in the database. */
import type { HubDatabase } from '../db/database.js'
import { type AudienceOf, commitVersions } from './commit.js'
import { keepLabels } from './labels.js'
import { filesOfMachine, welcomeMachine } from './machines.js'
import type { RawStore } from './model.js'
import { type Owner, placesOf, putPieces } from './pieces.js'
import { listVersions, readOwnVersion } from './stream.js'

/** Opens the store of a person. Nothing is asked yet. */
export function openRawStore(database: HubDatabase, owner: Owner, audienceOf: AudienceOf): RawStore {
  return {
    welcome: machine => welcomeMachine(database, owner, machine),
    files: machine => filesOfMachine(database, owner, machine),
    missing: async hashes => {
      const there = await placesOf(database, owner, hashes)
      return hashes.map(hash => !there.has(hash.toString('hex')))
    },
    put: pack => putPieces(database, owner, pack),
    versions: filter => listVersions(database, owner, filter),
    read: version => readOwnVersion(database, owner, version),
    commit: (machine, files, { hasMore = false } = {}) =>
      commitVersions(database, owner, { machine, files, audienceOf, hasMore }),
    keepLabels: (machine, labels) => keepLabels(database, owner, { machine, labels }),
  }
}
