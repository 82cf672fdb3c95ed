/** `dagline census`: record types by version, and what is unknown: how a change of the format is noticed. */
import type { Census, CensusType, UnknownField } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { count, plural } from '@dagline/core/format'
import { type AddCommand, defineCommand, INDEX } from '../command.js'
import { type Console, unreadField } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import type { CensusJson, RecordTypeJson } from '../json/history.js'
import { type Column, figureColumn, tableLines } from '../print/table.js'
import { widthOf } from '../print/width.js'

export const censusCommand: AddCommand = defineCommand({
  usage: 'census [session|path...]',
  description: 'Count record types by Claude Code version, and list what is unknown.',
  options: { index: INDEX },
  examples: ['dagline census', 'dagline census session.jsonl', 'dagline census --json | jq .unknown'],
  run: async (console, words, options) => {
    const census = await console.history.census(words, options)
    if (console.options.json)
      await console.printJson('census', { ...factsOf(census), ...unreadField(console) })
    else if (census.records > 0) await console.page(() => lines(console, census))
  },
})

function factsOf({ records, odd, types, unknownTypes, unknownFields }: Census): JsonFields<'census'> {
  const unknown = { types: unknownTypes.map(typeFacts), fields: unknownFields.map(fieldFacts) }
  return { records, odd, types: { list: types.map(typeFacts) }, unknown }
}

function typeFacts({ type, total, versions }: CensusType): RecordTypeJson {
  return { type, count: total, versions: Object.fromEntries(versions) }
}

function fieldFacts({ type, field, total, versions }: UnknownField): CensusJson['unknown']['fields'][number] {
  return { type, field, count: total, versions: [...versions.keys()] }
}

function* lines(console: Console, census: Census): Generator<string> {
  const { style } = console
  const { records, types, versions, odd, unknownTypes, unknownFields } = census
  yield `${plural(records, 'record')} of ${plural(types.length, 'type')}, ${plural(versions.length, 'version')}`
  if (odd > 0) {
    const what = plural(
      odd,
      'row does not hold exactly one record',
      'rows do not hold exactly one record each',
    )
    yield `${what}: \`dagline graph --summary\` counts the reasons`
  }
  yield ''
  if (types.length > 0) yield* tableLines(types, typeColumns(console, census), console)
  yield* unknownLines(console, 'type', unknownTypes, ({ type }) => cleanLine(type))
  yield* unknownLines(console, 'field', unknownFields, ({ type, field }) => cleanLine(`${type}: ${field}`))
  if (unknownTypes.length + unknownFields.length > 0) return
  yield ''
  yield style.good('Every type and field is known.')
}

function* unknownLines<T extends CensusType | UnknownField>(
  { style }: Console,
  what: string,
  unknown: readonly T[],
  nameOf: (item: T) => string,
): Generator<string> {
  if (unknown.length === 0) return
  yield ''
  yield style.bad(`${plural(unknown.length, what)} that dagline does not know:`)
  for (const item of unknown) {
    const where = `${plural(item.total, 'record')}, ${versionRange([...item.versions.keys()])}`
    yield `  ${nameOf(item)}  ${style.faint(where)}`
  }
}

/** One column for each version if they fit, else for each `2.1.x`, else the first and last version in one. */
function typeColumns({ width, style }: Console, { types, versions }: Census): readonly Column<CensusType>[] {
  const base: readonly Column<CensusType>[] = [
    { title: 'type', text: row => cleanLine(row.type), flexible: true },
    { title: 'count', text: row => count(row.total), align: 'right' },
  ]
  const used = types.reduce((most, row) => Math.max(most, widthOf(row.type)), 0) + 12
  const groups = [versions, [...new Set(versions.map(minor))]].find(
    names => used + names.reduce((sum, name) => sum + Math.max(7, name.length) + 2, 0) <= width,
  )
  if (groups === undefined) {
    return [
      ...base,
      { title: 'versions', text: row => versionRange([...row.versions.keys()]), paint: style.faint },
    ]
  }
  return [...base, ...groups.map(name => versionColumn(name))]
}

function versionColumn(name: string): Column<CensusType> {
  return figureColumn(name, ({ versions }) =>
    [...versions].reduce(
      (sum, [version, number]) => (version === name || minor(version) === name ? sum + number : sum),
      0,
    ),
  )
}

/** `2.1.x` of `2.1.325`. */
function minor(version: string): string {
  return version.replace(/^(\d+\.\d+)\.\d+.*$/, '$1.x')
}

function versionRange(versions: readonly string[]): string {
  const [first, last] = [versions[0] ?? '', versions.at(-1) ?? '']
  return first === last ? first : `${first} to ${last}`
}
