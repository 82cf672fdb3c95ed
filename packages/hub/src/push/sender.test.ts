import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { RawStore } from '../raw/model.js'
import { type NamedPack, PACK_BYTES, sha256 } from '../raw/pack.js'
import type { Piece } from './prepare.js'
import { sendPieces } from './sender.js'

/** A store that has the given pieces, and counts what it is asked and given. */
function storeWith(there: readonly Piece[]): { store: RawStore; asked: () => number; got: () => number } {
  const names = new Set(there.map(({ hash }) => hash.toString('hex')))
  let [asked, got] = [0, 0]
  const refuse = (): never => {
    throw new RangeError('not asked here')
  }
  const store: RawStore = {
    ...{ welcome: refuse, files: refuse, commit: refuse, versions: refuse, read: refuse },
    keepLabels: refuse,
    missing: async hashes => {
      asked++
      return hashes.map(hash => !names.has(hash.toString('hex')))
    },
    put: async ({ hashes }: NamedPack) => {
      got += hashes.length
    },
  }
  return { store, asked: () => asked, got: () => got }
}

/** Each of them fills a pack. */
function pieces(count: number): readonly Piece[] {
  return Array.from({ length: count }, () => {
    const bytes = randomBytes(PACK_BYTES)
    return { hash: sha256(bytes), bytes }
  })
}

async function send(store: RawStore, all: readonly Piece[]): Promise<void> {
  const sender = sendPieces(store)
  for (const piece of all) {
    await sender.add(piece)
    await sender.flush()
  }
}

it('[HU15] a hub that had nothing of several packs is asked for few of the next ones', async () => {
  const { store, asked, got } = storeWith([])
  await send(store, pieces(16))
  expect([asked(), got()]).toEqual([7, 16])
})

it('[HU15] a hub that has some of the pieces is asked for all', async () => {
  const all = pieces(12)
  const { store, asked, got } = storeWith(all.filter((_, at) => at % 3 === 2))
  await send(store, all)
  expect([asked(), got()]).toEqual([12, 8])
})
