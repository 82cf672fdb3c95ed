import { describe, expect, it } from 'vitest'
import type { NewVersion, RawStore } from '../raw/model.js'
import { makePack, NO_CHAIN, sha256 } from '../raw/pack.js'
import { BadPush } from '../raw/pieces.js'
import { answerPush } from './answer.js'
import { decodePack, encodePack, LARGEST_BODY, PUSH_PATH, REQUESTS, toWire } from './protocol.js'

const pieces = ['{"a":1}\n', '{"b":2}\n'].map(text => Buffer.from(text))
const pack = makePack(pieces.map(sha256), pieces)

const VERSION: NewVersion = {
  place: '/p/s1.jsonl',
  folder: '-shop',
  path: 's1.jsonl',
  kind: 'session',
  session: 's1',
  remote: null,
  cwd: null,
  mtime: 1.5,
  base: { number: 1, chain: NO_CHAIN },
  isOther: false,
  hashes: pack.hashes,
  bytes: 16,
  chain: sha256(Buffer.from('x')),
  originalBytes: 16,
  originalSha256: sha256(Buffer.from('y')),
  redacted: { 'github-token': 2 },
}

/** A store that takes everything and remembers it. */
function recording(): { readonly store: RawStore; readonly calls: unknown[] } {
  const calls: unknown[] = []
  return {
    calls,
    store: {
      welcome: async machine => {
        calls.push(machine)
        return { hub: 'h', machine: 1, name: machine.name, changes: 0, gone: [], takesLabels: true }
      },
      versions: async () => [],
      read: async function* () {},
      files: async () => [],
      missing: async hashes => hashes.map(() => true),
      put: async given => void calls.push(given),
      commit: async (machine, files) => {
        calls.push({ machine, files })
        throw new BadPush('The pieces are not those.')
      },
      keepLabels: async (machine, labels) => {
        calls.push({ machine, labels })
        return labels.length
      },
    },
  }
}

const ask = (store: RawStore, name: string, body: Buffer | string): Promise<Response> =>
  answerPush(
    store,
    new Request(`http://hub${PUSH_PATH}/${name}`, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(body)),
    }),
  )

describe('the protocol of pushes', () => {
  it('[HU20] what is sent arrives', async () => {
    expect(decodePack(encodePack(pack))).toEqual(pack)
    expect(
      REQUESTS.commit.parse(JSON.parse(toWire({ machine: 3, files: [VERSION], hasMore: true }))),
    ).toEqual({
      machine: 3,
      files: [VERSION],
      hasMore: true,
    })
    const { store, calls } = recording()
    expect((await ask(store, 'pieces', encodePack(pack))).status).toBe(200)
    expect(calls).toEqual([pack])
    const answer = await ask(store, 'missing', toWire({ hashes: pack.hashes }))
    expect(await answer.json()).toEqual({ missing: [true, true] })
  })

  it('[HU20] what a client may not send is refused with a sentence, and reaches no store', async () => {
    const { store, calls } = recording()
    const good = JSON.parse(toWire({ machine: 3, files: [VERSION] }))
    const bad = (more: object): string => JSON.stringify({ ...good, files: [{ ...good.files[0], ...more }] })
    const bodies: readonly (readonly [string, Buffer | string])[] = [
      ['commit', 'not json'],
      ['commit', '{}'],
      ['commit', bad({ chain: 'AAAA' })],
      ['commit', bad({ hashes: 'AAAA' })],
      ['commit', bad({ bytes: -1 })],
      ['commit', bad({ path: 'a\u0000b' })],
      ['commit', bad({ path: '\ud800' })],
      ['commit', bad({ redacted: { '<b>': 1 } })],
      ['welcome', JSON.stringify({ uuid: 'none', name: 'x', platform: 'linux' })],
      ['pieces', Buffer.from([255, 255, 255, 255, 1])],
      ['pieces', encodePack(pack).subarray(0, 40)],
    ]
    for (const [name, body] of bodies) {
      const response = await ask(store, name, body)
      expect([name, response.status]).toEqual([name, 400])
      expect((await response.json()).error.message).toMatch(/\.$/)
    }
    expect(calls).toEqual([])
    expect((await ask(store, 'nothing', '{}')).status).toBe(404)
    expect((await answerPush(store, new Request(`http://hub${PUSH_PATH}/files`))).status).toBe(405)
    expect((await ask(store, 'commit', toWire({ machine: 3, files: [VERSION] }))).status).toBe(400)
  })

  it('[HU20] a body is read up to the limit only, whatever its header says', async () => {
    let read = 0
    const body = new ReadableStream<Uint8Array>({
      pull: controller => {
        read += 1024 * 1024
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const init = { method: 'POST', body, duplex: 'half' }
    const request = new Request(`http://hub${PUSH_PATH}/pieces`, init)
    expect((await answerPush(recording().store, request)).status).toBe(413)
    expect(read).toBeLessThan(LARGEST_BODY + 4 * 1024 * 1024)
  })
})
