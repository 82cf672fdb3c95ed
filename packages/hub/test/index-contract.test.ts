/** The index in PostgreSQL does what every index does, and searches find in it what they find in others. */
import type { IndexStore } from '@dagline/store'
import { afterAll, beforeAll, describe } from 'vitest'
import { indexContract } from '../../store/test/index-contract.js'
import { searchContract } from '../../store/test/search-contract.js'
import { type IndexPlaces, openPlaces } from './index-places.js'
import { hasPostgres } from './postgres.js'

describe.runIf(hasPostgres('the index in PostgreSQL'))('the index in PostgreSQL', () => {
  let places: IndexPlaces
  beforeAll(async () => {
    places = await openPlaces()
  })
  afterAll(() => places.close())
  const open = (): IndexStore => places.writer(places.newTenant())
  indexContract('postgres', open)
  searchContract('postgres', open)
})
