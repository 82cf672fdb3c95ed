/** `dagline search`: full text over everything. */

import {
  type Hit,
  invalidPattern,
  jsonLines,
  type Labels,
  type SearchOptions,
  type SearchResult,
  type TextFilter,
  timeOf,
  UserError,
} from '@dagline/app'
import { isoTime } from '@dagline/core/format'
import { isSearchRole, SEARCH_ROLES, speakerOf } from '@dagline/core/protocol'
import { type Command, Option } from 'commander'
import { type Action, command, finish, type Options, textIn, withIndexOption } from '../command.js'
import type { Console } from '../console.js'
import { hitLines } from '../print/hits.js'
import { labelFacts } from '../print/names.js'

/** Adds `dagline search`. */
export function addSearch(program: Command): void {
  const branch = new Option('--branch <which>', 'status of the branch').choices(['live', 'abandoned', 'all'])
  const role = new Option('--role <role>', 'kind of text; may be repeated').choices(Object.keys(SEARCH_ROLES))
  const made = withIndexOption(
    command(
      program,
      'search [words...]',
      'Search prompts, answers, thinking and tools for texts that contain all words.',
    ),
  )
    .option('--project <name>', 'only projects whose name or folder contains this')
    .option('--session <id>', 'only this session: an id or a prefix of one')
    .option('--since <date>', 'only from this time: 2026-03, 2026-03-01, 2026-03-01T10:00')
    .option('--until <date>', 'only up to this time; includes the whole day or month')
    .addOption(role.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]))
    .option('--tool <name>', 'only inputs and outputs of this tool (Bash, mcp__%)')
    .option('--file <path>', 'only sessions that touched this file; the end of its path suffices')
    .option('--agent [type]', 'only subagents, or only those of this type')
    .addOption(branch)
    .option('--before-compaction', 'only texts from before a compaction')
    .option('--errors', 'only failed calls and requests')
    .option('--regex <pattern>', 'regular expression that the text must match; works without words')
    .option('-n, --limit <count>', 'number of results', '20')
  const act: Action = async (console, words, options) => {
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

/** Reads the options; refuses what cannot be meant. */
function searchOptions(options: Options): SearchCommand {
  const pattern = textIn(options, 'regex')
  return {
    index: textIn(options, 'index'),
    filter: filterOf(options),
    pattern: pattern === null ? null : patternOf(pattern),
    limit: limitOf(textIn(options, 'limit') ?? '20'),
  }
}

function filterOf(options: Options): TextFilter {
  const roles = Array.isArray(options['role']) ? options['role'].map(String) : []
  const agent = options['agent'] === true ? '' : textIn(options, 'agent')
  const branch = textIn(options, 'branch')
  const times = {
    since: timeOf(textIn(options, 'since'), false),
    until: timeOf(textIn(options, 'until'), true),
  }
  return {
    ...given('project', textIn(options, 'project')),
    ...given('session', textIn(options, 'session')),
    ...given('tool', textIn(options, 'tool')),
    ...given('touched', textIn(options, 'file')),
    ...given('agent', agent),
    ...given('since', times.since),
    ...given('until', times.until),
    ...(roles.length === 0 ? {} : { fields: roles.filter(isSearchRole).flatMap(role => SEARCH_ROLES[role]) }),
    ...(branch === 'live' || branch === 'abandoned' ? { branch } : {}),
    ...(options['beforeCompaction'] === true ? { beforeCompaction: true } : {}),
    ...(options['errors'] === true ? { failed: true } : {}),
  }
}

function given<K extends string, V>(name: K, value: V | null): { readonly [key in K]?: V } {
  return value === null ? {} : record(name, value)
}

function record<K extends string, V>(name: K, value: V): { readonly [key in K]?: V } {
  const made: { [key in K]?: V } = {}
  made[name] = value
  return made
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'giu')
  } catch {
    throw new UserError(invalidPattern(text))
  }
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new UserError(`--limit ${text} is not valid. Give a whole number of 1 or more.`)
}

interface SearchCommand extends SearchOptions {
  readonly filter: TextFilter
  readonly pattern: RegExp | null
  readonly limit: number
}

/** Prints the texts that hold the words. */
async function search(console: Console, words: readonly string[], options: SearchCommand): Promise<void> {
  const text = words.join(' ')
  const result = await console.history.search(text, options)
  if (console.options.json) await console.print(factLines(result, console.history.labels()))
  else await console.print(hitLines(console, result))
  if (result.hits.length === 0) console.note(result.nothing ?? nothingFound(text, options))
}

function nothingFound(text: string, { filter }: SearchCommand): string {
  const less = Object.keys(filter).length > 0 ? ' Leave out a filter,' : ''
  if (!/[\p{L}\p{N}]/u.test(text) && text !== '')
    return 'The index holds words: give a letter or digit too, or search for signs with --regex.'
  return `Nothing found.${less === '' ? ' Try' : `${less} or try`} fewer or other words; each must be in the text.`
}

function factLines({ total, isComplete, hits }: SearchResult, labels: Labels): Iterable<string> {
  return jsonLines([
    ['dagline', 1],
    ['total', total],
    ['complete', isComplete],
    ['hits', { list: hits.map(hit => hitFacts(hit, labels)) }],
  ])
}

function hitFacts(hit: Hit, labels: Labels): Readonly<Record<string, unknown>> {
  const { node, session, project, path, row, time, tool, snippet, marks, field, line } = hit
  return {
    node,
    session,
    project,
    file: path,
    row,
    time: isoTime(time),
    actor: speakerOf(hit.field, hit.line?.agentName ?? null),
    tool,
    field,
    snippet,
    marks,
    ...labelFacts(labels.get(session ?? '')),
    label: {
      live: hit.live,
      branch: line?.kind === 'branch' ? line.name : null,
      agent: line?.agentName ?? line?.agent ?? null,
      epoch: hit.compacted,
      queue: hit.became,
      status: line?.branchStatus ?? null,
      archived: hit.isArchived,
      ...labelFacts(labels.get(line?.name ?? '')),
    },
  }
}
