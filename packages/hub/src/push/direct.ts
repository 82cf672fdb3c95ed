/** Pushes straight to the database of a hub. */
import { audienceOf } from '../access/audiences.js'
import { findOrAddPerson } from '../access/people.js'
import { openHubDatabase } from '../db/database.js'
import { migrateHub } from '../db/schema.js'
import type { RawStore } from '../raw/model.js'
import { openRawStore } from '../raw/store.js'

/** Opens the store of a person, who is added where the team has none of that name. */
export async function openDirectStore(
  url: string,
  { team, person }: { readonly team: string; readonly person: string },
): Promise<{ readonly store: RawStore; readonly close: () => Promise<void> }> {
  const database = openHubDatabase(url, 4)
  try {
    await migrateHub(database)
    const owner = await findOrAddPerson(database, team, person)
    return { store: openRawStore(database, owner, audienceOf), close: database.close }
  } catch (error) {
    await database.close()
    throw error
  }
}
