/** `dagline search`: full text over everything. */
import {
  type Indexed,
  type IndexOptions,
  isoTime,
  jsonLines,
  labelFacts,
  labelsFor,
  nothingFound as noTranscripts,
  openIndexed,
  UserError,
} from '@dagline/app'
import { speakerOf } from '@dagline/core/protocol'
import {
  type Hit,
  type Labels,
  type SearchAnswer,
  search as searchIndex,
  type TextFilter,
} from '@dagline/store'
import type { Console } from '../console.js'
import { hitLines } from '../print/hits.js'

export interface SearchCommand extends IndexOptions {
  readonly filter: TextFilter
  readonly pattern: RegExp | null
  readonly limit: number
}

/** Prints the texts that hold the words. */
export async function search(
  console: Console,
  words: readonly string[],
  options: SearchCommand,
): Promise<void> {
  const text = words.join(' ')
  if (text.trim() === '' && options.pattern === null)
    throw new UserError('Nothing to search for: give words, or a pattern with --regex.')
  const indexed = await openIndexed(console, options)
  try {
    const answer = ask(indexed, text, options)
    if (console.options.json) await console.print(factLines(answer, labelsFor(console)))
    else await console.print(hitLines(console, answer))
    if (answer.hits.length === 0)
      console.note(indexed.report?.present === 0 ? noTranscripts([], console) : nothingFound(text, options))
  } finally {
    indexed.close()
  }
}

function ask({ index, spans, roots }: Indexed, text: string, options: SearchCommand): SearchAnswer {
  const { filter, pattern, limit } = options
  return searchIndex(index, spans, {
    text,
    filter: { ...filter, ...(roots.length === 0 ? {} : { roots }) },
    limit,
    ...(pattern === null ? {} : { pattern }),
  })
}

function nothingFound(text: string, { filter }: SearchCommand): string {
  const less = Object.keys(filter).length > 0 ? ' Leave out a filter,' : ''
  if (!/[\p{L}\p{N}]/u.test(text) && text !== '')
    return 'The index holds words: give a letter or digit too, or search for signs with --regex.'
  return `Nothing found.${less === '' ? ' Try' : `${less} or try`} fewer or other words; each must be in the text.`
}

function factLines({ total, isComplete, hits }: SearchAnswer, labels: Labels): Iterable<string> {
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
