/** One notion of a list for all commands that print one: its options, its order, and how it is printed. */
import { cleanLine } from '@dagline/core/content'
import { choice, flag, INDEX, type OptionSpec, PROJECT, text, wholeNumber } from './command.js'
import { type Console, unreadField } from './console.js'
import type { JsonFields, JsonLine } from './json/fields.js'
import { shared } from './options.js'
import { type Column, tableLines } from './print/table.js'

/** The options that choose rows by time. */
export const SPAN_OPTIONS: Readonly<Record<'since' | 'until', OptionSpec<string | null>>> = {
  since: text(...shared('since')),
  until: text(...shared('until')),
}

/** The option of lists that print one JSON object on a line. */
export const JSONL: OptionSpec<boolean> = flag(...shared('jsonl'))

/** The options of every list. */
export const LIST_OPTIONS: Readonly<
  Record<'index' | 'project' | 'since' | 'until', OptionSpec<string | null>> & {
    readonly limit: OptionSpec<number | null>
    readonly jsonl: OptionSpec<boolean>
  }
> = {
  index: INDEX,
  project: PROJECT,
  ...SPAN_OPTIONS,
  limit: wholeNumber(...shared('limit', ' rows'), { least: 1, default: null }),
  jsonl: JSONL,
}

/** Their values. */
export interface ListValues {
  readonly index: string | null
  readonly project: string | null
  readonly since: string | null
  readonly until: string | null
  readonly limit: number | null
  readonly jsonl: boolean
}

/** A list without options. */
export const NO_OPTIONS: ListValues = {
  index: null,
  project: null,
  since: null,
  until: null,
  limit: null,
  jsonl: false,
}

/** What rows can be sorted by: numbers and times with the largest first, texts in their order; unknown values last. */
export type SortKeys<T> = Readonly<Record<string, (row: T) => number | string | null>>

/** The option that names one of the keys; the first one is the usual order. */
export function sortOption<T>(keys: SortKeys<T>): OptionSpec<string | null> {
  const names = Object.keys(keys)
  return choice(...shared('sort', ` (default: ${names[0]})`), names, null)
}

/** The rows by a key; as they are without one. */
export function sortRows<T>(rows: readonly T[], keys: SortKeys<T>, key: string | null): readonly T[] {
  const read = key === null ? undefined : keys[key]
  if (read === undefined) return rows
  return rows.toSorted((a, b) => compareValues(read(a), read(b)))
}

function compareValues(a: number | string | null, b: number | string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return typeof a === 'string' || typeof b === 'string' ? String(a).localeCompare(String(b)) : b - a
}

/** The commands that print lists. */
type ListCommand = 'ls' | 'branches' | 'agents' | 'files' | 'prompts' | 'now' | 'lessons' | 'waste' | 'search'

/** A list that is to be printed. */
interface Listing<N extends ListCommand, T, Item extends JsonLine<N>> {
  readonly command: N
  readonly rows: readonly T[]
  /** A row in JSON output, also on a line of its own. */
  readonly facts: (row: T) => Item
  /** All of JSON output, with the rows. */
  readonly json: (rows: { readonly list: readonly Item[] }) => JsonFields<N>
  readonly lines: (rows: readonly T[]) => Iterable<string>
}

/** Whether a program reads the output. */
export function isData({ options }: Console, { jsonl }: { readonly jsonl: boolean }): boolean {
  return options.json || jsonl
}

/** Prints a list: as JSON, one object a line, or as text, which a pager shows on a terminal. */
export async function printList<N extends ListCommand, T, Item extends JsonLine<N>>(
  console: Console,
  options: Pick<ListValues, 'jsonl'>,
  { command, rows, facts, json, lines }: Listing<N, T, Item>,
): Promise<void> {
  if (options.jsonl) await console.printJsonLines(command, rows.map(facts))
  else if (console.options.json)
    await console.printJson(command, { ...json({ list: rows.map(facts) }), ...unreadField(console) })
  else if (rows.length > 0) await console.page(() => lines(rows))
}

/** What a project is cut to where there is little room. */
export const SHORT_PROJECT = 20

interface OfProject {
  readonly project: string
  readonly cwd: string | null
}

/** The name of a project: the last two parts of its working folder. JSON output has all of it. */
export function projectName({ cwd, project }: OfProject): string {
  const parts = (cwd ?? project).split(/[/\\]/).filter(part => part !== '')
  return cleanLine(parts.slice(-2).join('/'))
}

/** The same as a column. */
export function projectColumn<T extends OfProject>(dropRank: number): Column<T> {
  return { title: 'project', text: projectName, keepsEnd: true, shrinksTo: SHORT_PROJECT, dropRank }
}

/** Whether rows are of one session, or of a project that has one folder: a column for the project says nothing new. */
export function isOfOne(word: string | undefined, rows: readonly { readonly project: string }[]): boolean {
  return word !== undefined && rows.every(({ project }) => project === rows[0]?.project)
}

/** The same for a table; a column without a value in any row is hidden. */
export async function printTable<N extends ListCommand, T, Item extends JsonLine<N>>(
  console: Console,
  options: Pick<ListValues, 'jsonl'>,
  { columns, ...listing }: Omit<Listing<N, T, Item>, 'lines'> & { readonly columns: readonly Column<T>[] },
): Promise<void> {
  const shown = columns.map(column => ({ hiddenIf: '', ...column }))
  await printList(console, options, { ...listing, lines: rows => tableLines(rows, shown, console) })
}
