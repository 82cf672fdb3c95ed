/** Images: what a page can show, and what is said of the others. */

import { asText, type Json } from '../parse/json.js'
import type { ImageContent } from '../protocol/content.js'

/** Kinds of images that a browser shows and that hold no code. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The image that a source holds the bytes of; null for an address, a file id, and for kinds that are not shown. */
export function imageIn(source: Json): ImageContent | null {
  const media = asText(source.media_type)
  const data = asText(source.data)
  return media === null || data === null || !imageTypes.has(media) ? null : { media, data }
}

/** What can be said of an image that is not shown: its address, the id of its file, or its kind; null for one that is. */
export function imageText(source: Json): string | null {
  if (imageIn(source) !== null) return null
  return asText(source.url) ?? asText(source.file_id) ?? asText(source.media_type)
}
