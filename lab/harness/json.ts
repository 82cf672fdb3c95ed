/** Parsed JSON, narrowed. */

/** An object as it came out of JSON.parse. */
export type Json = { readonly [key: string]: unknown }

/** The value as an object, or null. */
export function objectOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** The objects in a list. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectOf).filter(item => item !== null) : []
}

/** The objects in a field. */
export function objectsIn(json: Json, name: string): readonly Json[] {
  return objectsOf(json[name])
}

/** A field with a text, or null. */
export function textIn(json: Json | null, name: string): string | null {
  const value = json?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The object on a row, or null where it is none. */
export function parseRowText(row: string): Json | null {
  try {
    return objectOf(JSON.parse(row))
  } catch {
    return null
  }
}

/** The blocks of a message's content; a plain text is one block. */
export function blocksOf(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}
