/** `dagline export`: a session, or all sessions of a project, as files for others. */
import {
  type ExportOptions,
  type ExportReport,
  FORMATS,
  redactedText,
  type SecretCount,
  secretsFound,
  UserError,
} from '@dagline/app'
import { bytes, plural } from '@dagline/core/format'
import { REDACT_WHAT, type RedactWhat } from '@dagline/core/redact'
import {
  type AddCommand,
  choice,
  defineCommand,
  flag,
  list,
  optionalText,
  text,
  type Values,
  wholeNumber,
} from '../command.js'
import type { Console } from '../console.js'
import { shared } from '../options.js'
import { ask } from '../output.js'

const OPTIONS = {
  format: choice('--format <format>', 'format of the output', FORMATS, 'html'),
  out: text(
    ...shared('out', ': a file, a folder, or "-" for stdout (default: a file named after the session)'),
  ),
  all: flag(...shared('all', ': the tables of all projects, to the folder of --to (parquet)')),
  to: text(
    '--to <folder>',
    'folder or s3://BUCKET/PREFIX for --all; a second export writes only what changed',
  ),
  s3Endpoint: text('--s3-endpoint <url>', 'S3 server of the bucket, instead of that of AWS'),
  project: text(...shared('project', '; all its sessions, with a page that lists them')),
  tree: flag(...shared('tree', ', in one file (html, md); with --project, of the whole project')),
  branch: text(
    ...shared('branch', ': "live", "all", or the id of a branch or subagent (default: all; for md: live)'),
  ),
  depth: wholeNumber('--depth <count>', 'include subagents only up to this depth', { default: null }),
  agents: flag('--no-agents', 'omit subagents'),
  tools: flag('--no-tools', 'omit tool calls and tool results'),
  redact: optionalText(
    '--redact [what]',
    'replace secrets, and what else is listed: secrets,paths,emails,names',
  ),
  names: list('--name <name>', 'name to replace with --redact names; may be repeated'),
  allowSecrets: flag('--allow-secrets', 'export likely secrets without asking'),
  force: flag('--force', 'overwrite existing files'),
}

type Options = Values<typeof OPTIONS>

export const exportCommand: AddCommand = defineCommand({
  usage: 'export [session|ref]',
  description: 'Export a session as a web page, Markdown, JSON, a transcript, tables or spans.',
  options: OPTIONS,
  examples: [
    'dagline export latest',
    'dagline export 019c5be1 --redact',
    'dagline export 019c5be1 --format md --out - | less',
    'dagline export 019c5be1@07e8e1e4 --format md',
    'dagline export latest --redact secrets,paths,emails,names --name "Ada Lovelace"',
    'dagline export --tree 019c5be1 --format md',
    'dagline export --project shop --out shop-sessions --redact',
    'dagline export --project shop --tree --out shop.html',
    'dagline export --format parquet --all --to lake',
    'dagline export --project shop --format otel --redact --out spans',
    "dagline export latest --format json --out - | jq '.contents[].blocks[].kind'",
  ],
  notes: `
html     a self-contained web page: lanes, branches, subagents, search; no network
md       a document: turns, answers, tools, abandoned branches, subagents
json     the output of \`graph --json\` for the session, and the contents of its rows
jsonl    a transcript; rows are copied byte for byte unless something is replaced
parquet  a folder with the tables of "dagline sql", and one with all texts, calls and results
otel     spans of OpenTelemetry (OTLP, JSON lines) by its conventions for generative AI

secrets  keys, tokens and passwords; --redact always replaces them
paths    user names in the paths of home folders; folders and files keep their names
emails   email addresses
names    names given by --name, of your account, of git, and in home folders

Without --redact, an export with likely secrets asks first; without a terminal it needs
--allow-secrets. With --redact, the written file is searched again, and what is found is
replaced, too. Known kinds are replaced, unknown ones may remain: look before you share it.
A secret has the same placeholder in all exports of this machine.

--to s3://BUCKET/PREFIX sends the tables to a bucket: the only export that opens a connection. Keys and region come
from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION, or from a profile of ~/.aws that
AWS_PROFILE names; the server from --s3-endpoint, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
Beware: everybody who may read the bucket may read titles, first words and paths; add --redact.
`,
  run: async (console, [word = null], given) => {
    if (given.all || given.to !== null || given.s3Endpoint !== null)
      return await exportAll(console, word, given)
    const taken = word === null ? takenByRedact(given) : null
    const options = exportOptions(taken === null ? given : { ...given, redact: '' })
    const approve = (secrets: readonly SecretCount[]): Promise<void> => askAbout(console, secrets)
    const exported = await console.history.export(word ?? taken, options, { approve, print: console.write })
    await report(console, exported, options)
  },
})

/** Y4: the tables of all projects. */
async function exportAll(console: Console, word: string | null, given: Options): Promise<void> {
  const { all, to, s3Endpoint, format, project, tree, out, redact, names, allowSecrets } = given
  if (!all || to === null) throw new UserError('Give --all and --to together, as in --all --to FOLDER.')
  if (format !== 'parquet') throw new UserError('--all writes tables: add --format parquet, or remove --all.')
  if (word !== null || project !== null || tree || out !== null)
    throw new UserError('--all exports everything: remove the session, --project, --tree and --out.')
  refuseNames(names, redact)
  const report = await console.history.exportTables(
    { to, s3Endpoint, names, allowSecrets, redact: redact === null ? null : redactedParts(redact) },
    { approve: secrets => askAbout(console, secrets) },
  )
  const { folder, redacted, ...tables } = report
  if (console.options.json)
    return await console.printJson('export', {
      tables: { folder, ...tables },
      files: [],
      redacted: redacted === null ? null : { list: redacted.replaced },
      left: redacted === null ? null : redacted.left.length,
      note: redacted === null ? null : redactedText(redacted),
    })
  const { written, unchanged, removed } = tables
  const counts = [`${plural(written, 'file')} written`, `${unchanged} unchanged`, `${removed} removed`]
  console.note(`${folder}: ${counts.join(', ')}; ${bytes(tables.bytes)}`)
  if (redacted !== null) console.note(redactedText(redacted))
}

/** `--redact SESSION`: a word after it that is not a list of what to replace names the session. */
function takenByRedact({ redact, project }: Options): string | null {
  if (redact === null || redact === '' || project !== null) return null
  return redact.split(',').some(part => REDACT_WHAT.some(what => what === part.trim())) ? null : redact
}

function exportOptions({
  agents,
  depth,
  redact,
  branch,
  tools,
  all: _,
  to: __,
  s3Endpoint: ___,
  ...options
}: Options): ExportOptions {
  if (!tools && options.format === 'jsonl')
    throw new UserError('A transcript needs its tool calls. Use --no-tools with another format than jsonl.')
  refuseNames(options.names, redact)
  return {
    ...options,
    tools,
    branch: branch ?? (options.format === 'md' ? 'live' : 'all'),
    depth: agents ? (depth ?? Number.POSITIVE_INFINITY) : 0,
    redact: redact === null ? null : redactedParts(redact),
  }
}

/** A name that was given would stay where names are not replaced. */
function refuseNames(names: readonly string[], redact: string | null): void {
  if (names.length === 0 || (redact !== null && redactedParts(redact).includes('names'))) return
  throw new UserError('--name is for --redact names. Give --redact secrets,names, or remove --name.')
}

/** What a list names; secrets are always part of it. */
function redactedParts(given: string): readonly RedactWhat[] {
  const list = given === '' ? (process.env['DAGLINE_REDACT'] ?? '') : given
  const words = list === '' ? [] : list.split(',').map(word => word.trim())
  const odd = words.find(word => !REDACT_WHAT.some(known => known === word))
  if (odd !== undefined)
    throw new UserError(
      `--redact ${odd} is not valid. Give one or more of ${REDACT_WHAT.join(', ')}, with commas between them.`,
    )
  return REDACT_WHAT.filter(what => what === 'secrets' || words.includes(what))
}

/** Asks on a terminal; without one, the options must have answered. */
async function askAbout(console: Console, secrets: readonly SecretCount[]): Promise<void> {
  const found = secretsFound(secrets)
  const isAsked = process.stdin.isTTY === true && process.stderr.isTTY === true && !console.options.quiet
  if (!isAsked)
    throw new UserError(
      `${found} Use --redact to replace them, or --allow-secrets to export them.`,
      'secrets',
    )
  console.note(found)
  if (!(await ask('Export it with these secrets?', 'no')))
    throw new UserError('Nothing was written. Use --redact to replace secrets with placeholders.', 'secrets')
}

/** What was written, and what was replaced in it. */
async function report(
  console: Console,
  { files, names, redacted }: ExportReport,
  { redact }: ExportOptions,
): Promise<void> {
  const [first] = files
  const isPrinted = first?.path === '-'
  if (console.options.json && !isPrinted)
    return await console.printJson('export', {
      files: { list: files },
      redacted: redacted === null ? null : { list: redacted.replaced },
      left: redacted === null ? null : redacted.left.length,
      note: redacted === null ? null : redactedText(redacted),
    })
  if (first !== undefined && !isPrinted) {
    const size = bytes(files.reduce((sum, file) => sum + file.bytes, 0))
    console.note(`${first.path}: ${files.length > 1 ? `${plural(files.length, 'file')}, ` : ''}${size}`)
  }
  if (redact === null || redacted === null) return
  console.note(redactedText(redacted))
  if (redact.includes('paths'))
    console.note('In paths, only user names were replaced; other folders and files keep their names.')
  const isUnnamed = redacted.replaced.every(({ kind }) => kind !== 'name')
  if (redact.includes('names') && isUnnamed) console.note(noNames(names.length))
}

function noNames(known: number): string {
  if (known === 0) return 'No name was replaced, because none is known. Use --name to give names.'
  return `No name was replaced: none of ${plural(known, 'known name')} was found. Use --name to give others.`
}
