/** A client and a hub over HTTP: what is repeated, what is not, and what the user is told. */
import { describe, expect, it } from 'vitest'
import { openHttpStore } from '../src/push/http-store.js'
import type { RawStore } from '../src/raw/model.js'
import { BadPush } from '../src/raw/pieces.js'
import { servePushes } from './push-server.js'

const MACHINE = { uuid: '5a4b8a4e-0000-4000-8000-000000000001', name: 'laptop', platform: 'linux' }

function counting(): { readonly store: RawStore; readonly count: () => number } {
  let count = 0
  const store: RawStore = {
    welcome: async ({ name }) => ({
      hub: 'h',
      machine: 1,
      name,
      changes: ++count,
      gone: [],
      takesLabels: true,
    }),
    versions: async () => [],
    read: async function* () {},
    files: async () => [],
    missing: async hashes => hashes.map(() => true),
    put: async () => {},
    commit: async () => {
      throw new BadPush('The pieces are not those.')
    },
    keepLabels: async () => 0,
  }
  return { store, count: () => count }
}

describe('a hub over HTTP', () => {
  it('[HU20] repeats what was cut off, and what a busy hub refused', async () => {
    const { store, count } = counting()
    const server = await servePushes(store)
    server.next.push('cut', 503, 'lost')
    const hub = openHttpStore({ url: server.url, token: null })
    expect((await hub.welcome(MACHINE)).changes).toBe(2)
    expect([count(), server.asked.length]).toEqual([2, 4])
  })

  it('[HU20] a hub that does not answer, or is none, is named with what to do', async () => {
    const gone = openHttpStore({ url: 'http://127.0.0.1:1', token: null })
    await expect(gone.welcome(MACHINE)).rejects.toThrow(/does not answer \(.+that the hub runs/)
    const server = await servePushes(counting().store)
    server.next.push(200)
    const hub = openHttpStore({ url: server.url, token: null })
    await expect(hub.welcome(MACHINE)).rejects.toThrow(/does not answer like a hub of this version/)
  })

  it.each([
    [401, /requires a token/],
    [403, /may not push/],
    [507, /disk of the hub/],
    [500, /status 500/],
  ])('[HU20] status %i is not tried again', async (status, message) => {
    const server = await servePushes(counting().store)
    server.next.push(status)
    const hub = openHttpStore({ url: server.url, token: null })
    await expect(hub.welcome(MACHINE)).rejects.toThrow(message)
    expect(server.asked).toEqual(['welcome'])
  })

  it('[HU20] a token that is not known is told apart from none, and the hub says what it refuses', async () => {
    const server = await servePushes(counting().store, 'right')
    await expect(openHttpStore({ url: server.url, token: 'old' }).welcome(MACHINE)).rejects.toThrow(/expired/)
    const hub = openHttpStore({ url: server.url, token: 'right' })
    expect((await hub.welcome(MACHINE)).name).toBe('laptop')
    await expect(hub.commit(1, [])).rejects.toThrow('The pieces are not those.')
  })
})
