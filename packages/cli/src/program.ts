/** Every command with its options, help and examples. What a command does is loaded when it is run. */
import { UserError, VERSION } from '@dagline/app'
import { SEARCH_ROLES } from '@dagline/core/protocol'
import { Command, Option } from 'commander'
import { type Action, command, finish, sentence } from './command.js'
import type { ServeCommand } from './commands/serve.js'
import { diff, mv } from './diff-commands.js'
import { EDIT_COMMANDS } from './edit-commands.js'
import { exporting } from './export-command.js'
import { LABEL_COMMANDS } from './names-commands.js'
import { nearest } from './near.js'
import { type Options, textIn } from './options.js'
import { searchOptions } from './search-options.js'

/** The version of the package. */

const WIDEST_HELP = 100

/** The whole command line; docs/CLI.md is made from it. */
export function createProgram(): Command {
  const program = new Command('dagline')
    .description('See, search, measure, repair, branch and reuse your Claude Code history.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'Print the help of a command.')
    .configureHelp({ helpWidth: Math.min(process.stdout.columns || WIDEST_HELP, WIDEST_HELP) })
    .configureOutput({ outputError: (text, write) => write(sentence(text, 'dagline')) })
    .enablePositionalOptions()
    .allowExcessArguments()
    .exitOverride()
  for (const [heading, adders] of GROUPS) {
    program.commandsGroup(heading)
    for (const add of adders) add(program)
  }
  const overview: Action = async (console, [word], options) => {
    if (word !== undefined) throw new UserError(noCommand(word, program))
    if (console.isTerminal && !console.options.json && options['open'] !== false)
      await (await import('./commands/serve.js')).view(console, serveOptions(options))
    else await (await import('./commands/overview.js')).overview(console)
  }
  program
    .option('--no-open', 'on a terminal: print the overview and end, instead of opening the viewer')
    .option('--port <number>', 'the port of the viewer; a free one unless given')
  return finish(program, overview, ['dagline', 'dagline ls', 'dagline log latest --graph'], WORDS)
}

/** Commands by what people come for; help lists them so. */
const GROUPS: readonly (readonly [string, readonly ((program: Command) => void)[]])[] = [
  ['See:', [open, serve, log, show, branches, timeline, diff, tree, explain, tail]],
  ['Find and measure:', [ls, search, usage, stats, census, graph]],
  ['Mend and reuse:', [doctor, ...EDIT_COMMANDS]],
  ['Keep and hand on:', [exporting, archive, restore, mv, ...LABEL_COMMANDS]],
  ['The index:', [sync]],
]

function noCommand(word: string, { commands }: Command): string {
  const near = nearest(
    word,
    commands.map(known => known.name()),
  )
  const guess = near === null ? '' : ` Did you mean \`dagline ${near}\`?`
  return `There is no command ${word}: \`dagline --help\` lists them.${guess}`
}

const WORDS = `
PATH is a transcript (.jsonl), a project folder or a projects root; without one, the default root is
read: projects/ in CLAUDE_CONFIG_DIR, else in ~/.claude.
SESSION is a session id, a unique prefix of one, "latest", the path of a transcript, or a name.
REF is a uuid or a unique prefix of one, SESSION:uuid, the id of a branch (SESSION@uuid) or of an
agent (SESSION#agent-id), or a name that was given with dagline name.
On a terminal, log, show and stats use PAGER, else less; set PAGER to nothing for none.
Exit codes: 0 done, 1 the request could not be met, or what it names could not be read, 2 internal
error.
`

function open(program: Command): void {
  const made = viewer(
    command(program, 'open [session|ref]', 'Open the viewer in the browser, at a session or entry.'),
  )
  const act: Action = async (console, [word = null], options) => {
    await (await import('./commands/serve.js')).open(console, word, serveOptions(options))
  }
  finish(made, act, [
    'dagline open',
    'dagline open latest',
    'dagline open 79cad093',
    'dagline open session.jsonl',
  ])
}

function serve(program: Command): void {
  const made = viewer(command(program, 'serve [path...]', 'Serve the viewer on this machine, until Ctrl-C.'))
  const act: Action = async (console, paths, options) => {
    await (await import('./commands/serve.js')).serve(console, paths, serveOptions(options))
  }
  finish(made, act, [
    'dagline serve',
    'dagline serve ~/backup/projects --no-open',
    'dagline serve --port 4000 --no-open --json',
  ])
}

function viewer(made: Command): Command {
  return indexed(made)
    .option('--port <number>', 'a port; a free one unless given')
    .option('--no-open', 'print the address, and do not open the browser')
}

function serveOptions(options: Options): ServeCommand {
  return {
    index: textIn(options, 'index'),
    port: textIn(options, 'port'),
    open: options['open'] !== false,
  }
}

function graph(program: Command): void {
  const made = command(
    program,
    'graph [session|path...]',
    'Print all that is known of the conversation graph, without contents.',
  ).option('--summary', 'print totals, and diagnostics counted by rule')
  const act: Action = async (console, words, { summary }) => {
    await (await import('./commands/graph.js')).graph(console, words, summary === true)
  }
  finish(made, act, [
    'dagline graph ~/.claude/projects --summary',
    'dagline graph latest --summary',
    'dagline graph session.jsonl --json | jq .totals',
    'dagline graph . --json | jq \'.forks[] | select(.kind == "rewind")\'',
  ])
}

function ls(program: Command): void {
  const made = indexed(command(program, 'ls [session|path...]', 'List projects and sessions.'))
    .option('-a, --all', 'include sessions that only warm up, and empty ones')
    .option('--tag <tag>', 'only sessions with this tag, or with something in them that has it')
  const act: Action = async (console, words, options) => {
    const { ls } = await import('./commands/ls.js')
    await ls(console, words, {
      all: options['all'] === true,
      index: textIn(options, 'index'),
      tag: textIn(options, 'tag'),
    })
  }
  finish(made, act, [
    'dagline ls',
    'dagline ls ~/.claude/projects/-home-dev-proj',
    "dagline ls --json | jq -r '.sessions[] | select(.branches > 0).session'",
  ])
}

function log(program: Command): void {
  const live = new Option('--live', 'what the next request would carry, and nothing else')
  const tree = new Option(
    '--tree',
    'all sessions of its tree: those it comes from, and those that go on from it',
  )
  const made = command(
    program,
    'log <session>',
    'Print a conversation: branches and agents are folded to one line each.',
  )
    .option('-g, --graph', 'draw lanes: branches and agents in full, where they leave and come back')
    .option('-a, --all', 'everything: branches, agents, hooks, attachments, progress, thinking')
    .addOption(live.conflicts(['branch', 'all']))
    .option('--branch <id>', 'one branch or agent, from where it leaves')
    .addOption(tree.conflicts(['branch', 'live']))
    .option('--ids', 'the id of every row, not of prompts alone: a REF for show, checkout and others')
  const act: Action = async (console, [session = ''], options) => {
    const print =
      options['tree'] === true
        ? (await import('./commands/log-tree.js')).logTree
        : (await import('./commands/log.js')).log
    await print(console, session, {
      graph: options['graph'] === true,
      all: options['all'] === true,
      live: options['live'] === true,
      branch: typeof options['branch'] === 'string' ? options['branch'] : null,
      ids: options['ids'] === true,
    })
  }
  finish(made, act, [
    'dagline log latest',
    'dagline log latest --graph',
    'dagline log --tree 4539d2d0',
    'dagline log 4539d2d0 --live',
    'dagline log a2a9607f --branch @7e083490',
    "dagline log '4539d2d0#agent-a03cfe19'",
    'dagline log session.jsonl --json | jq .rows',
  ])
}

function tree(program: Command): void {
  const made = command(
    program,
    'tree [session|path...]',
    'Print how sessions hang together: resumed, forked, branched, cleared.',
  ).option('-a, --all', 'include sessions that only warm up, and empty ones')
  const act: Action = async (console, words, { all }) => {
    await (await import('./commands/tree.js')).tree(console, words, all === true)
  }
  finish(made, act, ['dagline tree', 'dagline tree latest', 'dagline tree ~/.claude/projects/-home-dev-proj'])
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

function timeline(program: Command): void {
  const made = command(
    program,
    'timeline <session>',
    'List what happened to a session: resumed, forked, rewound, compacted, cleared, moved, queued, workflows.',
  )
  const act: Action = async (console, [session = '']) => {
    await (await import('./commands/timeline.js')).timeline(console, session)
  }
  finish(made, act, [
    'dagline timeline latest',
    'dagline timeline latest --json | jq \'.events[] | select(.kind == "lost")\'',
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

function usage(program: Command): void {
  const by = new Option('--by <what>', 'one row for each; a day unless --branch is given')
  const made = indexed(
    command(program, 'usage [session|path...]', 'Count tokens and cost: each API message once.'),
  )
    .addOption(by.choices(['day', 'week', 'month', 'project', 'session', 'model', 'agent', 'branch']))
    .option('--branch', 'only what branches cost that were left: one row for each of them')
    .option('--since <date>', 'from this day, month or year on (2026-03-01, 2026-03)')
    .option('--until <date>', 'up to this day, month or year, which is included')
    .option('--project <name>', 'only projects with this in their name')
    .option('--session <id>', 'only this session: an id, a unique prefix of one, or "latest"')
    .addOption(new Option('--markdown', 'print a Markdown table').conflicts('json'))
  const act: Action = async (console, words, options) => {
    const text = (name: string): string | null => textIn(options, name)
    await (await import('./commands/usage.js')).usage(console, words, {
      index: text('index'),
      by: text('by'),
      branch: options['branch'] === true,
      since: text('since'),
      until: text('until'),
      project: text('project'),
      session: text('session'),
      markdown: options['markdown'] === true,
    })
  }
  finish(made, act, [
    'dagline usage',
    'dagline usage --by model --since 2026-10',
    'dagline usage --branch --session latest',
    'dagline usage --by month --markdown > report.md',
    "dagline usage --by project --json | jq '.rows[] | [.key, .costUSD]'",
  ])
}

function sync(program: Command): void {
  const made = indexed(
    command(program, 'sync', 'Bring the index up to date; other commands do so by themselves.'),
  ).option('-w, --watch', 'go on doing so until Ctrl-C')
  const act: Action = async (console, _words, options) => {
    const { sync } = await import('./commands/sync.js')
    await sync(console, { index: textIn(options, 'index'), watch: options['watch'] === true })
  }
  finish(made, act, ['dagline sync', 'dagline sync --watch', 'dagline sync --json | jq .rows'])
}

function search(program: Command): void {
  const branch = new Option('--branch <which>', 'what became of it').choices(['live', 'abandoned', 'all'])
  const role = new Option('--role <role>', 'who said it; may be repeated').choices(Object.keys(SEARCH_ROLES))
  const made = indexed(
    command(
      program,
      'search [words...]',
      'Find texts that hold all words: prompts, answers, thinking, tools.',
    ),
  )
    .option('--project <name>', 'only projects with this in their name or folder')
    .option('--session <id>', 'only this session: an id or the start of one')
    .option('--since <date>', 'from this time on: 2026-03, 2026-03-01, 2026-03-01T10:00')
    .option('--until <date>', 'up to this time; a day or month is included')
    .addOption(role.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]))
    .option('--tool <name>', 'only inputs and outputs of this tool (Bash, mcp__%)')
    .option('--file <path>', 'only sessions that touched this file; the end of its path is enough')
    .option('--agent [type]', 'only subagents, or those of a type')
    .addOption(branch)
    .option('--before-compaction', 'only what a compaction took out of the conversation')
    .option('--errors', 'only failed calls and requests')
    .option('--regex <pattern>', 'the text must match, too; without words every text is tried')
    .option('-n, --limit <count>', 'how many to show', '20')
  const act: Action = async (console, words, options) => {
    const { search } = await import('./commands/search.js')
    await search(console, words, searchOptions(options))
  }
  finish(made, act, [
    'dagline search connection refused',
    'dagline search \'"exact phrase"\' src/app.ts C++',
    'dagline search migration --project shop --since 2026-10 --role human',
    'dagline search --tool Bash --errors npm',
    'dagline search token --branch abandoned --json | jq .hits',
    "dagline search --regex 'TODO\\(\\w+\\)' --file src/main.rs",
  ])
}

function indexed(made: Command): Command {
  return made.option('--index <file>', 'another index than the usual one in the cache folder')
}

function stats(program: Command): void {
  const made = command(
    program,
    'stats [session|path...]',
    'Count agents, delegation, patterns, turns, tools, rewinds and more.',
  ).option('-a, --all', 'every row of long tables')
  const act: Action = async (console, words, { all }) => {
    await (await import('./commands/stats.js')).stats(console, words, all === true)
  }
  finish(made, act, [
    'dagline stats',
    'dagline stats latest',
    'dagline stats ~/.claude/projects/-home-dev-proj --all',
    "dagline stats --json | jq '.tools[] | [.tool, .calls, .ends.error]'",
  ])
}

function tail(program: Command): void {
  const made = command(
    program,
    'tail [session]',
    'Follow a session as it grows, agents and branches included.',
  )
    .addOption(new Option('-n, --lines <count>', 'rows to begin with').default('10'))
    .option('-a, --all', 'hooks, attachments, progress and thinking too')
    .option('--once', 'print what is there, and end')
  const act: Action = async (console, [session = 'latest'], options) => {
    await (await import('./commands/tail.js')).tail(console, session, {
      lines: String(options['lines']),
      all: options['all'] === true,
      once: options['once'] === true,
    })
  }
  finish(made, act, [
    'dagline tail',
    'dagline tail 4539d2d0 -n 30',
    "dagline tail latest --json | jq -r 'select(.event) | .text'",
  ])
}

function census(program: Command): void {
  const made = command(
    program,
    'census [session|path...]',
    'Count types by version, and what is not known of the format.',
  )
  const act: Action = async (console, words) => {
    await (await import('./commands/census.js')).census(console, words)
  }
  finish(made, act, ['dagline census', 'dagline census session.jsonl', 'dagline census --json | jq .unknown'])
}

function doctor(program: Command): void {
  const kind = new Option('--kind <id>', 'only faults of this kind; may be repeated')
  const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]
  const made = command(
    program,
    'doctor [path|session]',
    'Say what is wrong with sessions, what a resume loses by it, and which command mends it.',
  )
    .addOption(kind.argParser(collect))
    .option('-a, --all', 'healthy sessions too')
  const act: Action = async (console, [word], options) => {
    await (await import('./commands/doctor.js')).doctor(console, word ?? null, {
      kinds: Array.isArray(options['kind']) ? options['kind'].map(String) : [],
      all: options['all'] === true,
    })
  }
  finish(made, act, [
    'dagline doctor',
    'dagline doctor latest',
    'dagline doctor ~/.claude/projects/-home-dev-proj --kind dangling-parent',
    "dagline doctor --json | jq '.sessions[] | select(.reach.now < .reach.possible).session'",
  ])
}

function archive(program: Command): void {
  const made = command(
    program,
    'archive [verify|stats|path...]',
    'Keep what Claude Code deletes: copy transcripts and sidecars into the archive.',
  )
    .option('--watch', 'go on doing it until Ctrl-C')
    .addOption(new Option('--every <seconds>', 'how often --watch looks').default('5'))
    .option('--archive <file>', 'another archive than archive.db in the XDG data folder')
  const act: Action = async (console, words, options) => {
    await (await import('./commands/archive.js')).archive(console, words, {
      archive: typeof options['archive'] === 'string' ? options['archive'] : null,
      watch: options['watch'] === true,
      every: String(options['every']),
    })
  }
  finish(
    made,
    act,
    [
      'dagline archive',
      'dagline archive --watch',
      'dagline archive verify',
      'dagline archive stats',
      "dagline archive stats --json | jq '.sweptSoon[] | [.session, .due]'",
    ],
    ARCHIVE_WORDS,
  )
}

const ARCHIVE_WORDS = `
archive         copies what is new; older versions of files stay, nothing is ever deleted
archive verify  checks every byte of the archive
archive stats   says what the archive holds and saves, and which sessions are deleted soon
`

function restore(program: Command): void {
  const made = command(
    program,
    'restore <session>',
    'Give back a session from the archive, byte for byte: transcript, agents, sidecars.',
  )
    .option('--to <dir>', 'write below this folder instead of to the old places')
    .option('-a, --all', 'earlier versions of files too, as NAME.v1.jsonl; needs --to')
    .option('--touch', 'give the files the present time, so that they are not deleted again')
    .option('--archive <file>', 'another archive than archive.db in the XDG data folder')
  const act: Action = async (console, [session = ''], options) => {
    await (await import('./commands/restore.js')).restore(console, session, {
      archive: typeof options['archive'] === 'string' ? options['archive'] : null,
      to: typeof options['to'] === 'string' ? options['to'] : null,
      all: options['all'] === true,
      touch: options['touch'] === true,
    })
  }
  finish(made, act, [
    'dagline restore 4539d2d0',
    'dagline restore 4539d2d0 --to /tmp/old',
    'dagline restore 4539d2d0 --to /tmp/old --all --json | jq .files',
  ])
}
