/** `dagline export`: a session, or all of a project, as files for others. */

import {
  type ExportOptions,
  type ExportReport,
  FORMATS,
  type Format,
  jsonLines,
  type Pieces,
  type SecretCount,
  secretsFound,
  UserError,
} from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import { REDACT_WHAT, type RedactWhat } from '@dagline/core/redact'
import { type Command, Option } from 'commander'
import { type Action, collect, command, finish, type Options, textIn } from '../command.js'
import type { Console } from '../console.js'
import { ask } from '../terminal/ask.js'

/** Adds `dagline export`. */
export function addExport(program: Command): void {
  const format = new Option('--format <format>', 'format of the export').choices(FORMATS).default('html')
  const made = command(
    program,
    'export [session|ref]',
    'Export a session as a web page, Markdown, JSON, a transcript or tables.',
  )
    .addOption(format)
    .option(
      '-o, --out <file|dir>',
      'file or folder to write; "-" for stdout (default: a file named after the session)',
    )
    .option('--project <name>', 'export all sessions of a project, with a page that lists them')
    .option(
      '--tree',
      'export all sessions of its tree in one file (html, md); with --project, of the whole project',
    )
    .option(
      '--branch <which>',
      '"live", "all", or the id of a branch or subagent (default: all; for md: live)',
    )
    .option('--depth <count>', 'include subagents only up to this depth')
    .option('--no-agents', 'omit subagents')
    .option('--no-tools', 'omit tool calls and tool results')
    .option('--redact [what]', 'replace secrets, and what else is listed: secrets,paths,emails,names')
    .option('--name <name>', 'name to replace with --redact names; may be repeated', collect)
    .option('--allow-secrets', 'export likely secrets without asking')
    .option('--force', 'overwrite existing files')
  const act: Action = async (console, [word = null], options) => {
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
    EXPORT_WORDS,
  )
}

const EXPORT_WORDS = `
html     a self-contained web page: lanes, branches, subagents, search; no network
md       a document: turns, answers, tools, abandoned branches, subagents
json     the output of \`graph --json\` for the session, and the contents of its rows
jsonl    a transcript; rows are copied byte for byte unless something is replaced
parquet  a folder with the tables nodes, messages, tools and usage

secrets  keys, tokens and passwords; --redact always replaces them
paths    user names in the paths of home folders; folders and files keep their names
emails   email addresses
names    names given by --name, of your account, of git, and in home folders

Without --redact, an export with likely secrets asks first; without a terminal it needs
--allow-secrets. With --redact, the written file is searched once more.
`

/** `--redact SESSION`: the word behind it is not what to replace, but what to export. */
function takenByRedact(options: Options): string | null {
  const word = textIn(options, 'redact')
  const isList = word?.split(',').some(part => REDACT_WHAT.some(what => what === part.trim())) ?? true
  return isList || options['project'] !== undefined ? null : word
}

/** The options as the command line gave them. */
function exportOptions(options: Options): ExportOptions {
  const format = FORMATS.find(name => name === options['format']) ?? 'html'
  const branch = textIn(options, 'branch')
  return {
    format,
    out: textIn(options, 'out'),
    project: textIn(options, 'project'),
    tree: options['tree'] === true,
    branch: branch ?? (format === 'md' ? 'live' : 'all'),
    depth: options['agents'] === false ? 0 : depthOf(textIn(options, 'depth')),
    tools: toolsOf(options, format),
    redact: redactOf(options['redact']),
    names: Array.isArray(options['name']) ? options['name'].map(String) : [],
    allowSecrets: options['allowSecrets'] === true,
    force: options['force'] === true,
  }
}

function depthOf(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new UserError(`${text} is not a valid depth. Give a whole number; 0 omits subagents.`)
}

function toolsOf(options: Options, format: Format): boolean {
  if (options['tools'] !== false) return true
  if (format === 'jsonl')
    throw new UserError(
      'A transcript without its tool calls would not be one: use --no-tools with another format.',
    )
  return false
}

/** `--redact` alone replaces secrets; a list says what. Secrets are always among it. */
function redactOf(value: unknown): readonly RedactWhat[] | null {
  if (value === undefined || value === false) return null
  const words = typeof value === 'string' ? value.split(',').map(word => word.trim()) : []
  const odd = words.find(word => !REDACT_WHAT.some(known => known === word))
  if (odd !== undefined)
    throw new UserError(`--redact knows no ${odd}: give a list of ${REDACT_WHAT.join(', ')}.`)
  return REDACT_WHAT.filter(what => what === 'secrets' || words.includes(what))
}

/** Exports what a word names, or a project. */
async function exportTo(console: Console, word: string | null, options: ExportOptions): Promise<void> {
  const approve = (secrets: readonly SecretCount[]): Promise<void> => askAbout(console, secrets)
  await report(console, await console.history.export(word, options, { approve, print }), options)
}

/** A person is asked; without one, the command line must have said it. */
async function askAbout(console: Console, secrets: readonly SecretCount[]): Promise<void> {
  const what = secretsFound(secrets)
  const isAsked = process.stdin.isTTY === true && process.stderr.isTTY === true && !console.options.quiet
  if (!isAsked)
    throw new UserError(
      `${what} Give --redact to replace them, or --allow-secrets to export them.`,
      'secrets',
    )
  console.note(what)
  if (!(await ask('Export it with these secrets?', 'no')))
    throw new UserError('Nothing was written: --redact replaces secrets with placeholders.', 'secrets')
}

/** Prints pieces until they end or nobody reads any more. */
async function print(pieces: Pieces): Promise<void> {
  for await (const piece of pieces) if (!(await printPiece(piece))) return
}

function printPiece(piece: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(piece, error => {
      if (error == null) resolve(true)
      else if ('code' in error && error.code === 'EPIPE') resolve(false)
      else reject(error)
    })
  })
}

/** What was written, and what stands there instead of secrets. */
async function report(
  console: Console,
  { files, names }: ExportReport,
  { redact }: ExportOptions,
): Promise<void> {
  const replaced = replacedBy(files.flatMap(({ placeholders }) => placeholders))
  const [first] = files
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  const isPrinted = first?.path === '-'
  if (console.options.json && !isPrinted) {
    const list = files.map(file => ({ path: file.path, bytes: file.bytes }))
    const redacted = redact === null ? null : { list: replaced }
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['files', { list }],
        ['redacted', redacted],
        ['left', redact === null ? null : 0],
      ]),
    )
    return
  }
  if (first !== undefined && !isPrinted)
    console.note(
      `${first.path}: ${files.length > 1 ? `${plural(files.length, 'file')}, ` : ''}${bytes(size)}`,
    )
  if (redact === null) return
  console.note(replacedWords(replaced))
  if (redact.includes('paths'))
    console.note('Of paths the user names in home folders were replaced; folders and files keep their names.')
  const isUnnamed = replaced.every(({ kind }) => kind !== 'name')
  if (redact.includes('names') && isUnnamed) console.note(noNames(names.length))
}

function noNames(known: number): string {
  if (known === 0) return 'No name is known, so none was replaced: give them with --name.'
  return `No name was replaced: ${plural(known, 'name')} ${known === 1 ? 'was' : 'were'} looked for; --name gives others.`
}

interface Replaced {
  readonly kind: string
  readonly count: number
  readonly different: number
}

/** `[redacted:github-token-2]` by its kind. */
function replacedBy(placeholders: readonly string[]): readonly Replaced[] {
  const kinds = new Map<string, string[]>()
  for (const placeholder of placeholders) {
    const kind = placeholder.replace(/^\[redacted:|-\d+\]$/g, '')
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [placeholder])
    else known.push(placeholder)
  }
  return [...kinds]
    .map(([kind, all]) => ({ kind, count: all.length, different: new Set(all).size }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1))
}

function replacedWords(replaced: readonly Replaced[]): string {
  const kinds = replaced.map(
    ({ kind, count: number, different }) =>
      `${number} ${kind}${different < number ? ` (${different} different)` : ''}`,
  )
  return `Replaced: ${kinds.length === 0 ? 'nothing' : kinds.join(', ')}. Searched again: 0 left.`
}
