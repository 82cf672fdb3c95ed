/** A session in an exported file: everything is in the page, packed (see protocol/file.ts of core). */
import { FILE_CHUNK_ROWS, FILE_SHEET_ID, fileChunkId, type RowContent, type Sheet } from '@dagline/core'
import { textOf } from './block-text.js'
import type { SessionSource } from './source.js'

/** The session that stands in this document. */
export function fileSource(): SessionSource {
  const contents = (chunk: number): Promise<readonly RowContent[]> => unpack(fileChunkId(chunk))
  return {
    isServed: false,
    chunkRows: FILE_CHUNK_ROWS,
    sheet: () => unpack<Sheet>(FILE_SHEET_ID),
    update: () => Promise.reject(new Error('An exported file does not change.')),
    contents: async (from, to) => (await contents(Math.floor(from / FILE_CHUNK_ROWS))).slice(0, to - from),
    why: null,
    raw: null,
    placeOf: null,
    labels: null,
    wholeText: null,
    search: words => searchFile(words, contents),
    onChange: () => () => {},
  }
}

/** What an element of the document holds. */
async function unpack<T>(id: string): Promise<T> {
  const text = document.getElementById(id)?.textContent
  if (text == null) throw new Error('A part of this file is missing. Export the session again.')
  const bytes = Uint8Array.from(atob(text.trim()), sign => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).json()
}

async function searchFile(
  words: string,
  contents: (chunk: number) => Promise<readonly RowContent[]>,
): Promise<readonly string[]> {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  const found: string[] = []
  for (let chunk = 0; document.getElementById(fileChunkId(chunk)) !== null; chunk++) {
    for (const content of await contents(chunk)) {
      const text = textOf(content).toLowerCase()
      if (parts.length > 0 && parts.every(part => text.includes(part))) found.push(content.node)
    }
  }
  return found
}
