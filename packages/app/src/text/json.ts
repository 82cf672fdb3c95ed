/** JSON of any size: written piece by piece, one item of a list on a line. */
import { escapeJson } from '@dagline/core/content'
import { writeJson } from '@dagline/core/parse'

/** A list of values or of ready JSON, or a record of ready JSON, whose items are made one after another. */
type Section =
  | { readonly list: Iterable<unknown> }
  | { readonly json: Iterable<string> }
  | { readonly record: Iterable<readonly [name: string, json: string]> }

/** One object: its plain fields, and its long ones item by item. O2: no line has control characters. */
export function* jsonLines(fields: Iterable<readonly [string, unknown]>): Generator<string> {
  for (const line of linesOf(fields)) yield escapeJson(line)
}

/** A value on one line, in the same way. */
export function jsonLine(value: unknown): string {
  return escapeJson(writeJson(value))
}

function* linesOf(fields: Iterable<readonly [string, unknown]>): Generator<string> {
  let lead = '{'
  for (const [name, value] of fields) {
    const start = `${lead}${JSON.stringify(name)}:`
    if (isSection(value)) yield* sectionLines(start, value)
    else yield `${start}${writeJson(value)}`
    lead = ','
  }
  yield '}'
}

function* sectionLines(start: string, section: Section): Generator<string> {
  const isRecord = 'record' in section
  let lead = `${start}${isRecord ? '{' : '['}`
  let isEmpty = true
  for (const item of itemsOf(section)) {
    yield `${lead}${item}`
    lead = ','
    isEmpty = false
  }
  yield `${isEmpty ? lead : ''}${isRecord ? '}' : ']'}`
}

function* itemsOf(section: Section): Generator<string> {
  if ('json' in section) yield* section.json
  else if ('list' in section) for (const item of section.list) yield writeJson(item)
  else for (const [name, json] of section.record) yield `${JSON.stringify(name)}:${json}`
}

function isSection(value: unknown): value is Section {
  if (typeof value !== 'object' || value === null) return false
  const [key, ...others] = Object.keys(value)
  return others.length === 0 && (key === 'list' || key === 'json' || key === 'record')
}
