/** The content of entries, read again from their files by offset and length: the graph keeps places, not texts. */
import { createRecordFinder, type Graph } from '@dagline/core'
import { openSpans } from '@dagline/store'

/** An object as it came out of JSON.parse. */
export type Json = { readonly [key: string]: unknown }

export interface Contents {
  /** The record of a node; null where its file has changed or gone. */
  readonly record: (node: number) => Json | null
  /** The bytes of the row as text, whatever they are. */
  readonly raw: (node: number) => string | null
  /** Files of which something could not be read, by their paths, each with a sentence. */
  readonly unread: ReadonlyMap<string, string>
  readonly close: () => void
}

/** Opens the files of a graph as they are asked for. */
export function openContents(root: string, graph: Graph): Contents {
  const spans = openSpans()
  const find = createRecordFinder()
  const raw = (node: number): string | null => {
    const { file, offset, length } = graph.node(node)
    return spans.read(root, file, { offset, length })
  }
  const record = (node: number): Json | null => {
    const { file, offset } = graph.node(node)
    return find({ within: graph, file, offset, id: graph.id(node) }, () => raw(node))
  }
  return { raw, unread: spans.unread, close: spans.close, record }
}

/** The value as an object, or null. */
export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** A field as a text, or null. */
export function textAt(json: Json | null, key: string): string | null {
  const value = json?.[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The objects in a list field. */
export function objectsAt(json: Json | null, key: string): readonly Json[] {
  const value: unknown = json?.[key]
  return Array.isArray(value) ? value.map(asObject).filter(item => item !== null) : []
}
