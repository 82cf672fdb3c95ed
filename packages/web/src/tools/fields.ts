/** Reads the input and output of tools. Fields of an unexpected type count as absent. */

import { asList, asNumber, asObject, type Json } from '@dagline/core/parse'

export type Fields = Json

/** Whether a value is an object with fields. */
export function isFields(value: unknown): value is Fields {
  return asObject(value) !== null
}

function valueAt(fields: unknown, name: string): unknown {
  const object = asObject(fields)
  return object !== null && Object.hasOwn(object, name) ? object[name] : null
}

/** The first of the named fields that is a text; empty for none. */
export function textAt(fields: unknown, ...names: readonly string[]): string {
  for (const name of names) {
    const value = valueAt(fields, name)
    if (typeof value === 'string') return value
  }
  return ''
}

/** A number, also one written as text; null for none. */
export function numberAt(fields: unknown, name: string): number | null {
  return asNumber(valueAt(fields, name))
}

/** A list; empty for none. */
export function listAt(fields: unknown, name: string): readonly unknown[] {
  return asList(valueAt(fields, name))
}

/** An object; null for none. */
export function fieldsAt(fields: unknown, name: string): Fields | null {
  return asObject(valueAt(fields, name))
}

/** Whether a field is there and true. */
export function flagAt(fields: unknown, name: string): boolean {
  return valueAt(fields, name) === true
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
