/** A command is one value: usage, help, options and action. Options that several commands have are declared here. */
import { UserError } from '@dagline/app'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { COLOR_CHOICES, type ColorChoice, type CommonOptions, type Console, openConsole } from './console.js'
import { hubFor, takesHub } from './hub-choice.js'
import { nearest } from './near.js'
import { shared } from './options.js'
import { reflow } from './print/reflow.js'

/** An option, and how its value is read. */
export interface OptionSpec<T> {
  readonly option: Option
  /** Throws `UserError` for a value that is not valid. */
  readonly read: (value: unknown) => T
}

type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>

/** The values of options in an action. */
export type Values<S extends OptionSpecs> = {
  readonly [K in keyof S]: S[K] extends OptionSpec<infer T> ? T : never
}

/** What help prints of a command, and what the command does. */
interface Definition<S extends OptionSpecs> {
  /** Name and arguments: `log <session>`. */
  readonly usage: string
  readonly description: string
  readonly options?: S
  readonly examples: readonly string[]
  /** Text of the help before the examples. */
  readonly notes?: string
  /** It prints text for another program, and no JSON. */
  readonly isText?: boolean
  /** It is about all projects, wherever it is run. */
  readonly isEverywhere?: boolean
  readonly run: (console: Console, words: readonly string[], options: Values<S>) => Promise<void>
}

/** Adds a command to the program. */
export type AddCommand = (program: Command) => void

/** A command of the program. */
export function defineCommand<S extends OptionSpecs>(definition: Definition<S>): AddCommand {
  return program => {
    const made = program.command(definition.usage).helpOption('-h, --help', 'print this help')
    const name = `${program.name()} ${made.name()}`
    made.configureOutput({ outputError: (text, write) => write(sentence(text, name)) })
    setUp(made.allowExcessArguments(false), definition)
  }
}

/** What the help of a command says besides its usage, description and options. */
interface HelpTexts {
  readonly notes: string
  readonly examples: readonly string[]
}

const helpTexts = new WeakMap<Command, HelpTexts>()

/** The notes and examples of a command, for others that print them than help. */
export function helpTextsOf(command: Command): HelpTexts {
  return helpTexts.get(command) ?? { notes: '', examples: [] }
}

/** Gives a command its description, options, action and examples. */
export function setUp<S extends OptionSpecs>(made: Command, definition: Omit<Definition<S>, 'usage'>): void {
  const { description, options, examples, notes = '', isEverywhere = false, isText = false, run } = definition
  const { json, hub, person, machine, ...others } = COMMON_OPTIONS
  const common = isText ? others : { json, ...others }
  helpTexts.set(made, { notes: notes.trim(), examples })
  for (const { option } of Object.values({ ...options, ...common })) addOnce(made, option)
  const isShown = made.parent === null || takesHub(made.name())
  for (const { option } of [hub, person, machine]) addOnce(made, isShown ? option : hidden(option))
  made
    .description(description)
    .action(async () => {
      const common = commonOptions(made, isEverywhere)
      const hub = hubFor(made.name(), common)
      const values = valuesOf(made, options)
      if (hub !== null) refuseIndex(values)
      await run(await openConsole(common, hub), made.args, values)
    })
    .addHelpText('after', () =>
      reflow(paragraphs(notes, `Examples:\n${examples.map(line => `  $ ${line}`).join('\n')}`), helpWidth()),
    )
}

const WIDEST_HELP = 100

/** U10: how wide help is. */
export function helpWidth(): number {
  return Math.min(Number(process.env['COLUMNS']) || process.stdout.columns || WIDEST_HELP, WIDEST_HELP)
}

/** Texts below the options, each after a blank line. Indentation at the beginning of a text stays. */
function paragraphs(...texts: readonly string[]): string {
  return texts
    .map(text => text.replace(/^\n+/, '').trimEnd())
    .filter(text => text !== '')
    .map(text => `\n${text}`)
    .join('\n')
}

/** U5: a project narrows what is not named otherwise. */
export function refuseBoth(words: readonly string[], project: string | null): void {
  if (words.length > 0 && project !== null)
    throw new UserError('A session or path and --project do not go together. Give one of them.')
}

/** A hub has an index of its own. */
function refuseIndex(values: Readonly<Record<string, unknown>>): void {
  if (typeof values['index'] !== 'string') return
  throw new UserError(
    '--index is a file of this machine, and a hub has an index of its own. Give one of them.',
  )
}

/** An option that is understood, so that a sentence can say why it has no meaning there, but not listed by help. */
function hidden(option: Option): Option {
  return Object.assign(new Option(option.flags, option.description), option).hideHelp()
}

/** U5: an option with one value is given once: the last of several would win without a word. */
function addOnce(made: Command, option: Option): void {
  made.addOption(option)
  if (!option.required && !option.optional) return
  let count = 0
  made.on(`option:${option.name()}`, () => {
    count++
    if (count > 1 && !Array.isArray(made.getOptionValue(option.attributeName())))
      throw new UserError(`${option.long} was given twice. Give it once.`)
  })
}

function valuesOf<S extends OptionSpecs>(made: Command, specs: S | undefined): Values<S> {
  const values = Object.entries(specs ?? {}).map(([name, { option, read }]) => [
    name,
    read(made.getOptionValue(option.attributeName())),
  ])
  return Object.fromEntries(values)
}

/** `error: unknown option '--x'` as a sentence that names the help of the command. */
export function sentence(error: string, name: string): string {
  const plain = withNearGuess(
    error
      .replace(/^error: /, '')
      .trim()
      .replace(/\n\(/, ' (')
      .replace(/\.$/, ''),
  )
  const isWord = plain.startsWith('unknown option') && name.endsWith(' search')
  const advice = isWord ? ' write words that begin with - after --, as in `dagline search -- -x`;' : ''
  return `dagline: ${plain};${advice} see \`${name} --help\`.\n`
}

/** Only what differs by a slip of the finger is suggested: `--root` for `--sort` would not help. */
function withNearGuess(error: string): string {
  const [, start, typed = '', guesses = ''] =
    /^(unknown option '--(.+?)') \(Did you mean (?:one of )?(.+)\?\)$/.exec(error) ?? []
  const names = guesses.split(', ').map(guess => guess.slice('--'.length))
  return start === undefined || nearest(typed, names) !== null ? error : start
}

/** An option without a value; one that begins with `--no-` is true unless it is given. */
export function flag(flags: string, help: string): OptionSpec<boolean> {
  return { option: new Option(flags, help), read: value => value === true }
}

/** An option with a text; null where it is not given. An empty one is a variable of the shell that has no value. */
export function text(flags: string, help: string): OptionSpec<string | null> {
  const option = new Option(flags, help)
  const read = (value: unknown): string | null => {
    if (value === '') throw new UserError(`${option.long} is empty. Give it a value, or remove it.`)
    return typeof value === 'string' ? value : null
  }
  return { option, read }
}

/** An option with or without a text; empty without, null where it is not given. */
export function optionalText(flags: string, help: string): OptionSpec<string | null> {
  const read = (value: unknown): string | null =>
    value === undefined ? null : value === true ? '' : String(value)
  return { option: new Option(flags, help), read }
}

/** An option that a command cannot do without. */
export function requiredText(flags: string, help: string): OptionSpec<string> {
  return { option: new Option(flags, help).makeOptionMandatory(), read: String }
}

/** An option that may be repeated; each value is one of the choices, where these are given. */
export function list(
  flags: string,
  help: string,
  choices: readonly string[] = [],
): OptionSpec<readonly string[]> {
  const option = new Option(flags, help)
  if (choices.length > 0) option.choices(choices)
  const collect = (value: string, before: readonly string[] | undefined): readonly string[] => {
    if (choices.length === 0 || choices.includes(value)) return [...(before ?? []), value]
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
  }
  return { option: option.argParser(collect), read: value => (Array.isArray(value) ? value.map(String) : []) }
}

/** An option with one of some values, and its value where it is not given. */
export function choice<T extends string, D extends T | null>(
  flags: string,
  help: string,
  choices: readonly T[],
  initial: D,
): OptionSpec<T | D> {
  const option = new Option(flags, help).choices(choices)
  if (initial !== null) option.default(initial)
  return { option, read: value => choices.find(known => known === value) ?? initial }
}

/** An option that cannot be given together with others. */
export function conflicting<T>(spec: OptionSpec<T>, others: string[]): OptionSpec<T> {
  spec.option.conflicts(others)
  return spec
}

/** What a number must be, and its value where the option is not given. */
interface NumberOptions<D> {
  readonly isValid: (number: number) => boolean
  /** `a number of seconds above 0`. */
  readonly expected: string
  readonly default: D
}

/** An option with a number. */
export function number<D extends number | null>(
  flags: string,
  help: string,
  { isValid, expected, default: initial }: NumberOptions<D>,
): OptionSpec<number | D> {
  const option = new Option(flags, help)
  if (initial !== null) option.default(initial)
  const read = (value: unknown): number | D => {
    if (value === undefined) return initial
    if (/^\d+(?:\.\d+)?$/.test(String(value)) && isValid(Number(value))) return Number(value)
    throw new UserError(`${option.long} ${value} is not valid. Give ${expected}.`)
  }
  return { option, read }
}

/** An option with a whole number from `least` to `most`. */
export function wholeNumber<D extends number | null>(
  flags: string,
  help: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER, default: initial }: Range<D>,
): OptionSpec<number | D> {
  const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of ${least} or more`
  return number(flags, help, {
    isValid: value => Number.isInteger(value) && value >= least && value <= most,
    expected: `a whole number ${range}`,
    default: initial,
  })
}

interface Range<D> {
  readonly least?: number
  readonly most?: number
  readonly default: D
}

/** O4: `--no-color` sets the same value. */
function colorOption(): OptionSpec<ColorChoice> {
  const option = new Option('--color <when>', 'use colors: always, never, or auto (on a terminal)')
  const read = (value: unknown): ColorChoice =>
    value === false ? 'never' : (COLOR_CHOICES.find(known => known === value) ?? 'auto')
  return { option: option.choices(COLOR_CHOICES), read }
}

const COMMON_OPTIONS = {
  json: flag('--json', 'print JSON'),
  root: list('--root <dir>', 'projects root to read instead of the default; may be repeated'),
  color: colorOption(),
  plain: flag('--no-color', 'the same as --color never, or NO_COLOR'),
  quiet: flag('-q, --quiet', 'print only data and errors'),
  everywhere: flag('--everywhere', 'all projects, not only the one of the working directory'),
  hub: optionalText('--hub [url]', 'ask the hub of a team instead of this machine (default: setting hub)'),
  person: text('--person <name>', 'with --hub: only sessions of this person'),
  machine: text('--machine <name>', 'with --hub: only sessions of machines of this name'),
}

/** Common options are valid before and after the name of the command. */
function commonOptions(made: Command, isEverywhere: boolean): CommonOptions {
  const all = [made, ...(made.parent === null ? [] : [made.parent])].map(each =>
    valuesOf(each, COMMON_OPTIONS),
  )
  return {
    json: all.some(({ json }) => json),
    quiet: all.some(({ quiet }) => quiet),
    color: all.find(({ color }) => color !== 'auto')?.color ?? 'auto',
    root: all.flatMap(({ root }) => root),
    everywhere: isEverywhere || all.some(({ everywhere }) => everywhere),
    hub: all.find(({ hub }) => hub !== null)?.hub ?? null,
    person: all.find(({ person }) => person !== null)?.person ?? null,
    machine: all.find(({ machine }) => machine !== null)?.machine ?? null,
  }
}

/** The option of commands that use the index. */
export const INDEX: OptionSpec<string | null> = text(...shared('index'))

/** The option of commands that can be narrowed to a project. */
export const PROJECT: OptionSpec<string | null> = text(...shared('project'))

/** The option of commands that can be narrowed to a session. */
export const SESSION: OptionSpec<string | null> = text(...shared('session'))

/** V1: the port of the viewer: below those that systems give to programs, and assigned to no service. */
export const DEFAULT_PORT = 32_454

/** The option of commands that start the viewer. */
export const PORT: OptionSpec<number | null> = wholeNumber(
  ...shared('port', ` (default: ${DEFAULT_PORT}, or a free one where that is in use)`),
  { most: 65_535, default: null },
)

/** The option of commands that use the archive. */
export const ARCHIVE: OptionSpec<string | null> = text(...shared('archive'))

/** The option of commands that omit sessions without a conversation. */
export const ALL_SESSIONS: OptionSpec<boolean> = flag(
  ...shared('all', ', also empty sessions and those that only warm the cache'),
)

/** The option of commands that ask before they write. */
export const YES: OptionSpec<boolean> = flag(...shared('yes'))

/** The option of commands that can show what they would do. */
export const DRY_RUN: OptionSpec<boolean> = flag(...shared('dryRun'))

type EditSpecs = Readonly<
  Record<'title' | 'out', OptionSpec<string | null>> & Record<'snapshot' | 'dryRun', OptionSpec<boolean>>
>

/** The options of commands that write a new session. */
export const EDIT_OPTIONS: EditSpecs = {
  title: text(...shared('title')),
  out: text(...shared('out', ': another projects root for the new session')),
  snapshot: flag('--snapshot', 'copy a session that is in use, as it is now'),
  dryRun: DRY_RUN,
}
