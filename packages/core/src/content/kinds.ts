/**
 * The text of each kind of block that is not text, thinking or a call: the same in a message and in a tool result. A kind
 * that is not listed here is shown with its name and all texts in it.
 */
import { textOf } from '../parse/content.js'
import { asList, asObject, asObjects, asText, asTexts, type Json } from '../parse/json.js'
import type { ImageContent } from '../protocol/content.js'

type Lines = readonly (string | null)[]

const textsByKind: Readonly<Record<string, (block: Json) => Lines>> = {
  advisor_redacted_result: () => [],
  advisor_result: ({ text }) => [asText(text)],
  bash_code_execution_result: executionLines,
  browser_state: ({ tabs }) => asObjects(tabs).flatMap(tab => [asText(tab.title), asText(tab.url)]),
  code_execution_result: executionLines,
  compaction: ({ content }) => [asText(content)],
  container_upload: ({ file_id }) => [asText(file_id)],
  document: documentLines,
  encrypted_code_execution_result: executionLines,
  search_result: ({ title, source, content }) => [asText(title), asText(source), textOf(asObjects(content))],
  text: ({ text }) => [asText(text)],
  text_editor_code_execution_create_result: ({ is_file_update }) => [
    is_file_update === true ? 'File updated' : 'File created',
  ],
  text_editor_code_execution_str_replace_result: ({ lines }) => asTexts(lines),
  text_editor_code_execution_view_result: ({ content }) => [asText(content)],
  tool_reference: ({ tool_name }) => [asText(tool_name)],
  tool_search_tool_search_result: ({ tool_references }) =>
    asObjects(tool_references).map(({ tool_name }) => asText(tool_name)),
  web_fetch_result: ({ url, content }) => [asText(url), ...documentLines(asObject(content) ?? {})],
  web_search_result: ({ title, url }) => [asText(title), asText(url)],
}

/** The output of a program, and the ids of the files that it made. */
function executionLines({ stdout, stderr, content }: Json): Lines {
  return [asText(stdout), asText(stderr), ...asObjects(content).map(({ file_id }) => asText(file_id))]
}

/** A document's title and text; its address, file id or media type where it is not text. */
function documentLines({ title, context, source }: Json): Lines {
  const from = asObject(source) ?? {}
  const isText = from.type === 'text' || from.media_type === 'text/plain'
  const body = isText
    ? asText(from.data)
    : (asText(from.url) ?? asText(from.file_id) ?? asText(from.media_type))
  const inner = asText(from.content) ?? textOf(asObjects(from.content))
  return [asText(title), asText(context), inner ?? body]
}

/** The text of a block by its kind; null for a kind that is not known. */
export function blockText(block: Json): string | null {
  const type = asText(block.type) ?? ''
  if (type.endsWith('_error')) return joined([asText(block.error_code), asText(block.error_message)])
  return Object.hasOwn(textsByKind, type) ? joined(textsByKind[type]?.(block) ?? []) : null
}

/** The text of a result: that of each item, separated by newlines. Tools of the API have an object instead of a list. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const items = Array.isArray(content) ? asList(content) : [content]
  return joined(items.map(itemText))
}

/** Images that can be shown have no text; any other item without text is named. */
function itemText(item: unknown): string | null {
  const block = asObject(item)
  if (block === null) return asText(item)
  const type = asText(block.type) ?? 'block'
  if (type === 'image') return hiddenImage(asObject(block.source) ?? {})
  const text = blockText(block) ?? namedStrings(type, block)
  return text === '' ? `[${type}]` : text
}

function hiddenImage(source: Json): string | null {
  return imageIn(source) === null ? `[image] ${imageText(source) ?? ''}`.trim() : null
}

function namedStrings(type: string, { type: _, ...rest }: Json): string {
  return `[${type}] ${stringsIn(rest) ?? ''}`.trimEnd()
}

/** Lines that are neither null nor empty, joined. */
export function joined(lines: Lines): string {
  return lines.filter(line => line !== null && line !== '').join('\n')
}

/** Media types that a browser shows and that hold no code. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The image whose bytes a source holds; null for an address, a file id, and media types that are not shown. */
export function imageIn(source: Json): ImageContent | null {
  const media = asText(source.media_type)
  const data = asText(source.data)
  return media === null || data === null || !imageTypes.has(media) ? null : { media, data }
}

/** The address, file id or media type of an image that cannot be shown; null for one that can. */
export function imageText(source: Json): string | null {
  if (imageIn(source) !== null) return null
  return asText(source.url) ?? asText(source.file_id) ?? asText(source.media_type)
}

/** Fields that only the API can read. */
const opaque: ReadonlySet<string> = new Set(['encrypted_content', 'encrypted_index', 'encrypted_stdout'])

/** All strings in a value, one a line; null where there are none. Numbers, flags and encoded bytes are left out. */
export function stringsIn(value: unknown): string | null {
  const strings: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') strings.push(next)
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at])
    else openFields(asObject(next), open)
  }
  return strings.length === 0 ? null : strings.join('\n')
}

function openFields(object: Json | null, open: unknown[]): void {
  if (object === null) return
  const hasBytes = isEncoded(object)
  const keys = Object.keys(object)
  for (let at = keys.length - 1; at >= 0; at--) {
    const key = keys[at] ?? ''
    if (!opaque.has(key) && !(hasBytes && key === 'data')) open.push(object[key])
  }
}

/** `{type: base64, media_type, data}`: the source of an image or of a document that is not text. */
function isEncoded({ media_type }: Json): boolean {
  return typeof media_type === 'string' && !media_type.startsWith('text/')
}
