/** One entry by its uuid: where it is, why, and what it holds. */

import type { Graph } from '@dagline/core'
import { readBlocks, readResults } from '@dagline/core/content'
import { type Json, writeJson } from '@dagline/core/parse'
import type { Block, ImageContent, NodeLocation, Why } from '@dagline/core/protocol'
import { isLive, readSpilled } from '@dagline/core/view'
import { type Reading, readerOf } from '../contents/reading.js'
import { UserError } from '../host/user-error.js'
import type { OpenSession } from '../live/context.js'

/** A part of an entry. */
export interface BlockOptions {
  /** The number of a block of the row, or the id of a call whose result stands there. */
  readonly block: string
  /** A field of a call's input. */
  readonly field?: string | undefined
  /** Which image of a result. */
  readonly image: number
}

/** An entry in the graph of its session. */
interface LocatedEntry {
  readonly session: OpenSession
  readonly node: number
}

/** The bytes of the row as text. */
export function rawText(reading: Reading, { session, node }: LocatedEntry): string {
  return reading.raw(session, node) ?? gone()
}

function gone(): never {
  throw new UserError('This row is no longer in its file.', 'gone')
}

function missing(): never {
  throw new UserError('The row has no such part.', 'no-block')
}

/** The session of an entry. */
export function locationOf({ session }: LocatedEntry): NodeLocation {
  return { session: session.fact.session }
}

/** Why an entry stands where it stands, as seen from a session. */
export function whyOf({ session: { graph }, node: found }: LocatedEntry, session: string | null): Why {
  const node = session === null ? found : seenIn(graph, found, session)
  const { file, row } = graph.node(node)
  return {
    file,
    row,
    live: isLive(graph, node),
    because: graph.explain(node),
  }
}

/** The node as a session has it, which may be a copy: there it may be live though the branch it is from was left. */
function seenIn(graph: Graph, node: number, session: string): number {
  const nodeOf = (sighting: number): number => graph.originalOf(graph.index(graph.id(sighting)) ?? sighting)
  const files = graph.files().filter(({ facts }) => facts.kind === 'session' && facts.session === session)
  for (const { nodes } of files) {
    const own = nodes.find(each => nodeOf(each) === nodeOf(node))
    if (own !== undefined) return own
  }
  return node
}

/** A text that was cut, whole. */
export function textOf(reading: Reading, found: LocatedEntry, { block, field }: BlockOptions): string {
  const record = reading.record(found.session, found.node) ?? gone()
  const result = readResults(record, Number.POSITIVE_INFINITY).get(block)
  const part = readBlocks(record, Number.POSITIVE_INFINITY)[Number(block)]
  const shown = result ?? (part?.kind === 'result' ? part : null)
  if (shown !== null) {
    const spilled =
      shown.spilled === null
        ? null
        : readSpilled(found.session.graph, readerOf(reading, found.session), found.node, shown.spilled)
    return spilled ?? shown.text.text
  }
  return wordsOf(part ?? missing(), field)
}

function wordsOf(block: Block, field: string | undefined): string {
  switch (block.kind) {
    case 'call': {
      const value = field === undefined ? block.input : block.input[field]
      return typeof value === 'string' ? value : writeJson(value ?? missing(), 2)
    }
    case 'command':
      return block.output?.text ?? missing()
    case 'image':
    case 'result':
      return missing()
    default:
      return block.text.text
  }
}

/** An image of an entry. */
export function imageOf(reading: Reading, found: LocatedEntry, { block, image }: BlockOptions): ImageContent {
  const record: Json = reading.record(found.session, found.node) ?? gone()
  const part = readBlocks(record, 0)[Number(block)]
  if (part?.kind === 'image') return part.image
  const result = readResults(record, 0).get(block) ?? (part?.kind === 'result' ? part : null)
  return result?.images[image] ?? missing()
}
