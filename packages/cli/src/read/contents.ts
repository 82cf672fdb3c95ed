/** The content of entries, read again from their files by offset and length: the graph keeps places, not texts. */
import type { Graph } from '@dagline/core'
import { openSpans } from '@dagline/store'

/** An object as it came out of JSON.parse. */
export type Json = { readonly [key: string]: unknown }

export interface Contents {
  /** The record of a node; null where its file has changed or gone. */
  readonly record: (node: number) => Json | null
  /** The bytes of the row as text, whatever they are. */
  readonly raw: (node: number) => string | null
  readonly close: () => void
}

/** Opens the files of a graph as they are asked for. */
export function openContents(root: string, graph: Graph): Contents {
  const spans = openSpans()
  const raw = (node: number): string | null => {
    const { file, offset, length } = graph.node(node)
    return spans.read(root, file, { offset, length })
  }
  return { raw, close: spans.close, record: node => recordIn(raw(node) ?? '', graph.id(node)) }
}

/** The record of a row, or the one with the id where the row holds several. */
function recordIn(text: string, id: string): Json | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL bytes are damage that is mended
  const plain = text.replace(/[\u0000\ufeff]/g, '')
  const whole = asJson(plain)
  if (whole !== null) return whole
  const starts = [...plain.matchAll(/\{"/g)].map(match => match.index)
  const at = plain.indexOf(`"${id}"`)
  for (const start of starts.filter(from => from <= at).toReversed()) {
    for (const end of [...plain.slice(start).matchAll(/\}(?=\s*(?:\{|$))/g)].slice(0, 50)) {
      const found = asJson(plain.slice(start, start + end.index + 1))
      if (found !== null && found['uuid'] === id) return found
    }
  }
  return null
}

function asJson(text: string): Json | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
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
