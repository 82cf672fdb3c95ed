/** The man page of dagline, made from the same definitions as the help. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from './sources.ts'

/** The part of a commander program that the page is made from. */
interface Documented {
  readonly commands: readonly Documented[]
  readonly options: readonly { readonly flags: string; readonly description: string }[]
  name(): string
  usage(): string
  description(): string
}

interface Sources {
  readonly createProgram: () => Promise<Documented>
  readonly helpTextsOf: (command: Documented) => HelpTexts
  readonly TOPICS: Readonly<Record<string, { readonly about: string; readonly text: string }>>
}

interface HelpTexts {
  readonly notes: string
  readonly examples: readonly string[]
}

/** The page: dagline, its commands one after the other, and the topics of its help. */
export async function manPage(): Promise<string> {
  const { createProgram, helpTextsOf, TOPICS } = await loadSources()
  const program = await createProgram()
  const known = program.commands.filter(command => command.name() !== 'help')
  const common = new Set(
    program.options
      .map(({ flags }) => flags)
      .filter(flags => known.every(({ options }) => options.some(option => option.flags === flags))),
  )
  const commands = known.map(command => commandPart(command, helpTextsOf(command), common))
  const topics = Object.entries(TOPICS).map(
    ([name, { about, text }]) => `.SS ${name}: ${escaped(about)}\n${verbatim(text)}`,
  )
  const { notes, examples } = helpTextsOf(program)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'))
  return [
    `.TH DAGLINE 1 "" "dagline ${version}" "dagline"\n`,
    section('NAME', [`dagline \\- ${escaped(program.description())}`]),
    section('SYNOPSIS', ['.B dagline', escaped(program.usage())]),
    section('OPTIONS', program.options.map(entry)),
    section('COMMANDS', [escaped(`Every command also takes ${[...common].join('; ')}.`), ...commands]),
    section('NOTES', [verbatim(notes)]),
    section('EXAMPLES', [exampleLines(examples)]),
    section('TOPICS', topics),
  ].join('')
}

/** A command with what only it has: the options that all commands have are described once. */
function commandPart(
  command: Documented,
  { notes, examples }: HelpTexts,
  common: ReadonlySet<string>,
): string {
  const own = command.options.filter(({ flags }) => !common.has(flags)).map(entry)
  return [
    `.SS dagline ${escaped(`${command.name()} ${command.usage()}`)}`,
    escaped(command.description()),
    ...own,
    ...(notes === '' ? [] : ['.PP', verbatim(notes)]),
    '.PP',
    exampleLines(examples),
  ].join('\n')
}

function exampleLines(examples: readonly string[]): string {
  return verbatim(examples.map(line => `$ ${line}`).join('\n'))
}

/** The sources, bundled together: help texts are kept beside the commands that they belong to. */
async function loadSources(): Promise<Sources> {
  const folder = join(ROOT, 'node_modules', '.cache', 'dagline-man')
  const source = join(ROOT, 'packages', 'cli', 'src')
  const contents = ['program', 'command', 'topics'].map(name => `export * from './${name}.ts'`).join('\n')
  const outfile = join(folder, 'sources.mjs')
  await build({
    stdin: { contents, resolveDir: source, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return (await import(`${pathToFileURL(outfile).href}?${Date.now()}`)) as Sources
}

function section(title: string, lines: readonly string[]): string {
  return `.SH ${title}\n${lines.join('\n')}\n`
}

/** An option in bold, and its meaning. */
function entry({ flags, description }: Documented['options'][number]): string {
  return `.TP\n.B ${escaped(flags)}\n${escaped(description)}`
}

/** Text whose lines stay as they are. */
function verbatim(text: string): string {
  const lines = text.replace(/^\n+|\n+$/g, '').split('\n')
  return ['.nf', ...lines.map(escaped), '.fi'].join('\n')
}

/** Text in which roff sees no commands: a line that begins with a dot or a quote would be one. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
}
