/** What all commands have in common: help, common options, an action, examples. */
import type { EditOptions } from '@dagline/app'
import type { Command } from 'commander'
import { type CommonOptions, type Console, openConsole } from './console.js'

/** A command of the program, with its help. */
export function command(program: Command, usage: string, description: string): Command {
  const made = program.command(usage).description(description).helpOption('-h, --help', 'print this help')
  const name = `${program.name()} ${made.name()}`
  return made.configureOutput({ outputError: (text, write) => write(sentence(text, name)) })
}

/** `error: unknown option '--x'` as a sentence that says what to do, and whose help says more. */
export function sentence(error: string, name: string): string {
  const plain = error
    .replace(/^error: /, '')
    .trim()
    .replace(/\n\(/, ' (')
    .replace(/\.$/, '')
  const isWord = plain.startsWith('unknown option') && name.endsWith(' search')
  const advice = isWord ? ' words that begin with - go behind --, as in `dagline search -- -x`;' : ''
  return `dagline: ${plain};${advice} see \`${name} --help\`.\n`
}

/** What a command does with its words and options. */
export type Action = (console: Console, words: readonly string[], options: Options) => Promise<void>

/** Adds what all commands have: common options, an action, examples. */
export function finish(made: Command, act: Action, examples: readonly string[], words = ''): Command {
  return made
    .option('--json', 'print JSON')
    .option('--root <dir>', 'projects root to read instead of the default; may be repeated', collect)
    .option('--no-color', 'disable colors; NO_COLOR does the same')
    .option('-q, --quiet', 'print only data and errors')
    .action(async function (this: Command) {
      await act(openConsole(commonOptions(this)), this.args, this.opts())
    })
    .addHelpText('after', `${words}\nExamples:\n${examples.map(line => `  $ ${line}`).join('\n')}`)
}

/** Options may stand before and after the command's name. */
function commonOptions(made: Command): CommonOptions {
  const all = [made, ...(made.parent === null ? [] : [made.parent])].map(each => each.opts<Options>())
  return {
    json: all.some(options => options['json'] === true),
    quiet: all.some(options => options['quiet'] === true),
    color: all.every(options => options['color'] !== false),
    root: all.flatMap(options => (Array.isArray(options['root']) ? options['root'].map(String) : [])),
  }
}

/** Options as the command line gave them. */
export type Options = Readonly<Record<string, unknown>>

/** An option with a text, or null where it was not given. */
export function textIn(options: Options, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

/** Adds the option of all commands that use the index. */
export function withIndexOption(made: Command): Command {
  return made.option('--index <file>', 'index file to use (default: in the cache folder)')
}

/** Adds the options of all commands that write a new session. */
export function withEditOptions(made: Command): Command {
  return made
    .option('--title <text>', 'title of the new session')
    .option('--out <dir>', 'projects root to write the new session to')
    .option('--snapshot', 'copy a session that is in use, as it is now')
    .option('-n, --dry-run', 'check everything, but write nothing')
}

/** The options of a command that writes a new session. */
export function editOptions(options: Options): EditOptions {
  return {
    out: textIn(options, 'out'),
    title: textIn(options, 'title'),
    snapshot: options['snapshot'] === true,
    dryRun: options['dryRun'] === true,
  }
}
