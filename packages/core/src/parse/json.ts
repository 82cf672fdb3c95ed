/**
 * P4: narrowing of parsed JSON. Types are asserted only here and in `model/ids.ts`. Absent and wrongly typed values both
 * read as null; numbers may be strings.
 *
 * Fields are read by name only, so `__proto__` in the data is data (JSON.parse makes it an own property).
 */

/** An object as it came out of JSON.parse. */
export type Json = { readonly [key: string]: unknown }

/** The value as an object, or null. Arrays are not objects here. */
export function asObject(value: unknown): Json | null {
  return isObject(value) ? value : null
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : none
}

/** The value as a non-empty string, or null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The value as an id, by the function that brands it; null where it is not a non-empty string. */
export function asId<T>(value: unknown, brand: (text: string) => T): T | null {
  const text = asText(value)
  return text === null ? null : brand(text)
}

/** The value as a finite number, also from a numeric string, or null. */
export function asNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The value as a boolean, or null. */
export function asFlag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** The objects of a list; the list itself where it holds nothing else, since this runs several times for each row. */
export function asObjects(value: unknown): readonly Json[] {
  const list = asList(value)
  return list.every(isObject) ? list : list.filter(isObject)
}

/** The non-empty strings of a list. */
export function asTexts(value: unknown): readonly string[] {
  return asList(value).filter((item): item is string => typeof item === 'string' && item !== '')
}

const none: readonly unknown[] = []
