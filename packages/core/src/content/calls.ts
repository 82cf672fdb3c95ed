/** Records in short: the words of prompts and answers, and calls by the argument that says most. */
import { blocksOf, textOf } from '../parse/content.js'
import { asObject, asText, type Json } from '../parse/json.js'
import { pathIn } from './texts.js'

/** A call in short. */
export interface CallInShort {
  /** One line. */
  readonly text: string
  /** The file that it names; null for none. */
  readonly path: string | null
}

/** The words of a prompt or of an answer, without thinking, calls and results; null where there are none. */
export function plainWords(json: Json): string | null {
  const words = textOf(blocksOf(asObject(json.message)).filter(({ type }) => type === 'text'))
  return words === null || words.trim() === '' ? null : words
}

/** The calls of a record, in their order; paths below its working folder are short. */
export function callsInShort(json: Json): readonly CallInShort[] {
  const cwd = asText(json.cwd)
  if (json.subtype === 'tool_use') return [inShort(asObject(json.toolArguments) ?? {}, cwd)]
  return blocksOf(asObject(json.message))
    .filter(({ type, id }) => type === 'tool_use' && asText(id) !== null)
    .map(({ input }) => inShort(asObject(input) ?? {}, cwd))
}

/** Arguments by how much they say of a call. */
const telling = ['command', 'pattern', 'query', 'url', 'skill', 'description', 'prompt', 'path', 'task_id']
const longest = 200

function inShort(input: Json, cwd: string | null): CallInShort {
  const path = pathIn(input)
  const said =
    path ?? telling.map(field => asText(input[field])).find(value => value !== null) ?? firstText(input)
  return { text: oneLine(withinFolder(said, cwd)), path }
}

function firstText(input: Json): string {
  return asText(Object.values(input).find(value => asText(value) !== null)) ?? ''
}

function withinFolder(text: string, cwd: string | null): string {
  const isBelow = cwd !== null && text.startsWith(cwd) && /^[/\\]./.test(text.slice(cwd.length))
  return isBelow ? text.slice(cwd.length + 1) : text
}

function oneLine(text: string): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
