/** `dagline search`: full text over everything. */
import type { Hit, Labels, ScannedHit, SearchFilter, SearchResult } from '@dagline/app'
import { isoTime } from '@dagline/core/format'
import { SEARCH_ROLES, SEARCH_SORTS, speakerOf } from '@dagline/core/protocol'
import {
  type AddCommand,
  choice,
  defineCommand,
  flag,
  INDEX,
  list,
  optionalText,
  text,
  wholeNumber,
} from '../command.js'
import type { Facts } from '../console.js'
import { hitLines, scannedLines } from '../print/hits.js'
import { labelFacts } from '../print/names.js'

const OPTIONS = {
  index: INDEX,
  project: text('--project <name>', 'only projects whose name or folder contains this'),
  session: text('--session <id>', 'only this session: an id or a prefix of one'),
  since: text('--since <date>', 'only from this time: 2026-03, 2026-03-01, 2026-03-01T10:00'),
  until: text('--until <date>', 'only up to this time; includes the whole day or month'),
  roles: list('--role <role>', 'kind of text; may be repeated', Object.keys(SEARCH_ROLES)),
  tool: text('--tool <name>', 'only inputs and outputs of this tool (Bash, Edit)'),
  file: text('--file <path>', 'only sessions that touched this file; the end of its path suffices'),
  agent: optionalText('--agent [type]', 'only subagents, or only those of this type'),
  branch: choice('--branch <which>', 'status of the branch', ['live', 'abandoned', 'all'], null),
  beforeCompaction: flag('--before-compaction', 'only texts from before a compaction'),
  errors: flag('--errors', 'only failed calls and requests'),
  regex: text(
    '--regex <pattern>',
    'regular expression that the text must match, in any case; works without words',
  ),
  sort: choice('--sort <order>', 'best first (rank) or newest first (time)', SEARCH_SORTS, 'rank'),
  limit: wholeNumber('-n, --limit <count>', 'number of results', { least: 1, default: 20 }),
}

export const searchCommand: AddCommand = defineCommand({
  usage: 'search [words...]',
  description: 'Search prompts, answers, thinking and tools for texts that contain all words.',
  options: OPTIONS,
  examples: [
    'dagline search connection refused',
    'dagline search \'"exact phrase"\' src/app.ts C++',
    'dagline search migration --project shop --since 2026-10 --role human',
    'dagline search --tool Bash --errors npm',
    'dagline search token --branch abandoned --json | jq .hits',
    'dagline search unzst* --sort time',
    "dagline search --regex 'TODO\\(\\w+\\)' --file src/main.rs",
  ],
  run: async (console, words, { index, limit, sort, roles, ...narrowing }) => {
    const query = words.join(' ')
    const filter = { ...narrowing, role: roles.join(',') || null }
    // H12: a person gets an answer before all is indexed; a program gets a complete one.
    const isHasty = console.isTerminal && !console.options.json
    const options = { index, filter, limit, sort, ...(isHasty ? { scanAbove: WORTH_SCANNING } : {}) }
    const result = await console.history.search(query, options)
    const found = [...result.hits, ...(result.scan?.hits ?? [])]
    if (console.options.json) await console.printJson(resultFacts(result, console.history.labels()))
    else await console.print([...hitLines(console, result), ...scannedLines(console, result.scan)])
    if (result.warning !== null) {
      console.note(result.warning)
      console.fail()
    } else if (found.length === 0) console.note(result.nothing ?? nothingFound(query, filter))
  },
})

/** H12: fewer bytes are indexed before the answer: that takes a second or two, and serves the next search. */
const WORTH_SCANNING = 64 * 1024 * 1024

function nothingFound(query: string, { regex: _, ...filter }: SearchFilter): string {
  if (query !== '' && !/[\p{L}\p{N}]/u.test(query))
    return 'Nothing found. Give at least one letter or digit, or use --regex to search for punctuation.'
  const advice = Object.values(filter).some(value => value !== null && value !== false)
    ? 'Remove a filter, or try'
    : 'Try'
  if (query === '') return `Nothing found. ${advice} another pattern.`
  return `Nothing found. ${advice} fewer or other words: a text must contain all of them. --regex searches for any text.`
}

function resultFacts(result: SearchResult, labels: Labels): Facts {
  const { total, isComplete, note, replaced, warning, hits, scan } = result
  const list = [...hits.map(hit => hitFacts(hit, labels)), ...(scan?.hits ?? []).map(scannedFacts)]
  const scanned = scan === null ? {} : { scanned: { files: scan.files, of: scan.of } }
  return { total, complete: isComplete, note, replaced, warning, ...scanned, hits: { list } }
}

/** H12: a text that was found without the index: its labels are not known. */
function scannedFacts({
  node,
  session,
  project,
  path,
  row,
  time,
  field,
  tool,
  snippet,
  marks,
}: ScannedHit): Facts {
  const place = { node, session, project, file: path, row, time: isoTime(time) }
  const label = {
    live: null,
    branch: null,
    agent: null,
    epoch: null,
    queue: null,
    status: null,
    archived: null,
  }
  return { ...place, actor: speakerOf(field, null), tool, field, snippet, marks, indexed: false, label }
}

function hitFacts(hit: Hit, labels: Labels): Facts {
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
