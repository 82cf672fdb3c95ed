/** Reads the input and output of tools. Fields of an unexpected type count as absent. */

export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of the named fields that is a text; empty for none. */
export function textAt(fields: unknown, ...names: readonly string[]): string {
  if (!isFields(fields)) return ''
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof value === 'string') return value
  }
  return ''
}

/** A number, also one written as text; null for none. */
export function numberAt(fields: unknown, name: string): number | null {
  const value = isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : null
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** A list; empty for none. */
export function listAt(fields: unknown, name: string): readonly unknown[] {
  const value = isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : null
  return Array.isArray(value) ? value : []
}

/** An object; null for none. */
export function fieldsAt(fields: unknown, name: string): Fields | null {
  const value = isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : null
  return isFields(value) ? value : null
}

/** Whether a field is there and true. */
export function flagAt(fields: unknown, name: string): boolean {
  return isFields(fields) && Object.hasOwn(fields, name) && fields[name] === true
}

/** A value in one line: texts unchanged, other values as JSON. */
export function oneLine(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replace(/\s+/g, ' ').trim()
}

/** Indented JSON; null for a text that is not JSON. */
export function prettyJson(text: string): string | null {
  const start = text.trimStart()[0]
  if (start !== '{' && start !== '[') return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}
