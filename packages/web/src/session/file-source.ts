/** A session in an exported file, which contains everything in compressed form (see protocol/file.ts of core). */
import { undisguised } from '@dagline/core/content'
import {
  FILE_CHUNK_ROWS,
  FILE_PAGES_ID,
  FILE_SESSIONS_ID,
  type FilePages,
  type FileSession,
  fileChunkId,
  fileSheetId,
  type RowContent,
  type Sheet,
} from '@dagline/core/protocol'
import { signal } from '@preact/signals'
import type { Place } from './address.js'
import type { SessionSource } from './contents.js'
import { rowText } from './row-text.js'

/** The sessions of a file that contains several, in the order of the session tree; null for a file with one. */
export async function fileSessions(): Promise<readonly FileSession[] | null> {
  return hasElement(FILE_SESSIONS_ID) ? await unpack<readonly FileSession[]>(FILE_SESSIONS_ID) : null
}

/** The fragment of the address: one of several sessions, an entry, or both as `session:entry`. */
interface FileHash {
  readonly session: string
  readonly node: string
}

/** Parses the fragment of the address. */
export function readHash(hash: string, sessions: readonly FileSession[]): FileHash {
  const [session = '', node = ''] = hash.split(':')
  const isKnown = sessions.some(each => each.session === session)
  return isKnown ? { session, node } : { session: sessions[0]?.session ?? '', node: session }
}

/** A session of this file: the only one, or one of several by its index. */
export function fileSource(sessions: readonly FileSession[] | null, number: number): SessionSource {
  const contents = (chunk: number): Promise<readonly RowContent[]> => unpack(fileChunkId(chunk, number))
  const own = sessions?.[number]?.session
  let pages: FilePages = {}
  return {
    isServed: false,
    ask: signal(null),
    chunkRows: FILE_CHUNK_ROWS,
    sheet: async () => {
      if (hasElement(FILE_PAGES_ID)) pages = await unpack<FilePages>(FILE_PAGES_ID)
      return unpack<Sheet>(fileSheetId(number))
    },
    hrefOf: (session, node) => {
      const isHere = sessions?.some(each => each.session === session) === true
      if (isHere) return `#${node === undefined ? session : `${session}:${node}`}`
      const page = pages[session]
      return page === undefined ? null : node === undefined ? page : `${page}#${encodeURIComponent(node)}`
    },
    addressOf: place => fragmentAddress(own ?? '', place),
    update: () => Promise.reject(new Error('An exported file does not change.')),
    contents: async (from, to) => (await contents(Math.floor(from / FILE_CHUNK_ROWS))).slice(0, to - from),
    why: null,
    contexts: null,
    raw: null,
    locate: null,
    labels: null,
    wholeText: null,
    search: words => searchRows(words, chunksOf(number), contents),
    onChange: () => () => {},
  }
}

function hasElement(id: string): boolean {
  return document.getElementById(id) !== null
}

/** Decompresses the contents of an element. */
async function unpack<T>(id: string): Promise<T> {
  const text = document.getElementById(id)?.textContent
  if (text == null) throw new Error('A part of this file is missing. Export the session again.')
  const bytes = Uint8Array.from(atob(text.trim()), character => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return JSON.parse(undisguised(await new Response(stream).text()))
}

/** The address of a place in a session: its fragment names the session, where there are several, and the entry. */
export function fragmentAddress(session: string, { at }: Place): string {
  const hash = [session, at].filter(Boolean).join(':')
  return hash === '' ? location.pathname + location.search : `#${hash}`
}

function chunksOf(number: number): number {
  let chunks = 0
  while (hasElement(fileChunkId(chunks, number))) chunks++
  return chunks
}

/** The uuids of rows that have all words, chunk by chunk. */
export async function searchRows(
  words: string,
  chunks: number,
  contents: (chunk: number) => Promise<readonly RowContent[]>,
): Promise<readonly string[]> {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found: string[] = []
  for (let chunk = 0; chunk < chunks; chunk++) {
    for (const content of await contents(chunk)) {
      const text = rowText(content).toLowerCase()
      if (parts.length > 0 && parts.every(part => text.includes(part))) found.push(content.node)
    }
  }
  return found
}
