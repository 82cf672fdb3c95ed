/** The whole command line. Each command is defined in a file of its own, which is loaded when it is needed. */
import { UserError, VERSION } from '@dagline/app'
import { Command } from 'commander'
import { type Action, finish, sentence } from './command.js'
import { nearest } from './near.js'

const WIDEST_HELP = 100

type AddCommand = (program: Command) => void

/** Commands by what people come for; help lists them so. */
const GROUPS: readonly (readonly [string, Readonly<Record<string, () => Promise<AddCommand>>>])[] = [
  [
    'See:',
    {
      open: async () => (await import('./commands/serve.js')).addOpen,
      serve: async () => (await import('./commands/serve.js')).addServe,
      log: async () => (await import('./commands/log.js')).addLog,
      show: async () => (await import('./commands/show.js')).addShow,
      branches: async () => (await import('./commands/branches.js')).addBranches,
      timeline: async () => (await import('./commands/timeline.js')).addTimeline,
      diff: async () => (await import('./commands/diff.js')).addDiff,
      tree: async () => (await import('./commands/tree.js')).addTree,
      explain: async () => (await import('./commands/explain.js')).addExplain,
      tail: async () => (await import('./commands/tail.js')).addTail,
    },
  ],
  [
    'Find and measure:',
    {
      ls: async () => (await import('./commands/ls.js')).addLs,
      search: async () => (await import('./commands/search.js')).addSearch,
      usage: async () => (await import('./commands/usage.js')).addUsage,
      stats: async () => (await import('./commands/stats.js')).addStats,
      census: async () => (await import('./commands/census.js')).addCensus,
      graph: async () => (await import('./commands/graph.js')).addGraph,
    },
  ],
  [
    'Repair and reuse:',
    {
      doctor: async () => (await import('./commands/doctor.js')).addDoctor,
      repair: async () => (await import('./commands/repair.js')).addRepair,
      checkout: async () => (await import('./commands/checkout.js')).addCheckout,
      fork: async () => (await import('./commands/fork.js')).addFork,
      pick: async () => (await import('./commands/pick.js')).addPick,
      trim: async () => (await import('./commands/trim.js')).addTrim,
      split: async () => (await import('./commands/split.js')).addSplit,
      undo: async () => (await import('./commands/undo.js')).addUndo,
      history: async () => (await import('./commands/history.js')).addHistory,
    },
  ],
  [
    'Keep and share:',
    {
      export: async () => (await import('./commands/export.js')).addExport,
      archive: async () => (await import('./commands/archive.js')).addArchive,
      restore: async () => (await import('./commands/restore.js')).addRestore,
      mv: async () => (await import('./commands/mv.js')).addMv,
      name: async () => (await import('./commands/name.js')).addName,
      tag: async () => (await import('./commands/tag.js')).addTag,
      note: async () => (await import('./commands/note.js')).addNote,
    },
  ],
  [
    'The index:',
    {
      sync: async () => (await import('./commands/sync.js')).addSync,
    },
  ],
]

/** The command line with the commands that its arguments name; with all of them for help, and where none are given. */
export async function createProgram(words?: readonly string[]): Promise<Command> {
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
  await addCommands(program, words)
  const overview: Action = async (console, [word], options) => {
    if (word !== undefined) throw new UserError(noCommand(word))
    if (console.isTerminal && !console.options.json && options['open'] !== false) {
      const { serveOptions, view } = await import('./commands/serve.js')
      await view(console, serveOptions(options))
    } else await (await import('./commands/overview.js')).overview(console)
  }
  program
    .option('--no-open', 'on a terminal: print the overview and exit instead of opening the viewer')
    .option('--port <number>', 'port of the viewer (default: a free port)')
  return finish(program, overview, ['dagline', 'dagline ls', 'dagline log latest --graph'], WORDS)
}

const NAMES: readonly string[] = GROUPS.flatMap(([, commands]) => Object.keys(commands))

async function addCommands(program: Command, words: readonly string[] | undefined): Promise<void> {
  const named = new Set(words?.filter(word => NAMES.includes(word)))
  const isHelp = named.size === 0 && words?.some(word => ['-h', '--help', 'help'].includes(word))
  const isAll = words === undefined || isHelp === true
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(commands)) if (isAll || named.has(name)) (await load())(program)
  }
}

function noCommand(word: string): string {
  const near = nearest(word, NAMES)
  const guess = near === null ? '' : ` Did you mean \`dagline ${near}\`?`
  return `There is no command ${word}: \`dagline --help\` lists them.${guess}`
}

const WORDS = `
PATH is a transcript (.jsonl), a project folder or a projects root. The default is the root of Claude
Code: projects/ in CLAUDE_CONFIG_DIR or in ~/.claude.
SESSION is a session id, a unique prefix of one, "latest", the path of a transcript, or a name.
REF is a uuid or a unique prefix of one, SESSION:uuid, the id of a branch (SESSION@uuid) or of a
subagent (SESSION#agent-id), or a name given with "dagline name".
On a terminal, log, show and stats use PAGER or less; set PAGER to an empty value to disable paging.
Exit codes: 0 success, 1 the request failed or a file could not be read, 2 internal error.
`
