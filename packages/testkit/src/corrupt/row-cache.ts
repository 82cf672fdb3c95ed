/**
 * Rows as objects. Corruptions look at every row of a session many times, so what a row holds is kept for a while.
 */
import { type Json, parseJson } from '../base/json.js'

const LIMIT = 20_000
const CACHE = new Map<string, Json | null>()

/** The object on a row, or null where the row holds none. It is shared: callers copy it before they change it. */
export function rowJson(row: string | undefined): Readonly<Json> | null {
  if (row === undefined) return null
  const known = CACHE.get(row)
  if (known !== undefined) return known
  if (CACHE.size >= LIMIT) CACHE.clear()
  const json = parseJson(row)
  CACHE.set(row, json)
  return json
}
