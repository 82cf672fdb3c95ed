/** `dagline export` on the command line. */
import { FORMATS } from '@dagline/app'
import { REDACT_WHAT } from '@dagline/core/redact'
import { type Command, Option } from 'commander'
import { type Action, command, finish } from './command.js'
import { exportOptions } from './export-options.js'
import { type Options, textIn } from './options.js'

/** Adds `dagline export`. */
export function exporting(program: Command): void {
  const format = new Option('--format <format>', 'what to make of it').choices(FORMATS).default('html')
  const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]
  const made = command(
    program,
    'export [session|ref]',
    'Write a session as one page, Markdown, data, a transcript or tables, to keep or to hand on.',
  )
    .addOption(format)
    .option('-o, --out <file|dir>', 'where to; "-" for stdout; without it, a file named after the session')
    .option('--project <name>', 'all sessions of a project, with a page that lists them')
    .option('--tree', 'all sessions of its tree in one file (html, md); with --project all of the project')
    .option('--branch <which>', '"live", "all", or the id of a branch or agent; all, for md live')
    .option('--depth <count>', 'only agents nested so deep')
    .option('--no-agents', 'no agents at all')
    .option('--no-tools', 'no tool calls and results')
    .option('--redact [what]', 'replace secrets, and what else is listed: secrets,paths,emails,names')
    .option('--name <name>', 'a name to replace, with --redact names; may be repeated', collect)
    .option('--allow-secrets', 'export likely secrets as they are, without asking')
    .option('--force', 'replace what is there')
  const act: Action = async (console, [word = null], options) => {
    const { exportTo } = await import('./commands/export.js')
    const taken = word === null ? takenByRedact(options) : null
    await exportTo(
      console,
      word ?? taken,
      exportOptions(taken === null ? options : { ...options, redact: true }),
    )
  }
  finish(
    made,
    act,
    [
      'dagline export latest',
      'dagline export 4539d2d0 --redact',
      'dagline export 4539d2d0 --format md --out - | less',
      'dagline export a2a9607f@7e083490 --format md',
      'dagline export latest --redact secrets,paths,emails,names --name "Ada Lovelace"',
      'dagline export --tree 4539d2d0 --format md',
      'dagline export --project shop --out shop-sessions --redact',
      'dagline export --project shop --tree --out shop.html',
      "dagline export latest --format json --out - | jq '.contents[].blocks[].kind'",
    ],
    WORDS,
  )
}

/** `--redact SESSION`: the word behind it is not what to replace, but what to export. */
function takenByRedact(options: Options): string | null {
  const word = textIn(options, 'redact')
  const isList = word?.split(',').some(part => REDACT_WHAT.some(what => what === part.trim())) ?? true
  return isList || options['project'] !== undefined ? null : word
}

const WORDS = `
html     one page that needs nothing else: lanes, branches, agents and search, no network
md       a document: turns, answers, tools, abandoned attempts, agents
json     what \`graph --json\` says of the session, and what its rows say
jsonl    a transcript again; rows are byte for byte those of the file where nothing was replaced
parquet  a folder with the tables nodes, messages, tools and usage

secrets  keys, tokens and passwords; always among what --redact replaces
paths    user names in the paths of home folders; folders and files keep their names
emails   e-mail addresses of people
names    those of --name, of your account and of git, and the users of home folders

Without --redact, an export with likely secrets asks first; without a terminal it needs
--allow-secrets. With --redact the finished file is searched again.
`
