/** HU77: PostgreSQL knows tables as soon as they are filled. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeOnce } from '../src/judge/run.js'
import { type HubWorld, startWorld } from './hub-world.js'
import { hasPostgres } from './postgres.js'

describe.runIf(hasPostgres('statistics'))('tables that were filled', () => {
  let world: HubWorld
  beforeAll(async () => {
    world = await startWorld()
  }, 240_000)
  afterAll(() => world.close())

  it('[HU77] are counted by the judge', async () => {
    const texts = Array.from(
      { length: 400 },
      (_, at) => `u${at + 1}${JSON.stringify(`word${at} ${'more '.repeat(200)}`)}`,
    )
    await world.push('ann', `s1: ${texts.join(' ')}`)
    await judgeOnce({ database: world.databaseUrl, onFailure: error => expect.fail(error.message) })
    const counted = await world.database.query(
      `SELECT sum(reltuples)::int AS texts FROM pg_class WHERE relkind = 'r' AND relname LIKE 'index\\_text\\_%' AND reltuples > 0`,
    )
    expect(counted).toEqual([{ texts: 400 }])
  }, 240_000)
})
