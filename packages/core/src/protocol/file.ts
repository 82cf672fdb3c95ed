/**
 * A session as one file: the session page with all that it shows inside. The page's script and style stand in the file
 * as they are; the data stands in elements that no browser runs:
 *
 *   <script type="text/plain" id="sheet">…</script>                        the Sheet
 *   <script type="text/plain" id="chunk-0" data-rows="256">…</script>      RowContent[] of the rows 0 to 255
 *   <script type="text/plain" id="chunk-1" data-rows="40">…</script>       of the rows 256 to 295
 *   <div id="page"></div>                                                  where the page is drawn
 *
 * The text of each element is base64 (RFC 4648, with padding, no line breaks) of raw DEFLATE (RFC 1951) of JSON in
 * UTF-8. So none of it can end its element, whatever a transcript says, and each chunk is unpacked only when it is
 * shown. Chunks stand in order and hold exactly `FILE_CHUNK_ROWS` rows each, but for the last one.
 */

/** The type of the elements with data. */
export const FILE_DATA_TYPE = 'text/plain'

/** The id of the element with the sheet. */
export const FILE_SHEET_ID = 'sheet'

/** Rows in a chunk. */
export const FILE_CHUNK_ROWS = 256

/** The id of the element with a chunk of contents. */
export function fileChunkId(chunk: number): string {
  return `chunk-${chunk}`
}
