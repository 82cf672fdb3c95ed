/** A JSON object, as written to a row or read from one. */
export type Json = { [key: string]: unknown }

/** Whether the value is a JSON object (no array, not null). */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The row's object, or null where the text is not a JSON object. */
export function parseJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : null
  } catch {
    return null
  }
}

/** The value as an object, or null. */
export function objectOf(value: unknown): Json | null {
  return isJson(value) ? value : null
}

/** The objects in a list. */
function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
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

/** The blocks of a message's content; a plain text is one block. */
export function blocksOf(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

/** `over` laid over `base`; objects in both are merged, everything else is replaced. */
export function mergeJson(base: Json, over: Json): Json {
  const out: Json = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = out[key]
    out[key] = isJson(below) && isJson(value) ? mergeJson(below, value) : value
  }
  return out
}
