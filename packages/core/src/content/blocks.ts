/** A record for the page: its parts as blocks of plain text and data, with long texts cut. */
import type { TranscriptRecord } from '../model/entry.js'
import { splitAdded } from '../model/prompt-words.js'
import { asList, asObject, asText, type Json } from '../parse/json.js'
import { writeJson } from '../parse/write-json.js'
import type { Block, ToolResultContent } from '../protocol/content.js'
import { cutText, cutValues } from './cut.js'
import { imageIn, imageText } from './kinds.js'
import { type CallPart, type NotePart, type Part, type ResultPart, readParts, recordOf } from './parts.js'
import { readTagged } from './tagged.js'

/** The blocks of a record, texts cut to a limit in UTF-16 units. Calls have no results that stand in other records. */
export function readBlocks(json: Json, limit: number): readonly Block[] {
  const record = recordOf(json)
  const parts = readParts(json, record)
  const results = resultsIn(parts, json, limit)
  const label = labelOf(record)
  // Tools of the API are answered within the message.
  const called = new Set(parts.map(part => (part.kind === 'call' ? part.id : null)))
  return parts.flatMap((part): readonly Block[] => {
    switch (part.kind) {
      case 'call':
        return [callBlock(part, results.get(part.id) ?? null, limit)]
      case 'result': {
        const result = called.has(part.call) ? undefined : results.get(part.call)
        return result === undefined ? [] : [{ kind: 'result', tool: null, ...result }]
      }
      case 'text':
        return label === null ? textBlocks(part.text, limit) : [textBlock(part.text, label, limit)]
      case 'thinking':
        return [{ kind: 'thinking', text: cutText(part.text, limit), isHidden: part.text === '' }]
      case 'error':
        return [{ kind: 'error', text: cutText(part.text, limit) }]
      case 'image':
        return [imageBlock(part.source, limit)]
      default:
        return [noteBlock(part, limit)]
    }
  })
}

/** The results of a record by the ids of their calls, texts cut to a limit. */
export function readResults(json: Json, limit: number): ReadonlyMap<string, ToolResultContent> {
  return resultsIn(readParts(json, recordOf(json)), json, limit)
}

function resultsIn(
  parts: readonly Part[],
  json: Json,
  limit: number,
): ReadonlyMap<string, ToolResultContent> {
  const results = parts.filter(part => part.kind === 'result')
  // `toolUseResult` belongs to one result; of several it does not say which.
  const facts = results.length === 1 ? asObject(json.toolUseResult) : null
  return new Map(results.map(part => [part.call, resultContent(part, json, facts, limit)]))
}

/** The label of a text that the client wrote; `error` for the notice of a failed request; null for all other texts. */
function labelOf(record: TranscriptRecord): string | null {
  switch (record.kind) {
    case 'user':
      return clientTexts.has(record.says) ? record.says : null
    case 'attachment':
      return record.queued?.typed === false ? 'notification' : null
    case 'system':
      return record.subtype
    default:
      return record.kind === 'assistant' && record.apiError ? 'error' : null
  }
}

const clientTexts: ReadonlySet<string> = new Set(['meta', 'caveat', 'interrupt', 'notification'])

/** S7: what an editor or the client added in front of a text is a note of its own. */
function textBlocks(text: string, limit: number): readonly Block[] {
  const { added, rest } = splitAdded(text)
  const notes = added.map((each): Block => {
    return { kind: 'note', label: addedLabel(each.tag), text: cutText(each.text, limit) }
  })
  return added.length > 0 && rest.trim() === '' ? notes : [...notes, textBlock(rest, null, limit)]
}

/** `open file` for `ide_opened_file`. */
function addedLabel(tag: string): string {
  if (tag === 'system-reminder') return 'reminder'
  return tag === 'ide_opened_file' ? 'open file' : tag.replace(/^ide_/, '').replaceAll('_', ' ')
}

function textBlock(text: string, label: string | null, limit: number): Block {
  if (label === 'error') return { kind: 'error', text: cutText(text, limit) }
  const tagged = readTagged(text)
  if (tagged?.kind === 'note') return { ...tagged, text: cutText(tagged.text, limit) }
  if (tagged !== null)
    return { ...tagged, output: tagged.output === null ? null : cutText(tagged.output, limit) }
  return label === null
    ? { kind: 'text', text: cutText(text, limit) }
    : { kind: 'note', label, text: cutText(text, limit) }
}

function callBlock({ id, name, input }: CallPart, result: ToolResultContent | null, limit: number): Block {
  const fields = cutValues(asObject(input) ?? wrapped(input), limit)
  return { kind: 'call', id, name, input: fields, result, agent: null }
}

/** An input that is not an object, as interrupted streams leave it. */
function wrapped(input: unknown): Json {
  return input === undefined || input === null || input === '' ? {} : { input }
}

function imageBlock(source: Json, limit: number): Block {
  const image = imageIn(source)
  return image === null
    ? { kind: 'note', label: 'image', text: cutText(imageText(source) ?? '', limit) }
    : { kind: 'image', image }
}

function noteBlock({ label, subject, text, value }: NotePart, limit: number): Block {
  const name = subject === null ? label : `${label} ${subject}`
  return { kind: 'note', label: name, text: cutText(text ?? pretty(value), limit) }
}

/** The limit for texts in values of unknown kinds. */
const mostInValue = 4000

function pretty(value: Json): string {
  return Object.keys(value).length === 0 ? '' : writeJson(cutValues(value, mostInValue), 2)
}

function resultContent(
  { state, text, content }: ResultPart,
  json: Json,
  facts: Json | null,
  limit: number,
): ToolResultContent {
  const time = Date.parse(asText(json.timestamp) ?? '')
  return {
    state,
    text: cutText(text, limit),
    images: asList(content).flatMap(item => imageIn(asObject(asObject(item)?.source) ?? {}) ?? []),
    facts: facts === null ? null : cutValues(facts, limit),
    node: asText(json.uuid) ?? '',
    time: Number.isNaN(time) ? null : time,
    spilled: state === 'spilled' ? spilledTo(text, facts) : null,
  }
}

/** The file of a result that was too large for the transcript: a path of the machine that wrote it. */
function spilledTo(text: string, facts: Json | null): string | null {
  const recorded = facts === null ? null : asText(facts.persistedOutputPath)
  return recorded ?? /saved to: (.+)/.exec(text.slice(0, 4000))?.[1]?.trim() ?? null
}
