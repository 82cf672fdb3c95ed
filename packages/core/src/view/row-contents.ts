/** What rows of a sheet say: their blocks, calls joined with their results and with the agents they started. */

import { readBlocks, readResults } from '../content/blocks.js'
import { writtenBy } from '../content/usage.js'
import type { Graph, GraphNode } from '../graph/graph.js'
import { createPricer } from '../measure/cost.js'
import type { Prices } from '../measure/prices.js'
import type { MessageUsage } from '../model/billing.js'
import { entryId } from '../model/ids.js'
import type { Json } from '../parse/json.js'
import {
  type Block,
  CONTENT_LIMIT,
  type ImageContent,
  type RowContent,
  type ToolResultContent,
} from '../protocol/content.js'
import type { Sheet } from '../protocol/sheet.js'

/** Reads the records of a graph, and files beside its transcripts; null for what cannot be read. */
export interface RecordReader {
  readonly record: (node: number) => Json | null
  /** A whole file as text, by its path below the folder that the paths of the graph's files are relative to. */
  readonly file: (path: string) => string | null
}

/** Where an image is asked for: by the number of its block, or by the call whose result it is in and its number there. */
export type ImageAddress = (node: string, block: string | number, image?: number) => string

/** What contents are read with. */
export interface ContentOptions {
  readonly reader: RecordReader
  readonly messages: ReadonlyMap<string, MessageUsage>
  readonly prices: Prices
  /** How long texts may be; `CONTENT_LIMIT` unless given. */
  readonly limit?: number
  /** The address of an image; without it images come with their bytes. */
  readonly addressOf?: ImageAddress
}

/** What is the same for all rows of one answer. */
interface RowContext {
  readonly graph: Graph
  readonly reader: RecordReader
  /** The record of a node, read once: calls and results ask for each other. */
  readonly record: (node: number) => Json | null
  readonly options: ContentOptions
  readonly limit: number
  readonly costOf: (usage: MessageUsage) => number | null
  /** The sheet's line of the agent that a call started, by the call's id. */
  readonly agents: ReadonlyMap<string, number>
  /** T4: the uuids of results that have rows of their own. */
  readonly late: ReadonlySet<string>
}

/** Rows of a sheet; `to` is not included. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** The contents of some rows. */
export function rowContents(
  graph: Graph,
  sheet: Sheet,
  { from, to }: RowRange,
  options: ContentOptions,
): readonly RowContent[] {
  const context: RowContext = {
    graph,
    reader: options.reader,
    record: remembered(options.reader.record),
    options,
    limit: options.limit ?? CONTENT_LIMIT,
    costOf: createPricer(options.prices),
    ...linksIn(graph, sheet),
  }
  return sheet.rows.node.slice(from, to).map(uuid => contentOf(context, uuid))
}

function remembered<T>(read: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>()
  return node => {
    const value = known.get(node)
    if (value !== undefined) return value
    const made = read(node)
    known.set(node, made)
    return made
  }
}

type SheetLinks = Pick<RowContext, 'agents' | 'late'>

const knownLinks = new WeakMap<Sheet, SheetLinks>()

/** What calls and results of a sheet lead to. Its rows are asked for in chunks, and a sheet can have 50,000 subagents. */
function linksIn(graph: Graph, sheet: Sheet): SheetLinks {
  const known = knownLinks.get(sheet)
  if (known !== undefined) return known
  const made = {
    agents: agentLines(graph, sheet),
    late: new Set(sheet.late.map(([row]) => sheet.rows.node[row] ?? '')),
  }
  knownLinks.set(sheet, made)
  return made
}

function agentLines(graph: Graph, sheet: Sheet): ReadonlyMap<string, number> {
  const numbers = new Map(
    sheet.lines.flatMap(({ agent }, at) => (agent === null ? [] : [[agent.id, at] as const])),
  )
  const found = new Map<string, number>()
  for (const { id, spawnedBy } of graph.agents()) {
    const line = numbers.get(id)
    // A call that started several agents leads to the first of them.
    if (spawnedBy !== null && line !== undefined && !found.has(spawnedBy.call.id))
      found.set(spawnedBy.call.id, line)
  }
  return found
}

function contentOf(context: RowContext, uuid: string): RowContent {
  const { graph } = context
  const node = graph.index(entryId(uuid))
  const record = node === null ? null : context.record(node)
  if (node === null || record === null)
    return { node: uuid, model: null, version: null, usage: null, blocks: [goneBlock(graph, node)] }
  return {
    node: uuid,
    ...writtenBy(record),
    usage: usageAt(context, node),
    blocks: readBlocks(record, context.limit).map((block, position) =>
      joined(context, { node, uuid, block, position }),
    ),
  }
}

/** The file has changed or gone since it was read. */
function goneBlock(graph: Graph, node: number | null): Block {
  const head = node === null ? null : graph.node(node).head
  const text = head ?? 'This row is no longer in its file.'
  return { kind: 'note', label: 'gone', text: { text, cut: null } }
}

/** T3: a message counts once, at its first row. */
function usageAt({ graph, options, costOf }: RowContext, node: number): RowContent['usage'] {
  const { message } = graph.node(node)
  const usage = message === null ? undefined : options.messages.get(message)
  if (message === null || usage === undefined || !isFirstPart(graph, node, message)) return null
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = usage
  return { input: input + cacheRead + cacheWrite5m + cacheWrite1h, output, cost: costOf(usage) }
}

/** Rows between two parts of a message: results, hooks and notices. */
const MOST_BETWEEN = 64

/** Parts of a message hang on each other, with results between them at most. */
function isFirstPart(graph: Graph, node: number, message: string): boolean {
  const parentOf = ({ parent }: GraphNode): number | null => (parent === null ? null : graph.index(parent))
  let parent = parentOf(graph.node(node))
  for (let steps = 0; parent !== null && steps < MOST_BETWEEN; steps++) {
    const above = graph.node(parent)
    if (above.message === message) return false
    if (above.kind === 'assistant' || above.type === 'prompt') return true
    parent = parentOf(above)
  }
  return true
}

interface Placed {
  readonly node: number
  readonly uuid: string
  readonly block: Block
  readonly position: number
}

/** A block with what stands elsewhere. */
function joined(context: RowContext, { node, uuid, block, position }: Placed): Block {
  switch (block.kind) {
    case 'call': {
      const result = block.result ?? resultOf(context, node, block.id)
      const agent = context.agents.get(block.id) ?? null
      if (result !== null && context.late.has(result.node))
        return { ...block, result: null, late: result.node, agent }
      return { ...block, result: result && shownResult(context, result, block.id), agent }
    }
    case 'result': {
      const { id, tool } = callOf(context, node, position)
      return { ...block, ...shownResult(context, block, id), tool }
    }
    case 'image':
      return { ...block, image: shownImage(context, block.image, [uuid, position]) }
    default:
      return block
  }
}

function shownImage(
  { options: { addressOf } }: RowContext,
  image: ImageContent,
  where: Parameters<ImageAddress>,
): ImageContent {
  return addressOf === undefined ? image : { media: image.media, href: addressOf(...where) }
}

/** The result of a call: of several sightings the one on the same line, else the first that can be read. */
function resultOf(
  { graph, record: read, limit }: RowContext,
  node: number,
  id: string,
): ToolResultContent | null {
  const ends = graph.toolEnds(node).find(end => end.id === id)
  const line = graph.lineOf(node)
  const near = (ends?.results ?? []).toSorted(
    (a, b) => Number(graph.lineOf(b) === line) - Number(graph.lineOf(a) === line),
  )
  for (const result of near) {
    const record = read(result)
    const content = record === null ? undefined : readResults(record, limit).get(id)
    if (content !== undefined) return content
  }
  return null
}

/** The call that a result answers: the nth block of its row. */
function callOf({ graph, record: read }: RowContext, node: number, position: number): Called {
  const record = read(node)
  const id =
    record === null ? '' : ([...readResults(record, 0).keys()][resultsBefore(record, position)] ?? '')
  const [call] = graph.toolEnds(node).find(end => end.id === id)?.calls ?? []
  const made = call === undefined ? null : read(call)
  const block =
    made === null ? undefined : readBlocks(made, 0).find(each => each.kind === 'call' && each.id === id)
  return { id, tool: block?.kind === 'call' ? block.name : null }
}

interface Called {
  readonly id: string
  readonly tool: string | null
}

function resultsBefore(record: Json, position: number): number {
  return readBlocks(record, 0)
    .slice(0, position)
    .filter(({ kind }) => kind === 'result').length
}

/** A result with its pictures as they are asked for, and with its text where the client put it into another file. */
function shownResult(context: RowContext, result: ToolResultContent, id: string): ToolResultContent {
  const whole = result.spilled === null ? null : spilledText(context, result.node, result.spilled)
  const cut = whole === null ? null : whole.slice(0, context.limit)
  return {
    ...result,
    text:
      whole === null || cut === null
        ? result.text
        : { text: cut, cut: cut.length < whole.length ? whole.length : null },
    images: result.images.map((image, at) => shownImage(context, image, [result.node, id, at])),
  }
}

function spilledText({ graph, reader }: RowContext, uuid: string, path: string): string | null {
  const node = graph.index(entryId(uuid))
  return node === null ? null : readSpilled(graph, reader, node, path)
}

/**
 * The whole text of a result that Claude Code put into a file of its own; null where it cannot be read. The path is that of
 * the machine that wrote it: the file's name is looked for in the session's own folder.
 */
export function readSpilled(graph: Graph, reader: RecordReader, node: number, path: string): string | null {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  const { file } = graph.node(node)
  const folder = /^(.*)\/subagents\//.exec(file)?.[1] ?? file.replace(/\.jsonl$/, '')
  if (name === '' || name === '..' || name === '.') return null
  const text = reader.file(`${folder}/tool-results/${name}`)
  return text === null || text.includes('\u0000') ? null : text
}

/**
 * The blocks of one entry, texts whole; null where its record cannot be read. The result of a call is a block of the entry
 * that has it, with its text also where Claude Code put that into a file of its own.
 */
export function entryBlocks(graph: Graph, reader: RecordReader, node: number): readonly Block[] | null {
  const record = reader.record(node)
  if (record === null) return null
  return readBlocks(record, Number.POSITIVE_INFINITY).map(block => {
    if (block.kind !== 'result' || block.spilled === null) return block
    const text = readSpilled(graph, reader, node, block.spilled)
    return text === null ? block : { ...block, text: { text, cut: null } }
  })
}
