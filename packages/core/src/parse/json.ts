/**
 * Narrowing of parsed JSON. The only place, beside `model/ids.ts`, where a type is asserted: everything behind
 * it is checked. Absent and wrongly typed fields both read as null; numbers may come as strings.
 *
 * Keys are read by name only, so `__proto__` in the data is data (JSON.parse makes it an own property).
 */

/** An object as it came out of JSON.parse. */
export type Json = { readonly [key: string]: unknown }

/** The value as an object, or null. Arrays are no objects here. */
export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

/** The field as an object, or null. */
export function objectAt(json: Json, key: string): Json | null {
  return asObject(json[key])
}

/** The field as a list; anything else is an empty one. */
export function listAt(json: Json, key: string): readonly unknown[] {
  const value = json[key]
  return Array.isArray(value) ? value : none
}

/** The field as a non-empty string, or null. */
export function textAt(json: Json, key: string): string | null {
  const value = json[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The field as a finite number, also from a numeric string, or null. */
export function numberAt(json: Json, key: string): number | null {
  const value = json[key]
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The field as a boolean, or null. */
export function flagAt(json: Json, key: string): boolean | null {
  const value = json[key]
  return typeof value === 'boolean' ? value : null
}

/** The objects of a list field. */
export function objectsAt(json: Json, key: string): readonly Json[] {
  const list = listAt(json, key)
  return list.length === 0 ? noObjects : list.map(asObject).filter(item => item !== null)
}

/** The non-empty strings of a list field. */
export function textsAt(json: Json, key: string): readonly string[] {
  return listAt(json, key).filter((item): item is string => typeof item === 'string' && item !== '')
}

const none: readonly unknown[] = []
const noObjects: readonly Json[] = []
