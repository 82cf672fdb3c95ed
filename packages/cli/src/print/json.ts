/** JSON of any size: written piece by piece, one item of a list on a line. */

/** A list, or a record, whose items are made one after another. */
export type Section =
  | { readonly list: Iterable<unknown> }
  | { readonly record: Iterable<readonly [string, unknown]> }

/** One object: its plain fields, and its long ones item by item. */
export function* jsonLines(fields: Iterable<readonly [string, unknown]>): Generator<string> {
  let lead = '{'
  for (const [name, value] of fields) {
    yield* field(`${lead}${JSON.stringify(name)}:`, value)
    lead = ','
  }
  yield '}'
}

function* field(start: string, value: unknown): Generator<string> {
  if (!isSection(value)) {
    yield `${start}${JSON.stringify(value)}`
    return
  }
  const isList = 'list' in value
  let lead = `${start}${isList ? '[' : '{'}`
  for (const item of isList ? value.list : value.record) {
    yield `${lead}${isList ? JSON.stringify(item) : entry(item)}`
    lead = ','
  }
  yield `${lead.length > 1 ? lead : ''}${isList ? ']' : '}'}`
}

function entry(item: unknown): string {
  const [name, value] = Array.isArray(item) ? item : ['', item]
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`
}

function isSection(value: unknown): value is Section {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length === 1 && (keys[0] === 'list' || keys[0] === 'record')
}
