/** Every command with its options, help and examples. What a command does is loaded when it is run. */
import { Command, Option } from 'commander'
import { type CommonOptions, type Console, openConsole, Refusal } from './console.js'

/** The version of the package. */
export const VERSION = '0.0.0'

const WIDEST_HELP = 100

/** The whole command line; docs/CLI.md is made from it. */
export function createProgram(): Command {
  const program = new Command('dagline')
    .description('See, search, measure, repair, branch and reuse your Claude Code history.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'Print the help of a command.')
    .configureHelp({ helpWidth: Math.min(process.stdout.columns || WIDEST_HELP, WIDEST_HELP) })
    .configureOutput({ outputError: (text, write) => write(sentence(text)) })
    .enablePositionalOptions()
    .allowExcessArguments()
    .exitOverride()
  for (const add of [graph, ls, log, tree, branches, explain, show, census]) add(program)
  const overview: Action = async (console, [word]) => {
    if (word !== undefined) throw new Refusal(`There is no command ${word}: \`dagline --help\` lists them.`)
    await (await import('./commands/overview.js')).overview(console)
  }
  return finish(program, overview, ['dagline', 'dagline ls', 'dagline log latest --graph'], WORDS)
}

const WORDS = `
PATH is a transcript (.jsonl), a project folder or a projects root; without one, the default root is
read: projects/ in CLAUDE_CONFIG_DIR, else in ~/.claude.
SESSION is a session id, a unique prefix of one, "latest", or the path of a transcript.
REF is a uuid or a unique prefix of one, SESSION:uuid, or the id of a branch (SESSION@uuid).
On a terminal, log and show use PAGER, else less; set PAGER to nothing for none.
Exit codes: 0 done, 1 the request could not be met, 2 internal error.
`

function graph(program: Command): void {
  const made = command(
    program,
    'graph [path...]',
    'Print all that is known of the conversation graph, without contents.',
  ).option('--summary', 'print totals, and diagnostics counted by rule')
  const act: Action = async (console, paths, { summary }) => {
    await (await import('./commands/graph.js')).graph(console, paths, summary === true)
  }
  finish(made, act, [
    'dagline graph ~/.claude/projects --summary',
    'dagline graph session.jsonl --json | jq .totals',
    'dagline graph . --json | jq \'.forks[] | select(.kind == "rewind")\'',
  ])
}

function ls(program: Command): void {
  const made = command(program, 'ls [path...]', 'List projects and sessions.').option(
    '-a, --all',
    'include sessions that only warm up, and empty ones',
  )
  const act: Action = async (console, paths, { all }) => {
    await (await import('./commands/ls.js')).ls(console, paths, all === true)
  }
  finish(made, act, [
    'dagline ls',
    'dagline ls ~/.claude/projects/-home-dev-proj',
    "dagline ls --json | jq -r '.sessions[] | select(.branches > 0).session'",
  ])
}

function log(program: Command): void {
  const live = new Option('--live', 'what the next request would carry, and nothing else')
  const made = command(
    program,
    'log <session>',
    'Print a conversation: branches and agents are folded to one line each.',
  )
    .option('-g, --graph', 'draw lanes: branches and agents in full, where they leave and come back')
    .option('-a, --all', 'everything: branches, agents, hooks, attachments, progress, thinking')
    .addOption(live.conflicts(['branch', 'all']))
    .option('--branch <id>', 'one branch or agent, from where it leaves')
  const act: Action = async (console, [session = ''], options) => {
    await (await import('./commands/log.js')).log(console, session, {
      graph: options['graph'] === true,
      all: options['all'] === true,
      live: options['live'] === true,
      branch: typeof options['branch'] === 'string' ? options['branch'] : null,
    })
  }
  finish(made, act, [
    'dagline log latest',
    'dagline log latest --graph',
    'dagline log 4539d2d0 --live',
    'dagline log a2a9607f --branch @7e083490',
    'dagline log session.jsonl --json | jq .rows',
  ])
}

function tree(program: Command): void {
  const made = command(
    program,
    'tree [path...]',
    'Print how sessions hang together: resumed, forked, branched, cleared.',
  ).option('-a, --all', 'include sessions that only warm up, and empty ones')
  const act: Action = async (console, paths, { all }) => {
    await (await import('./commands/tree.js')).tree(console, paths, all === true)
  }
  finish(made, act, ['dagline tree', 'dagline tree ~/.claude/projects/-home-dev-proj'])
}

function branches(program: Command): void {
  const made = command(
    program,
    'branches <session>',
    'List the forks of a session: what was left, and for what.',
  ).option('-a, --all', 'include what looks like a fork and is none, with the reason')
  const act: Action = async (console, [session = ''], { all }) => {
    await (await import('./commands/branches.js')).branches(console, session, all === true)
  }
  finish(made, act, [
    'dagline branches latest',
    'dagline branches a2a9607f --all',
    'dagline branches latest --json | jq .forks',
  ])
}

function explain(program: Command): void {
  const made = command(
    program,
    'explain <ref>',
    'Say why an entry is where it is: parent, verdict, evidence, live or not.',
  )
  const act: Action = async (console, [ref = '']) => {
    await (await import('./commands/explain.js')).explain(console, ref)
  }
  finish(made, act, [
    'dagline explain 79cad093',
    'dagline explain latest:79ca',
    'dagline explain 79cad093 --json | jq .because',
  ])
}

function show(program: Command): void {
  const made = command(
    program,
    'show <ref>',
    'Print one message: all its parts, its tool calls and their results.',
  ).option('--raw', 'print the rows as they stand in the file')
  const act: Action = async (console, [ref = ''], { raw }) => {
    await (await import('./commands/show.js')).show(console, ref, raw === true)
  }
  finish(made, act, [
    'dagline show 79cad093',
    'dagline show latest:79ca',
    'dagline show 79cad093 --raw | jq .message',
  ])
}

function census(program: Command): void {
  const made = command(
    program,
    'census [path...]',
    'Count types by version, and what is not known of the format.',
  )
  const act: Action = async (console, paths) => {
    await (await import('./commands/census.js')).census(console, paths)
  }
  finish(made, act, ['dagline census', 'dagline census session.jsonl', 'dagline census --json | jq .unknown'])
}

function command(program: Command, usage: string, description: string): Command {
  return program.command(usage).description(description).helpOption('-h, --help', 'print this help')
}

type Options = Readonly<Record<string, unknown>>
type Action = (console: Console, words: readonly string[], options: Options) => Promise<void>

/** Adds what all commands have: common options, an action, examples. */
function finish(made: Command, act: Action, examples: readonly string[], words = ''): Command {
  const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]
  return made
    .option('--json', 'print JSON')
    .option('--root <dir>', 'a projects root to read instead of the default; may be repeated', collect)
    .option('--no-color', 'no colours; so does NO_COLOR')
    .option('-q, --quiet', 'nothing but data and errors')
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

/** `error: unknown option '--x'` as a sentence that says what to do. */
function sentence(error: string): string {
  const plain = error
    .replace(/^error: /, '')
    .trim()
    .replace(/\n\(/, ' (')
    .replace(/\.$/, '')
  return `dagline: ${plain}; see \`dagline --help\`.\n`
}
