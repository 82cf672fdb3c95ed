/**
 * Renaming a row without parsing it: in most rows of a copy only names change, and a million of them are
 * read twice already. A key that stands in the text exactly once, with its quotes, is the record's own: inside of
 * strings quotes are escaped. Whatever is not as plain as that is left to `applyPatch`.
 */
import { type EntryId, entryId } from '../model/ids.js'
import type { Naming } from './patch.js'

/** A row with its new names, and the uuid that it had. */
interface RenamedText {
  readonly text: string
  readonly id: EntryId
}

/** The same row as `applyPatch` would make it; null where it takes more than new names. `parent` as in a patch. */
export function renameText(
  text: string,
  naming: Naming,
  parent: EntryId | null | undefined,
): RenamedText | null {
  const found = text.endsWith('}') ? namesIn(text) : null
  if (found === null) return null
  const { uuid, sessionId, parentUuid, sourceToolAssistantUUID: source } = found
  if (uuid?.value == null || sessionId?.value == null || parentUuid === null) return null
  const edits: Edit[] = [
    { span: uuid, value: written(uuid.value, naming) },
    { span: sessionId, value: JSON.stringify(naming.session) },
    { span: parentUuid, value: written(parent === undefined ? parentUuid.value : parent, naming) },
  ]
  if (source !== null) edits.push({ span: source, value: written(source.value, naming) })
  if (naming.stamps) edits.push(stamp(text, uuid.value, sessionId.value))
  return { id: entryId(uuid.value), text: replaced(text, edits) }
}

/** A value in a text with its quotes, or the word null, and where it stands. */
interface Span {
  readonly from: number
  readonly to: number
  readonly value: string | null
}

interface Edit {
  readonly span: Span
  readonly value: string
}

/** Where the names of a row stand. */
interface NamesInText {
  uuid: Span | null
  sessionId: Span | null
  parentUuid: Span | null
  sourceToolAssistantUUID: Span | null
}

/**
 * The keys of names; behind them those of fields that also hold names, and of a row that has a stamp already. All are
 * looked for at once, because looking at the text takes longest.
 */
const KEYS =
  /"(?:uuid|sessionId|parentUuid|sourceToolAssistantUUID|forkedFrom|logicalParentUuid|interruptedMessageId|refusedMessageId|compactMetadata|session_id)"/g

/** The names of a row; null where one stands there twice or is not plain, and where other fields hold names, too. */
function namesIn(text: string): NamesInText | null {
  const names: NamesInText = { uuid: null, sessionId: null, parentUuid: null, sourceToolAssistantUUID: null }
  KEYS.lastIndex = 0
  while (KEYS.test(text)) {
    const end = KEYS.lastIndex
    const key = text.slice(text.lastIndexOf('"', end - 2) + 1, end - 1)
    const span = valueAt(text, end)
    if (span === null || !isName(key) || names[key] !== null) return null
    names[key] = span
  }
  return names
}

function isName(key: string): key is keyof NamesInText {
  return key === 'uuid' || key === 'sessionId' || key === 'parentUuid' || key === 'sourceToolAssistantUUID'
}

/** The string without escapes, or the word null, behind a key and its colon. */
function valueAt(text: string, end: number): Span | null {
  const from = end + 1
  if (text.charCodeAt(end) !== COLON) return null
  if (text.charCodeAt(from) !== QUOTE)
    return text.startsWith('null', from) ? { from, to: from + 4, value: null } : null
  const to = text.indexOf('"', from + 1)
  const value = text.slice(from + 1, to)
  return to < 0 || value.includes('\\') ? null : { from, to: to + 1, value }
}

const COLON = 0x3a
const QUOTE = 0x22

function written(name: string | null, { rename }: Naming): string {
  return name === null ? 'null' : JSON.stringify(rename(name))
}

function replaced(text: string, edits: Edit[]): string {
  let result = ''
  let from = 0
  for (const { span, value } of edits.sort((a, b) => a.span.from - b.span.from)) {
    result += text.slice(from, span.from) + value
    from = span.to
  }
  return result + text.slice(from)
}

/** What a copy is a copy of, before the last brace. */
function stamp(text: string, id: string, session: string): Edit {
  const end = text.length - 1
  const value = `,"forkedFrom":{"sessionId":"${session}","messageUuid":"${id}"}`
  return { span: { from: end, to: end, value: null }, value }
}
