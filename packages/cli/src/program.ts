/** The whole command line. Each command is defined in a file of its own, which is loaded when it is needed. */
import { UserError, VERSION } from '@dagline/app'
import { Command } from 'commander'
import { type AddCommand, flag, helpWidth, PORT, sentence, setUp } from './command.js'
import { nearest } from './near.js'
import { shared } from './options.js'
import { writeError, writeOut } from './output.js'
import { reflow } from './print/reflow.js'

/** What options mean is broken into lines of at least so many characters. */
const NARROWEST_TEXT = 20

/** Commands by what people come for; help lists them so. */
const GROUPS: readonly (readonly [string, Readonly<Record<string, () => Promise<AddCommand>>>])[] = [
  [
    'See:',
    {
      open: async () => (await import('./commands/serve.js')).openCommand,
      serve: async () => (await import('./commands/serve.js')).serveCommand,
      now: async () => (await import('./commands/now.js')).nowCommand,
      log: async () => (await import('./commands/log.js')).logCommand,
      show: async () => (await import('./commands/show.js')).showCommand,
      branches: async () => (await import('./commands/branches.js')).branchesCommand,
      timeline: async () => (await import('./commands/timeline.js')).timelineCommand,
      context: async () => (await import('./commands/context.js')).contextCommand,
      diff: async () => (await import('./commands/diff.js')).diffCommand,
      tree: async () => (await import('./commands/tree.js')).treeCommand,
      explain: async () => (await import('./commands/explain.js')).explainCommand,
      tail: async () => (await import('./commands/tail.js')).tailCommand,
    },
  ],
  [
    'Find and measure:',
    {
      ls: async () => (await import('./commands/ls.js')).lsCommand,
      prompts: async () => (await import('./commands/prompts.js')).promptsCommand,
      agents: async () => (await import('./commands/agents.js')).agentsCommand,
      files: async () => (await import('./commands/files.js')).filesCommand,
      blame: async () => (await import('./commands/blame.js')).blameCommand,
      commits: async () => (await import('./commands/commits.js')).commitsCommand,
      lessons: async () => (await import('./commands/lessons.js')).lessonsCommand,
      search: async () => (await import('./commands/search.js')).searchCommand,
      usage: async () => (await import('./commands/usage.js')).usageCommand,
      waste: async () => (await import('./commands/waste.js')).wasteCommand,
      sql: async () => (await import('./commands/sql.js')).sqlCommand,
      stats: async () => (await import('./commands/stats.js')).statsCommand,
      census: async () => (await import('./commands/census.js')).censusCommand,
      graph: async () => (await import('./commands/graph.js')).graphCommand,
    },
  ],
  [
    'Repair and reuse:',
    {
      doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
      repair: async () => (await import('./commands/repair.js')).repairCommand,
      checkout: async () => (await import('./commands/checkout.js')).checkoutCommand,
      fork: async () => (await import('./commands/fork.js')).forkCommand,
      pick: async () => (await import('./commands/pick.js')).pickCommand,
      trim: async () => (await import('./commands/trim.js')).trimCommand,
      split: async () => (await import('./commands/split.js')).splitCommand,
      undo: async () => (await import('./commands/undo.js')).undoCommand,
      history: async () => (await import('./commands/history.js')).historyCommand,
    },
  ],
  [
    'Keep and share:',
    {
      export: async () => (await import('./commands/export.js')).exportCommand,
      archive: async () => (await import('./commands/archive.js')).archiveCommand,
      restore: async () => (await import('./commands/restore.js')).restoreCommand,
      hub: async () => (await import('./commands/hub.js')).hubCommand,
      mcp: async () => (await import('./commands/mcp.js')).mcpCommand,
      mv: async () => (await import('./commands/mv.js')).mvCommand,
      name: async () => (await import('./commands/name.js')).nameCommand,
      tag: async () => (await import('./commands/tag.js')).tagCommand,
      note: async () => (await import('./commands/note.js')).noteCommand,
    },
  ],
  [
    'The index and the shell:',
    {
      statusline: async () => (await import('./commands/statusline.js')).statuslineCommand,
      config: async () => (await import('./commands/config.js')).configCommand,
      sync: async () => (await import('./commands/sync.js')).syncCommand,
      completion: async () => (await import('./commands/completion.js')).completionCommand(createProgram),
    },
  ],
]

/** The command line with the commands that its arguments name; with all of them for help, and without arguments. */
export async function createProgram(words?: readonly string[]): Promise<Command> {
  const program = new Command('dagline')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command|topic]', 'Print the help of a command, or a topic.')
    .configureHelp({
      helpWidth: helpWidth(),
      minWidthToWrap: NARROWEST_TEXT,
      // Arguments and options stand in the help of each command: here they would leave no room for what it does.
      subcommandTerm: command => command.name(),
    })
    .configureOutput({ ...OUTPUT, outputError: (error, write) => write(sentence(error, 'dagline')) })
    .enablePositionalOptions()
    .allowExcessArguments()
    .exitOverride()
  const isAll = await addCommands(program, words)
  setUp(program, {
    description: 'See, search, measure, repair, branch and reuse your Claude Code history.',
    options: VIEWER_OPTIONS,
    examples: ['dagline', 'dagline ls', 'dagline log latest --graph'],
    notes: isAll ? NOTES + (await import('./topics.js')).topicList() : NOTES,
    isEverywhere: true,
    run: async (console, [word], options) => {
      if (word !== undefined) throw new UserError(noCommand(word))
      if (console.isTerminal && !console.options.json && options.open)
        await (await import('./commands/serve.js')).view(console, options)
      else await (await import('./commands/overview.js')).overview(console)
    },
  })
  if (words?.[0] === 'help' && words[1] !== undefined) {
    const extra = words.slice(2).find(word => !word.startsWith('-'))
    if (extra !== undefined)
      throw new UserError(`\`dagline help\` takes one command or topic. Run \`dagline help ${words[1]}\`.`)
    await addTopic(program, words[1])
  }
  return program
}

/** U10: `dagline help TOPIC` prints a topic; where a command has the same name, its help comes first. */
async function addTopic(program: Command, word: string): Promise<void> {
  const { topicText, noTopic } = await import('./topics.js')
  const topic = topicText(word)
  const command = program.commands.find(each => each.name() === word)
  if (topic === null && command === undefined) throw new UserError(noTopic(word, NAMES))
  if (topic === null) return
  const text = reflow(topic, helpWidth())
  if (command !== undefined) command.addHelpText('after', `\n${text.trimEnd()}`)
  else
    program
      .helpCommand(false)
      .command('help <topic>')
      .action(() => OUTPUT.writeOut(text))
}

/** Where help and errors of arguments go. */
const OUTPUT = { writeOut: (text: string) => void writeOut(text), writeErr: writeError }

const VIEWER_OPTIONS = {
  open: flag(...shared('noOpen', ', print the overview')),
  port: PORT,
}

const NAMES: readonly string[] = GROUPS.flatMap(([, commands]) => Object.keys(commands))

/** Adds the commands that the words name, or all. Returns whether it is all. */
async function addCommands(program: Command, words: readonly string[] | undefined): Promise<boolean> {
  const named = new Set(words?.filter(word => NAMES.includes(word)))
  const isHelp = named.size === 0 && words?.some(word => ['-h', '--help', 'help'].includes(word))
  const isAll = words === undefined || isHelp === true
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(commands)) if (isAll || named.has(name)) (await load())(program)
  }
  return isAll
}

function noCommand(word: string): string {
  const near = nearest(word, NAMES)
  const guess = near === null ? '' : ` Did you mean \`dagline ${near}\`?`
  return `There is no command ${word}. Run \`dagline --help\` to list the commands.${guess}`
}

const NOTES = `
PATH is a transcript (.jsonl), a project (its working directory, its folder, or a part of either name),
or a projects root. The default root is projects/ in CLAUDE_CONFIG_DIR or in ~/.claude.
SESSION is a session id, a unique prefix of one, "latest", a path, or a name given with "dagline name".
REF is a uuid or a unique prefix of one, SESSION:uuid, the id of a branch (SESSION@uuid, @uuid) or of a
subagent (SESSION#agent-id, or the id alone), or a name. Where a SESSION is needed, a REF stands for its
session.
Inside of a project, "latest", "." and a missing argument mean this project, with all worktrees of its
repository; --everywhere, or --root, means all projects.
Into a pipe nothing is cut; COLUMNS sets a width. Colors: --color, NO_COLOR, FORCE_COLOR.
On a terminal, lists and texts are shown by PAGER, or less; set PAGER to an empty value to disable paging.
With --hub a command asks the hub of a team instead of this machine; without an address, that of "dagline hub connect".
Exit codes: 0 success, 1 the request failed or a file could not be read, 2 internal error.
`
