/**
 * Search over real transcripts: every word of every indexed text is found, and what is said of a text is what core says.
 * The corpus is not part of the repository: `DAGLINE_CORPUS` names its `projects` folder, or its tarball lies beside it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryId, type Graph, parseRow, startGraph } from '@dagline/core'
import { type UsageRow, uniqueMessages } from '@dagline/core/measure'
import { beforeAll, describe, expect, it } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { openIndex } from '../src/db/sqlite.js'
import {
  allPresent,
  createUsageScanner,
  discover,
  type FoundText,
  type IndexStore,
  joinMoved,
  openRangeReader,
  readTranscript,
  search,
  syncRoot,
} from '../src/index.js'
import { shorten } from '../src/sync/read.js'
import { CORPUS_QUERIES, SAMPLE_QUERIES } from './search-queries.js'

const root = findCorpus()
if (root === null) {
  process.stderr.write(
    'not run: search over the corpus (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n',
  )
  it('search over the corpus not run: no corpus here', () => expect(root).toBeNull())
}

const EVERYTHING = 1_000_000

it('[H8] [H9] [H10] queries find their entry of the samples among the first ten', async () => {
  const samples = openIndex(':memory:')
  const folder = join(import.meta.dirname, '../../../fixtures/samples/projects')
  for (const found of discover([folder])) await syncRoot(samples, found)
  expect(missedQueries(samples, SAMPLE_QUERIES)).toEqual([])
  samples.close()
})

describe.runIf(root !== null)('search over the corpus', () => {
  let index: IndexStore
  let all: readonly FoundText[]
  beforeAll(async () => {
    index = openIndex(':memory:')
    for (const found of discover([root ?? ''])) await syncRoot(index, found)
    all = index.find([], {}, EVERYTHING)
  }, 120_000)

  it('[X10] usage without an index is that of the index', { timeout: 60_000 }, () => {
    const owner = {
      session: '',
      agent: null,
      agentId: null,
      line: '',
      status: 'live',
      version: null,
    } as const
    const scan = createUsageScanner()
    const parts = discover([root ?? '']).flatMap(found =>
      allPresent(found, undefined).flatMap(({ path, project }) =>
        scan(found.root, path).parts.map(part => ({ ...part, ...owner, project })),
      ),
    )
    const indexed = index.usage().map(row => ({ ...row, ...owner }))
    const byId = (rows: readonly UsageRow[]): Map<string, UsageRow> =>
      new Map(rows.map(row => [row.message, row]))
    expect(byId(uniqueMessages(parts))).toEqual(byId(indexed))
  })

  it('[H3] every word of a row is found: random samples against a scan of the files', {
    timeout: 120_000,
  }, () => {
    const random = randomFrom(20_261_115)
    const files = discover([root ?? '']).flatMap(found => found.projects.flatMap(({ files }) => files))
    const missed: string[] = []
    for (let sample = 0; sample < 150; sample++) {
      const { path } = files[Math.floor(random() * files.length)] ?? { path: '' }
      const rows = readFileSync(join(root ?? '', path), 'utf8').split('\n')
      const at = Math.floor(random() * rows.length)
      const words = wordsIn(rows[at] ?? '')
      const word = words[Math.floor(random() * words.length)]
      if (word === undefined) continue
      const texts = index.find([{ words: [word.text], isPrefix: false }], {}, EVERYTHING)
      // A copy of an entry is found as its original.
      if (!texts.some(text => (text.path === path && text.row === at + 1) || text.node === word.uuid))
        missed.push(`${path}:${at + 1} ${word.text}`)
    }
    expect(missed).toEqual([])
  })

  it('[H4] what is said of a text is what core says', { timeout: 120_000 }, () => {
    const faults: string[] = []
    for (const found of discover([root ?? ''])) {
      for (const project of joinMoved(found)) {
        const graph = graphOf(found.root, project.files)
        const paths = new Set<string>(project.files.map(({ path }) => path))
        faults.push(
          ...labelFaults(
            graph,
            all.filter(({ path }) => paths.has(path)),
          ),
        )
      }
    }
    expect(faults).toEqual([])
  })

  it('[H8] [H9] [H10] 95 of 100 queries find their entry among the first ten', () => {
    const missed = missedQueries(index, CORPUS_QUERIES)
    expect(CORPUS_QUERIES).toHaveLength(200)
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(CORPUS_QUERIES.length * 0.05)
  })

  it('[H5] a filter chooses among what is found without it', () => {
    const word = [{ words: ['error'], isPrefix: false }]
    const texts = index.find(word, {}, EVERYTHING)
    const failed = index.find(word, { failed: true }, EVERYTHING)
    expect(ids(failed)).toEqual(ids(texts.filter(text => text.failed)))
    const agents = index.find(word, { agent: '' }, EVERYTHING)
    expect(ids(agents)).toEqual(ids(texts.filter(({ line }) => line?.agent != null)))
    const outputs = index.find(word, { fields: ['output'] }, EVERYTHING)
    expect(ids(outputs)).toEqual(ids(texts.filter(({ field }) => field === 'output')))
  })
})

/** Queries that do not have their entry among the first ten hits. */
function missedQueries(index: IndexStore, queries: typeof CORPUS_QUERIES): readonly string[] {
  const spans = openRangeReader()
  return queries.flatMap(({ kind, node, text }) => {
    const { hits } = search(index, spans, { text, limit: 10 })
    return hits.some(hit => hit.node?.startsWith(node)) ? [] : [`${kind} ${text}: ${node}`]
  })
}

function ids(texts: readonly FoundText[]): readonly number[] {
  return texts.map(({ text }) => text).sort((a, b) => a - b)
}

function graphOf(folder: string, files: ReturnType<typeof joinMoved>[number]['files']): Graph {
  const builder = startGraph()
  for (const file of files) {
    const { result } = readTranscript(folder, file.path, row => builder.addRow(file, parseRow(row)))
    if (result?.pending != null) builder.addRow(file, parseRow(result.pending))
  }
  return builder.build()
}

function labelFaults(graph: Graph, texts: readonly FoundText[]): readonly string[] {
  // What is sent as a copy is live where its original stands, too.
  const live = new Set<string>()
  for (const { facts } of graph.files())
    for (const node of graph.live(facts.path)) live.add(graph.id(node)).add(graph.id(graph.originalOf(node)))
  return texts.flatMap(text => {
    if (text.node === null) return []
    const node = graph.index(entryId(text.node)) ?? -1
    const { kind } = graph.node(node)
    const line = graph.lineOf(node)?.id ?? null
    const isMessage = kind === 'user' || kind === 'assistant'
    const isRight = (text.line?.name ?? null) === line && (!isMessage || text.live === live.has(text.node))
    return isRight ? [] : [`${text.path}:${text.row} ${text.line?.name} ${line} ${text.live}`]
  })
}

interface Word {
  readonly text: string
  readonly uuid: string
}

/** The words of a row by a plain reading: of texts, thinking, inputs and outputs, as far as they are indexed. */
function wordsIn(row: string): readonly Word[] {
  try {
    const record = JSON.parse(row)
    const {
      uuid,
      message,
      type,
      isSidechain: _,
      ...rest
    } = record.data?.type === 'agent_progress' ? record.data.message : record
    if (typeof uuid !== 'string' || rest.toolName !== undefined || (type !== 'user' && type !== 'assistant'))
      return []
    const blocks =
      typeof message?.content === 'string' ? [{ type: 'text', text: message.content }] : message?.content
    if (!Array.isArray(blocks)) return []
    const texts = blocks.flatMap(textsIn)
    return texts.flatMap(text => (text.match(/[A-Za-z0-9]+/g) ?? []).map(word => ({ text: word, uuid })))
  } catch {
    return []
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a plain reading of what JSON.parse gives
function textsIn(block: any): readonly string[] {
  if (block?.type === 'text') return [String(block.text)]
  if (block?.type === 'thinking') return [String(block.thinking)]
  if (block?.type === 'tool_use')
    return [
      shorten(
        Object.values(block.input ?? {})
          .filter(value => typeof value === 'string')
          .join('\n'),
        'input',
      ),
    ]
  if (block?.type !== 'tool_result') return []
  const parts =
    typeof block.content === 'string'
      ? [block.content]
      : (block.content ?? []).map((part: { text?: string }) => part.text ?? '')
  return [shorten(parts.join('\n'), 'output')]
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
