/** A JSON object, as written to a row or read from one. */
export type Json = { [key: string]: unknown }

/** Whether the value is a JSON object (no array, not null). */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The row's object, or null where the text is no JSON object. */
export function parseJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : null
  } catch {
    return null
  }
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
