/** HU2: all tables of the hub. */
import type { HubDatabase } from './database.js'
import { migrate } from './migrate.js'
import { ACCESS_SCHEMA } from './schema-access.js'
import { INDEX_SCHEMA } from './schema-index.js'
import { RAW_SCHEMA } from './schema-raw.js'

/** Brings the tables of the hub to this version. */
export async function migrateHub(database: Pick<HubDatabase, 'transact'>): Promise<void> {
  await migrate(database, [RAW_SCHEMA, INDEX_SCHEMA, ACCESS_SCHEMA])
}
