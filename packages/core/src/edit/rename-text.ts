/**
 * Renaming a row without parsing it: most rows of a copy change in nothing but their names, and a million of them are
 * read twice already. A key that stands in the text exactly once, with its quotes, is the record's own: inside of
 * strings quotes are escaped. Whatever is not as plain as that is left to `applyPatch`.
 */
import type { Naming } from './patch.js'

/** A row with its new names, and the uuid that it had. */
export interface RenamedText {
  readonly text: string
  readonly id: string
}

/** The same row as `applyPatch` would make it; null where it takes more than new names. `parent` as in a patch. */
export function renameText(
  text: string,
  naming: Naming,
  parent: string | null | undefined,
): RenamedText | null {
  if (!text.endsWith('}') || RARE.some(key => text.includes(key))) return null
  const id = only(text, '"uuid"')
  const session = only(text, '"sessionId"')
  const above = parentIn(text)
  if (id === null || session === null || above === null) return null
  const edits = [
    { ...id, value: naming.rename(id.value) },
    { ...session, value: naming.session },
    { ...above, value: written(parent === undefined ? above.value : parent, naming) },
  ]
  const source = only(text, SOURCE)
  if (source !== null) edits.push({ ...source, value: naming.rename(source.value) })
  else if (text.includes(SOURCE)) return null
  return {
    id: id.value,
    text: stamped(replaced(text, edits), naming, { id: id.value, session: session.value }),
  }
}

const SOURCE = '"sourceToolAssistantUUID"'
/** Keys of fields that also hold names, and of a row that has a stamp already. */
const RARE = [
  '"forkedFrom":',
  '"logicalParentUuid":',
  '"interruptedMessageId":',
  '"refusedMessageId":',
  '"compactMetadata":',
  '"session_id":',
]

/** A value in a text, and where it stands. */
interface Found {
  readonly from: number
  readonly to: number
  readonly value: string
}

/** The string behind a key that stands in the text once; null where it does not, or the string has escapes. */
function only(text: string, key: string): Found | null {
  const from = behind(text, key)
  if (from < 0 || text.charCodeAt(from) !== QUOTE) return null
  const to = text.indexOf('"', from + 1)
  const value = text.slice(from + 1, to)
  return to < 0 || value.includes('\\') ? null : { from: from + 1, to, value }
}

const QUOTE = 0x22

/** Where the value of a key begins; -1 where the key is not there, or more than once. */
function behind(text: string, key: string): number {
  const at = text.indexOf(key)
  const end = at + key.length
  if (at < 0 || text.indexOf(key, end) >= 0 || text[end] !== ':') return -1
  return end + 1
}

/** The parent with its quotes, or the word null. */
function parentIn(
  text: string,
): { readonly from: number; readonly to: number; readonly value: string | null } | null {
  const named = only(text, PARENT)
  if (named !== null) return { from: named.from - 1, to: named.to + 1, value: named.value }
  const from = behind(text, PARENT)
  return from >= 0 && text.startsWith('null', from) ? { from, to: from + 4, value: null } : null
}

const PARENT = '"parentUuid"'

function written(parent: string | null, { rename }: Naming): string {
  return parent === null ? 'null' : JSON.stringify(rename(parent))
}

function replaced(text: string, edits: readonly Found[]): string {
  let result = ''
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.from - b.from)) {
    result += text.slice(from, edit.from) + edit.value
    from = edit.to
  }
  return result + text.slice(from)
}

function stamped(
  text: string,
  { stamps }: Naming,
  { id, session }: { readonly id: string; readonly session: string },
): string {
  if (!stamps) return text
  return `${text.slice(0, -1)},"forkedFrom":{"sessionId":"${session}","messageUuid":"${id}"}}`
}
