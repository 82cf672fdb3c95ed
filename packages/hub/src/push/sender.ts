/** HU15: sending pieces: only those that the hub lacks, in packs, while the next ones are being read. */
import type { RawStore } from '../raw/model.js'
import { makePackAside, PACK_BYTES } from '../raw/pack.js'
import type { Piece } from './prepare.js'

/** Sends pieces of one push. */
export interface PieceSender {
  /** Takes a piece; waits while too many are under way. */
  readonly add: (piece: Piece) => Promise<void>
  /** Ends when all pieces are there. */
  readonly flush: () => Promise<void>
  /** Compressed bytes of pieces that were sent so far. */
  readonly sent: () => number
}

/** Packs under way at a time: while the hub stores one, others are asked for, compressed and checked. */
const UNDER_WAY = 4
/**
 * A hub that had nothing of so many packs has nothing of the next ones either: it is asked for one in some only. What it has
 * nevertheless, it does not store again.
 */
const TRUSTED = 4
const ASKED = 4
/** Pieces asked for at a time. */
const MOST_PIECES = 8192
/** Hashes that are remembered as sent: those of the last few packs would do. */
const REMEMBERED = 200_000

/** Makes a sender for one push. */
export function sendPieces(store: RawStore): PieceSender {
  let open: Piece[] = []
  let size = 0
  let sent = 0
  let there = new Set<string>()
  const running = new Set<Promise<void>>()
  let failure: unknown = null
  /** Packs since one of whose pieces the hub had some. */
  let newPacks = 0
  const wantedOf = async (pieces: readonly Piece[]): Promise<readonly Piece[]> => {
    if (newPacks >= TRUSTED && newPacks % ASKED !== 0) {
      newPacks++
      return pieces
    }
    const missing = await store.missing(pieces.map(({ hash }) => hash))
    const wanted = pieces.filter((_, at) => missing[at] === true)
    newPacks = wanted.length === pieces.length ? newPacks + 1 : 0
    return wanted
  }
  const send = async (pieces: readonly Piece[]): Promise<void> => {
    const wanted = await wantedOf(pieces)
    if (wanted.length === 0) return
    const pack = await makePackAside(
      wanted.map(({ hash }) => hash),
      wanted.map(({ bytes }) => bytes),
    )
    await store.put(pack)
    sent += pack.data.length
  }
  const start = async (): Promise<void> => {
    if (open.length === 0) return
    const pieces = open
    open = []
    size = 0
    while (running.size >= UNDER_WAY) await Promise.race(running)
    if (failure !== null) throw failure
    const work: Promise<void> = send(pieces)
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => running.delete(work))
    running.add(work)
  }
  return {
    add: async piece => {
      const name = piece.hash.toString('latin1')
      if (there.has(name)) return
      if (there.size > REMEMBERED) there = new Set()
      there.add(name)
      if (size + piece.bytes.length > PACK_BYTES || open.length === MOST_PIECES) await start()
      open.push(piece)
      size += piece.bytes.length
    },
    flush: async () => {
      await start()
      await Promise.all(running)
      if (failure !== null) throw failure
    },
    sent: () => sent,
  }
}
