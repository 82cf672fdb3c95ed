/** Cuts long texts: the page shows the beginning, and loads the rest on demand. */

import { asObject, type Json } from '../parse/json.js'
import type { CutText } from '../protocol/content.js'

/** The first characters of a text; surrogate pairs stay whole. */
export function cutText(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, cut: null }
  const isHalf = /[\ud800-\udbff]/.test(text[limit - 1] ?? '')
  return { text: text.slice(0, isHalf ? limit - 1 : limit), cut: text.length }
}

/** Fields that are left out of recorded values: bytes of images, and whole files before an edit. */
const heavyFields = new Set(['base64', 'originalFile'])

/** The characters that all texts of one value may still have. */
interface Room {
  readonly limit: number
  left: number
}

/** Deeper than any record of Claude Code; deeper values are left out. */
const deepest = 24
const mostItems = 1000
/** The characters that each text has in any case. */
const least = 120

/** A copy of a recorded value with long texts cut: each to the limit, all of them to four times the limit. */
export function cutValues(json: Json, limit: number): Json {
  if (limit === Number.POSITIVE_INFINITY) return json
  return cutObject(json, { limit, left: limit * 4 }, 0)
}

function cutObject(json: Json, room: Room, depth: number): Json {
  const cut = Object.entries(json)
    .slice(0, mostItems)
    .map(([key, value]): [string, unknown] => [
      key,
      heavyFields.has(key) && typeof value === 'string' ? leftOut(value) : cutValue(value, room, depth),
    ])
  const more = Object.keys(json).length - mostItems
  // P7: `__proto__` in the data is data.
  return Object.fromEntries(more > 0 ? [...cut, ['…', `${more} more fields`]] : cut)
}

function leftOut(text: string): string {
  return text === '' ? '' : `… ${text.length} characters`
}

function cutValue(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return cutString(value, room)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '…'
  if (Array.isArray(value)) return cutList(value, room, depth)
  const object = asObject(value) ?? {}
  return isImage(object) ? { ...object, data: '' } : cutObject(object, room, depth + 1)
}

function cutList(list: readonly unknown[], room: Room, depth: number): readonly unknown[] {
  const cut = list.slice(0, mostItems).map(item => cutValue(item, room, depth + 1))
  return list.length > mostItems ? [...cut, `… ${list.length - mostItems} more items`] : cut
}

/** The source of an image block: `{type: base64, media_type, data}`. */
function isImage(object: Json): boolean {
  return typeof object.media_type === 'string' && typeof object.data === 'string'
}

function cutString(value: string, room: Room): string {
  const limit = Math.min(room.limit, Math.max(room.left, least))
  const { text, cut } = cutText(value, limit)
  room.left -= text.length
  return cut === null ? text : `${text}\n… ${cut - text.length} more characters`
}

/** How many characters `cutValues` left out of a value, read from the ends of its texts. */
export function missingIn(value: unknown): number {
  if (typeof value === 'string') return Number(/\n… (\d+) more characters$/.exec(value)?.[1] ?? 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, part) => sum + missingIn(part), 0)
}
