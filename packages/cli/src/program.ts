/** Every command with its options, help and examples. What a command does is loaded when it is run. */
import { Command, Option } from 'commander'
import { type CommonOptions, type Console, openConsole } from './console.js'

/** The whole command line; docs/CLI.md is made from it. */
export function createProgram(): Command {
  const program = new Command('dagline')
    .description('See, search, measure, repair, branch and reuse your Claude Code history.')
    .version('0.0.0', '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [command]', 'Print the help of a command.')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(sentence(text)) })
  common(program)
    .action(run(async console => (await import('./commands/overview.js')).overview(console)))
    .addHelpText('after', examples(WORDS, ['dagline', 'dagline ls', 'dagline log latest --graph']))
  for (const add of [graph, ls, log, tree, branches, explain, show, census]) add(program)
  return program
}

const WORDS = `
PATH is a transcript (.jsonl), a project folder or a projects root; without one, the default root is read:
projects/ in CLAUDE_CONFIG_DIR, else in ~/.claude.
SESSION is a session id, a unique prefix of one, "latest", or the path of a transcript.
REF is a uuid or a unique prefix of one, SESSION:uuid, or the id of a branch (SESSION@uuid).
Exit codes: 0 done, 1 the request could not be met, 2 internal error.
`

function graph(program: Command): void {
  command(program, 'graph', 'Print everything that is known of the conversation graph, without contents.')
    .argument('<path...>', 'transcripts, project folders or projects roots')
    .option('--summary', 'print totals, and diagnostics counted by rule')
    .action(
      run(async (console, paths, options) =>
        (await import('./commands/graph.js')).graph(console, paths, options['summary'] === true),
      ),
    )
    .addHelpText(
      'after',
      examples('', [
        'dagline graph ~/.claude/projects --summary',
        'dagline graph session.jsonl --json | jq .totals',
        'dagline graph . --json | jq \'.forks[] | select(.kind == "rewind")\'',
      ]),
    )
}

function ls(program: Command): void {
  command(program, 'ls', 'List projects and sessions.')
    .argument('[path...]', 'transcripts, project folders or projects roots')
    .option('-a, --all', 'include sessions that only warm up, and empty ones')
    .action(
      run(async (console, paths, options) =>
        (await import('./commands/ls.js')).ls(console, paths, options['all'] === true),
      ),
    )
    .addHelpText(
      'after',
      examples('', [
        'dagline ls',
        'dagline ls ~/.claude/projects/-home-dev-proj',
        "dagline ls --json | jq -r '.sessions[] | select(.branches > 0).session'",
      ]),
    )
}

function log(program: Command): void {
  command(
    program,
    'log',
    'Print a conversation: the trunk, with branches and agents folded to one line each.',
  )
    .argument('<session>', 'session id, unique prefix, "latest" or path')
    .option('-g, --graph', 'draw lanes: branches and agents in full, where they leave and come back')
    .option('-a, --all', 'everything: branches, agents, hooks, attachments, progress, thinking')
    .addOption(
      new Option('--live', 'what the next request would carry, and nothing else').conflicts([
        'branch',
        'all',
      ]),
    )
    .option('--branch <id>', 'one branch or agent, from where it leaves')
    .action(
      run(async (console, [session = ''], options) =>
        (await import('./commands/log.js')).log(console, session, {
          graph: options['graph'] === true,
          all: options['all'] === true,
          live: options['live'] === true,
          branch: text(options['branch']),
        }),
      ),
    )
    .addHelpText(
      'after',
      examples('', [
        'dagline log latest',
        'dagline log latest --graph',
        'dagline log 4539d2d0 --live',
        'dagline log a2a9607f --branch a2a9607f@0d1c',
        'dagline log session.jsonl --json | jq .rows',
      ]),
    )
}

function tree(program: Command): void {
  command(
    program,
    'tree',
    'Print how sessions hang together: resumed, forked, branched, in the background, cleared.',
  )
    .argument('[path...]', 'transcripts, project folders or projects roots')
    .option('-a, --all', 'include sessions that only warm up, and empty ones')
    .action(
      run(async (console, paths, options) =>
        (await import('./commands/tree.js')).tree(console, paths, options['all'] === true),
      ),
    )
    .addHelpText('after', examples('', ['dagline tree', 'dagline tree ~/.claude/projects/-home-dev-proj']))
}

function branches(program: Command): void {
  command(program, 'branches', 'List the forks of a session: what was left, and for what.')
    .argument('<session>', 'session id, unique prefix, "latest" or path')
    .option('-a, --all', 'include what looks like a fork and is none, with the reason')
    .action(
      run(async (console, [session = ''], options) =>
        (await import('./commands/branches.js')).branches(console, session, options['all'] === true),
      ),
    )
    .addHelpText(
      'after',
      examples('', [
        'dagline branches latest',
        'dagline branches a2a9607f --all',
        'dagline branches latest --json | jq .forks',
      ]),
    )
}

function explain(program: Command): void {
  command(
    program,
    'explain',
    'Say why an entry is where it is: parent, verdict, rule, evidence, live or not.',
  )
    .argument('<ref>', 'uuid, unique prefix, SESSION:uuid or branch id')
    .action(run(async (console, [ref = '']) => (await import('./commands/explain.js')).explain(console, ref)))
    .addHelpText(
      'after',
      examples('', [
        'dagline explain 3c8db3c6',
        'dagline explain latest:3c8d',
        'dagline explain 3c8db3c6 --json | jq .because',
      ]),
    )
}

function show(program: Command): void {
  command(program, 'show', 'Print one message with all its parts, its tool calls and their results.')
    .argument('<ref>', 'uuid, unique prefix, SESSION:uuid or branch id')
    .option('--raw', 'print the rows as they stand in the file')
    .action(
      run(async (console, [ref = ''], options) =>
        (await import('./commands/show.js')).show(console, ref, options['raw'] === true),
      ),
    )
    .addHelpText(
      'after',
      examples('', [
        'dagline show 3c8db3c6',
        'dagline show latest:3c8d',
        'dagline show 3c8db3c6 --raw | jq .message.usage',
      ]),
    )
}

function census(program: Command): void {
  command(program, 'census', 'Count types by version, and what is not known of the format.')
    .argument('[path...]', 'transcripts, project folders or projects roots')
    .action(run(async (console, paths) => (await import('./commands/census.js')).census(console, paths)))
    .addHelpText(
      'after',
      examples('', ['dagline census', 'dagline census session.jsonl', 'dagline census --json | jq .unknown']),
    )
}

function command(program: Command, name: string, description: string): Command {
  const made = program.command(name).description(description).helpOption('-h, --help', 'Print this help.')
  return common(made)
}

/** Options that all commands have. */
function common(made: Command): Command {
  const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]
  return made
    .option('--json', 'print JSON, see CONTRACT in the documentation')
    .option('--root <dir>', 'a projects root to read instead of the default; may be repeated', collect)
    .option('--no-color', 'no colours; also by NO_COLOR')
    .option('-q, --quiet', 'nothing but data and errors')
}

type Options = Readonly<Record<string, unknown>>
type Action = (console: Console, words: readonly string[], options: Options) => Promise<void>

/** An action of commander as one of ours. */
function run(act: Action): (this: Command) => Promise<void> {
  return async function () {
    await act(openConsole(commonOptions(this)), this.args, this.opts())
  }
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

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function examples(before: string, lines: readonly string[]): string {
  return `${before}\nExamples:\n${lines.map(line => `  $ ${line}`).join('\n')}`
}

/** `error: unknown option '--x'` as a sentence that says what to do. */
function sentence(error: string): string {
  const plain = error
    .replace(/^error: /, '')
    .trim()
    .replace(/\n\(/, ' (')
  return `dagline: ${plain}${/[.?)]$/.test(plain) ? '' : ';'} see \`dagline --help\`.\n`
}
