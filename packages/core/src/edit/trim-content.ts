/** Taking weight out of a record: long outputs, images, thoughts. What is taken out stays in the original. */
import { entryId } from '../model/ids.js'
import { asId, asList, asObject, asObjects, asText, type Json } from '../parse/json.js'
import type { Change, EditPlan, TrimScope } from './plan.js'

/** What a trim has taken out so far. */
export interface Saved {
  /** Characters of outputs and thoughts. */
  characters: number
  images: number
  readonly changes: Change[]
}

/** Characters that make a token, about. */
const PER_TOKEN = 4
/** Tokens of an image, about: what the API counts for one of its usual size. */
const PER_IMAGE = 1500

/** A trim with nothing to trim: its copy would say what its source says. */
export function trimsNothing({ trim, changes }: EditPlan, saved: Saved): boolean {
  return trim !== null && changes.length + saved.changes.length === 0
}

/** The tokens that were saved, estimated. */
export function savedTokens({ characters, images }: Saved): number {
  return Math.round(characters / PER_TOKEN) + images * PER_IMAGE
}

/** A trim under way. */
interface Trimmer {
  readonly record: (json: Json, position: number) => Json
  readonly saved: Saved
}

/** The trim of a plan; without options it leaves every record as it is. */
export function startTrim({ trim, rows }: EditPlan): Trimmer {
  const saved: Saved = { characters: 0, images: 0, changes: [] }
  if (trim === null) return { saved, record: json => json }
  const optionsFor = (position: number): TrimScope =>
    rows.patches.get(position)?.keepsThoughts === true ? { ...trim, thinking: false } : trim
  return { saved, record: (json, position) => trimRecord(json, optionsFor(position), saved) }
}

function trimRecord(json: Json, options: TrimScope, saved: Saved): Json {
  const message = asObject(json.message)
  if (message === null || !Array.isArray(message.content)) return json
  const before = { characters: saved.characters, images: saved.images }
  const blocks = asObjects(message.content).flatMap(block => trimBlock(block, options, saved))
  if (before.characters === saved.characters && before.images === saved.images) return json
  noteChange(json, before, saved)
  const trimmed = { ...json, message: { ...message, content: blocks } }
  // The client's own copy of an output is as long as the output.
  return json.toolUseResult === undefined
    ? trimmed
    : { ...trimmed, toolUseResult: cutDeep(json.toolUseResult, options) }
}

function noteChange(json: Json, before: Omit<Saved, 'changes'>, saved: Saved): void {
  const characters = saved.characters - before.characters
  const images = saved.images - before.images
  const what = [
    ...(characters > 0 ? [`${characters} characters`] : []),
    ...(images > 0 ? [`${images} image${images === 1 ? '' : 's'}`] : []),
  ].join(' and ')
  const why = `${what} left out; the original keeps them.`
  saved.changes.push({ what: 'shortened', node: asId(json.uuid, entryId), row: null, why })
}

function trimBlock(block: Json, options: TrimScope, saved: Saved): readonly Json[] {
  if (block.type === 'image' && options.images) return [imageNote(saved)]
  if (options.thinking && (block.type === 'thinking' || block.type === 'redacted_thinking')) {
    saved.characters += (asText(block.thinking) ?? asText(block.data) ?? '').length
    return []
  }
  return block.type === 'tool_result' ? [trimResult(block, options, saved)] : [block]
}

function imageNote(saved: Saved): Json {
  saved.images++
  return { type: 'text', text: '[An image was left out here.]' }
}

function trimResult(block: Json, options: TrimScope, saved: Saved): Json {
  const { content } = block
  if (typeof content === 'string') return { ...block, content: cutText(content, options.outputs, saved) }
  if (!Array.isArray(content)) return block
  const parts = asList(content).map(value => {
    const part = asObject(value)
    if (part === null) return value
    if (part.type === 'image' && options.images) return imageNote(saved)
    return typeof part.text === 'string'
      ? { ...part, text: cutText(part.text, options.outputs, saved) }
      : part
  })
  return { ...block, content: parts }
}

/** The head and the tail of a text, two thirds and one third of what stays, and a word about the gap. */
function cutText(text: string, most: number | null, saved: Saved | null): string {
  if (most === null || text.length <= most + NOTE) return text
  const tail = Math.floor(most / 3)
  const cut = text.length - most
  if (saved !== null) saved.characters += cut
  const end = tail === 0 ? '' : text.slice(-tail)
  return `${wholeEnd(text.slice(0, most - tail))}\n[${cut} characters were left out here]\n${wholeStart(end)}`
}

/** A cut shorter than the word about it would save nothing. */
const NOTE = 48

/** A text that does not end, or start, with half of a character. */
const wholeEnd = (text: string): string => text.replace(/[\ud800-\udbff]$/, '')
const wholeStart = (text: string): string => text.replace(/^[\udc00-\udfff]/, '')

function cutDeep(value: unknown, options: TrimScope): unknown {
  if (typeof value === 'string') return cutText(value, options.outputs, null)
  if (Array.isArray(value)) return value.map(item => cutDeep(item, options))
  const object = asObject(value)
  if (object === null) return value
  // An image is a field of base64 somewhere inside.
  const inside = object.type === 'image' && options.images ? { ...options, outputs: 0 } : options
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, cutDeep(item, inside)]))
}
