/** `dagline census`: types by version, and what is not known: how a change of the format is noticed. */

import { type Census, type CensusType, jsonLines, type UnknownField } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { count, plural } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import { type Console, unreadField } from '../console.js'
import { type Column, tableLines } from '../print/table.js'
import { widthOf } from '../print/width.js'

/** Adds `dagline census`. */
export function addCensus(program: Command): void {
  const made = command(
    program,
    'census [session|path...]',
    'Count record types by Claude Code version, and list what is unknown.',
  )
  const act: Action = async (console, words) => {
    await census(console, words)
  }
  finish(made, act, ['dagline census', 'dagline census session.jsonl', 'dagline census --json | jq .unknown'])
}

/** Counts and prints the records of everything that the words name; of all without any. */
async function census(console: Console, words: readonly string[]): Promise<void> {
  const taken = await console.history.census(words)
  await console.print(console.options.json ? factLines(console, taken) : lines(console, taken))
}

function factLines(
  console: Console,
  { records, odd, types, unknownTypes, unknownFields }: Census,
): Iterable<string> {
  return jsonLines([
    ['dagline', 1],
    ['records', records],
    ['odd', odd],
    ['types', { list: types.map(typeFacts) }],
    ['unknown', { types: unknownTypes.map(typeFacts), fields: unknownFields.map(fieldFacts) }],
    ...unreadField(console),
  ])
}

function typeFacts({ type, total, versions }: CensusType): Readonly<Record<string, unknown>> {
  return { type, count: total, versions: Object.fromEntries(versions) }
}

function fieldFacts({ type, field, total, versions }: UnknownField): Readonly<Record<string, unknown>> {
  return { type, field, count: total, versions: [...versions.keys()] }
}

function* lines(console: Console, taken: Census): Generator<string> {
  const { style, width } = console
  yield `${plural(taken.records, 'record')} of ${plural(taken.types.length, 'type')}, ${plural(taken.versions.length, 'version')}`
  if (taken.odd > 0)
    yield `${plural(taken.odd, 'row')} that hold no single record: see \`dagline graph --summary\``
  yield ''
  if (taken.types.length > 0)
    yield* tableLines(taken.types, typeColumns(console, taken), { width, title: style.faint })
  if (taken.unknownTypes.length > 0) {
    yield ''
    yield style.bad(`${plural(taken.unknownTypes.length, 'type')} that dagline does not know:`)
    for (const { type, total, versions } of taken.unknownTypes) {
      yield `  ${cleanLine(type)}  ${style.faint(`${plural(total, 'record')}, ${span([...versions.keys()])}`)}`
    }
  }
  if (taken.unknownFields.length > 0) {
    yield ''
    yield style.bad(`${plural(taken.unknownFields.length, 'field')} that dagline does not know:`)
    for (const { type, field, total, versions } of taken.unknownFields) {
      yield `  ${cleanLine(type)}: ${cleanLine(field)}  ${style.faint(`${total}, ${span([...versions.keys()])}`)}`
    }
  }
  if (taken.unknownTypes.length + taken.unknownFields.length === 0) {
    yield ''
    yield style.good('Every type and field is known.')
  }
}

/** One column for each version if they fit, else for each `2.1.x`, else the first and last version in one. */
function typeColumns({ width, style }: Console, { types, versions }: Census): readonly Column<CensusType>[] {
  const base: readonly Column<CensusType>[] = [
    { title: 'type', text: row => cleanLine(row.type) },
    { title: 'count', text: row => count(row.total), side: 'left' },
  ]
  const used = types.reduce((most, row) => Math.max(most, widthOf(row.type)), 0) + 12
  const groups = [versions, [...new Set(versions.map(minor))]].find(
    names => used + names.reduce((sum, name) => sum + Math.max(7, name.length) + 2, 0) <= width,
  )
  if (groups === undefined) {
    return [...base, { title: 'versions', text: row => span([...row.versions.keys()]), paint: style.faint }]
  }
  return [...base, ...groups.map(name => versionColumn(name))]
}

function versionColumn(name: string): Column<CensusType> {
  const sum = ({ versions }: CensusType): number =>
    [...versions].reduce(
      (total, [version, number]) => (version === name || minor(version) === name ? total + number : total),
      0,
    )
  return { title: name, text: row => (sum(row) === 0 ? '' : sum(row).toLocaleString('en')), side: 'left' }
}

/** `2.1.x` of `2.1.325`. */
function minor(version: string): string {
  return version.replace(/^(\d+\.\d+)\.\d+.*$/, '$1.x')
}

function span(versions: readonly string[]): string {
  const [first, last] = [versions[0] ?? '', versions.at(-1) ?? '']
  return first === last ? first : `${first} to ${last}`
}
