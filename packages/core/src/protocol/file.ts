/**
 * A session as one file: the session page with all of its data. The page's script and style are in the file as they are;
 * the data is in elements that no browser runs:
 *
 *   <script type="text/plain" id="sheet">…</script>                        the Sheet
 *   <script type="text/plain" id="chunk-0" data-rows="256">…</script>      RowContent[] of the rows 0 to 255
 *   <script type="text/plain" id="chunk-1" data-rows="40">…</script>       of the rows 256 to 295
 *   <script type="text/plain" id="pages">…</script>                        FilePages, where other pages are beside it
 *   <div id="page"></div>                                                  where the page is drawn
 *
 * A file with several sessions has `sheet-1`, `chunk-1-0` and so on for those after the first, and a list of all of them
 * in `sessions` (FileSession[]).
 *
 * The text of each element is base64 (RFC 4648, with padding, no line breaks) of raw DEFLATE (RFC 1951) of JSON in
 * UTF-8. So no text of a transcript can end its element, and each chunk is unpacked only when it is shown. Chunks are in
 * order, and each but the last holds `FILE_CHUNK_ROWS` rows.
 */

/** The type of the elements with data. */
export const FILE_DATA_TYPE = 'text/plain'

/** The id of the element with the sheet of a session, counted from 0. */
export function fileSheetId(session: number = 0): string {
  return session === 0 ? 'sheet' : `sheet-${session}`
}

/** The id of the element with the pages of other sessions. */
export const FILE_PAGES_ID = 'pages'

/** By session, the address of its page, relative to the file. */
export type FilePages = Readonly<Record<string, string>>

/** The id of the element that lists the sessions, where a file holds several. */
export const FILE_SESSIONS_ID = 'sessions'

/** A session in a file that holds several, in the order of the session tree (S1). */
export interface FileSession {
  readonly session: string
  readonly name: string
  /** Number of sessions above it. */
  readonly depth: number
  /** When it began; null where it is not dated. */
  readonly first: number | null
}

/** Rows in a chunk. */
export const FILE_CHUNK_ROWS = 256

/** The id of the element with a chunk of contents. */
export function fileChunkId(chunk: number, session: number = 0): string {
  return session === 0 ? `chunk-${chunk}` : `chunk-${session}-${chunk}`
}
