/** `dagline search`: full text over everything. */
import {
  type Hit,
  type HitContext,
  type Labels,
  type ScannedHit,
  type SearchFilter,
  type SearchResult,
  type SessionHits,
  UserError,
} from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime, shortId } from '@dagline/core/format'
import { SEARCH_ROLES, SEARCH_SORTS, type SearchSort, speakerOf } from '@dagline/core/protocol'
import {
  type AddCommand,
  choice,
  conflicting,
  defineCommand,
  flag,
  INDEX,
  list,
  optionalText,
  PROJECT,
  SESSION,
  text,
  wholeNumber,
} from '../command.js'
import type { Console } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import type { AroundHitJson, FoundSessionJson, HitJson } from '../json/history.js'
import { isData, JSONL, printTable, projectColumn, SPAN_OPTIONS } from '../list.js'
import { BRANCHES, shared } from '../options.js'
import { hitLines, scannedLines } from '../print/hits.js'
import { labelFacts } from '../print/names.js'
import { type Column, figureColumn } from '../print/table.js'

const OPTIONS = {
  index: INDEX,
  project: PROJECT,
  session: SESSION,
  ...SPAN_OPTIONS,
  roles: list('--role <role>', 'kind of text; may be repeated', Object.keys(SEARCH_ROLES)),
  tool: text('--tool <name>', 'only inputs and outputs of this tool (Bash, Edit)'),
  file: text(...shared('file', '; sessions, or without words the calls that name it')),
  agent: optionalText('--agent [type]', 'only subagents, or only those of this type'),
  branch: choice(...shared('branch'), BRANCHES, null),
  live: flag(...shared('live')),
  beforeCompaction: flag('--before-compaction', 'only texts from before a compaction'),
  seenAt: text('--seen-at <ref>', 'only what the model saw when it gave an answer: a REF of the answer'),
  errors: flag('--errors', 'only failed calls and requests'),
  regex: text(
    '--regex <pattern>',
    'regular expression that the text must match, in any case; works without words',
  ),
  sort: choice(
    ...shared(
      'sort',
      ': best first (rank) or newest first (time); the default is rank with words, else time',
    ),
    SEARCH_SORTS,
    null,
  ),
  limit: wholeNumber(...shared('limit', ' matches (default: 20), or sessions with -l (default: all)'), {
    least: 1,
    default: null,
  }),
  sessions: flag('-l, --sessions', 'one line for each session, with the number of its matches'),
  context: conflicting(optionalText(...shared('context', ' match (default: 0; without a number: 2)')), [
    'sessions',
  ]),
  jsonl: JSONL,
}

export const searchCommand: AddCommand = defineCommand({
  usage: 'search [words...]',
  description:
    'Search prompts, answers, thinking and tools for texts that contain all words, or that pass the filters.',
  options: OPTIONS,
  examples: [
    'dagline search rounding errors',
    'dagline search \'"rounds the total"\' src/invoice.ts',
    'dagline search lock --project shop --since 2026-10 --role human',
    'dagline search --tool Bash --errors expected',
    'dagline search --file src/total.ts -l',
    'dagline search --errors --since yesterday',
    'dagline search decimal -C 2',
    'dagline search decimal --branch abandoned --json | jq .hits',
    'dagline search rounding --seen-at d5b5d498',
    'dagline search round* --sort time',
    "dagline search --regex 'round\\w*\\(' --file src/total.ts",
  ],
  run: async (console, words, options) => {
    const { index, limit, sort, roles, jsonl, sessions: isBySession, context: around, ...narrowing } = options
    const { context, query } = readContext(around, words.join(' '))
    const filter = { ...narrowing, role: roles.join(',') || null }
    const asked = { index, filter, sort: sort ?? undefined }
    if (isBySession) return await searchSessions(console, query, { ...asked, limit, jsonl })
    // H12: a person gets an answer before all is indexed; a program gets a complete one.
    const hasty = console.isTerminal && !isData(console, options) ? { scanAbove: WORTH_SCANNING } : {}
    const result = await console.history.search(query, { ...asked, limit: limit ?? 20, context, ...hasty })
    const labels = console.history.labels()
    if (jsonl) await console.printJsonLines('search', hitList(result, labels))
    else if (console.options.json) await console.printJson('search', resultFacts(result, labels))
    else await console.page(() => [...hitLines(console, result), ...scannedLines(console, result.scan)])
    noteResult(console, result)
  },
})

/** How many entries are printed around a match where no number is given, and at most. */
const AROUND = 2
const MOST_AROUND = 1000

/** `--context`: where there are no other words, a word behind it is what is searched for. */
function readContext(
  around: string | null,
  query: string,
): { readonly context: number; readonly query: string } {
  if (around === null) return { context: 0, query }
  if (around === '') return { context: AROUND, query }
  if (/^\d+$/.test(around) && Number(around) <= MOST_AROUND) return { context: Number(around), query }
  if (query === '' && !/^[\d.]+$/.test(around)) return { context: AROUND, query: around }
  throw new UserError(`--context ${around} is not valid. Give a whole number from 0 to ${MOST_AROUND}.`)
}

/** What went wrong, or that nothing was found: exit code 1, as that of grep. */
function noteResult(console: Console, { warning, nothing }: Pick<SearchResult, 'warning' | 'nothing'>): void {
  if (warning === null && nothing === null) return
  console.note(warning ?? nothing ?? '')
  console.fail()
}

interface SessionsOptions {
  readonly index: string | null
  readonly filter: SearchFilter
  readonly sort: SearchSort | undefined
  readonly limit: number | null
  readonly jsonl: boolean
}

/** H13: one line for each session. */
async function searchSessions(
  console: Console,
  query: string,
  { limit, jsonl, ...asked }: SessionsOptions,
): Promise<void> {
  const result = await console.history.searchSessions(query, {
    ...asked,
    ...(limit === null ? {} : { limit }),
  })
  const { total, isComplete, note, replaced, warning, sessions } = result
  if (note !== null && !isData(console, { jsonl })) console.note(note)
  await printTable(
    console,
    { jsonl },
    {
      command: 'search',
      rows: sessions,
      facts: ({ last, count: matches, ...each }): FoundSessionJson => ({
        ...each,
        matches,
        last: isoTime(last),
      }),
      json: list => ({ total, complete: isComplete, note, replaced, warning, sessions: list }),
      columns: sessionColumns(console),
    },
  )
  noteResult(console, result)
}

function sessionColumns({ style }: Console): readonly Column<SessionHits>[] {
  return [
    { title: 'session', text: ({ session }) => shortId(session ?? ''), paint: style.id },
    figureColumn('matches', ({ count: matches }) => matches),
    { title: 'last match', text: ({ last }) => dayAndTime(last), paint: style.faint },
    projectColumn(1),
    { title: 'title', text: ({ title }) => cleanLine(title ?? '(no title)'), flexible: true },
  ]
}

/** H12: fewer bytes are indexed before the answer: that takes a second or two, and serves the next search. */
const WORTH_SCANNING = 64 * 1024 * 1024

function resultFacts(result: SearchResult, labels: Labels): JsonFields<'search'> {
  const { total, isComplete, note, replaced, warning, scan } = result
  const scanned = scan === null ? {} : { scanned: { files: scan.files, of: scan.of } }
  const list = hitList(result, labels)
  return { total, complete: isComplete, note, replaced, warning, ...scanned, hits: { list } }
}

function hitList({ hits, scan, around }: SearchResult, labels: Labels): readonly HitJson[] {
  const found = hits.map((hit, at) => ({ ...hitFacts(hit, labels), ...contextFacts(around[at]) }))
  return [...found, ...(scan?.hits ?? []).map(scannedFacts)]
}

function contextFacts(context: HitContext | undefined): Pick<HitJson, 'before' | 'after'> {
  if (context === undefined) return {}
  const facts = ({ node, time, field, tool, line, snippet }: Hit): AroundHitJson => ({
    node,
    time: isoTime(time),
    actor: speakerOf(field, line?.agentName ?? null),
    tool,
    field,
    snippet,
  })
  return { before: context.before.map(facts), after: context.after.map(facts) }
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
}: ScannedHit): HitJson {
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

function hitFacts(hit: Hit, labels: Labels): HitJson {
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
