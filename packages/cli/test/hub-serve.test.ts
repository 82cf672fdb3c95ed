import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { freshDatabase, hasPostgres } from '../../hub/test/postgres.js'
import { dagline } from './run.js'

it.runIf(hasPostgres('a hub on a port that is in use'))(
  '[HU20] a hub whose port is in use says so, and ends',
  async () => {
    const other = createServer()
    other.listen({ port: 0, host: '127.0.0.1' })
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const words = ['hub', 'serve', '--hub', await freshDatabase(), '--port', String(port)]
    const refused = dagline(words)
    other.close()
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Port ${port} is in use. Give another one with --port.`),
    })
  },
)
