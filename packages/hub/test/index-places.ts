/** Indexes of the tests: tenants of one database, each a new one. */
import type { IndexStore } from '@dagline/store'
import { onTestFinished } from 'vitest'
import { openHubDatabase } from '../src/db/database.js'
import { migrateHub } from '../src/db/schema.js'
import { connectSync, type SyncConnection } from '../src/db/sync-connection.js'
import type { AudienceOf } from '../src/index/known.js'
import { openPgIndex, openPgReader } from '../src/index/store.js'
import { freshDatabase } from './postgres.js'

/** The audience of files, unless a test says otherwise. */
export const AUDIENCE = 7

export interface IndexPlaces {
  readonly url: string
  readonly connection: SyncConnection
  /** The number of a new tenant. */
  readonly newTenant: () => number
  /** The index of a tenant, to be written. It is closed with the test. */
  readonly writer: (tenant: number, audienceOf?: AudienceOf) => IndexStore
  readonly reader: (tenant: number, person: number) => IndexStore
  readonly close: () => void
}

/** A database with the tables of the hub. */
export async function openPlaces(): Promise<IndexPlaces> {
  const url = await freshDatabase()
  const database = openHubDatabase(url)
  await migrateHub(database)
  await database.close()
  const connection = connectSync(url)
  let tenants = 0
  return {
    url,
    connection,
    newTenant: () => ++tenants,
    writer: (tenant, audienceOf = () => AUDIENCE) => {
      const index = openPgIndex(connection, { tenant, audienceOf })
      onTestFinished(() => index.close())
      return index
    },
    reader: (tenant, person) => openPgReader(connection, { tenant, person }),
    close: () => connection.close(),
  }
}
