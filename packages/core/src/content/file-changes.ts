/** What tool calls say about the content of files: their inputs, and what their results record beside the message. */
import type { FileChange, Replacement } from '../model/file-change.js'
import { asFlag, asList, asNumber, asObject, asObjects, asText, type Json } from '../parse/json.js'
import { pathIn } from './calls.js'
import { isFailed, messageParts, type ResultPart, readParts, recordOf } from './parts.js'

/** A call that names a file. */
export interface FileCall {
  readonly id: string
  /** The tool's name. */
  readonly tool: string
  /** As the call spells it. */
  readonly path: string
  readonly input: Json
}

/** The calls of a record that name a file, in their order. */
export function fileCalls(json: Json): readonly FileCall[] {
  return messageParts(json).flatMap(part => {
    const input = part.kind === 'call' && part.answeredBy === 'client' ? asObject(part.input) : null
    const path = pathIn(input)
    if (part.kind !== 'call' || input === null || path === null) return []
    return [{ id: part.id, tool: part.name, path, input }]
  })
}

/**
 * What a call did to its file or saw of it, by the record with its result. `failed` for a call that changed nothing; null for
 * one that says nothing about the whole file: another tool, a part that was read, a call without a result.
 */
export function fileChangeOf(call: FileCall, result: Json | null): FileChange | 'failed' | null {
  const read = READERS.get(call.tool)
  if (read === undefined || result === null) return null
  const results = readParts(result, recordOf(result)).filter(part => part.kind === 'result')
  const own = results.find(part => part.call === call.id)
  if (own === undefined) return null
  if (isFailed(own)) return 'failed'
  // `toolUseResult` belongs to one result; of several it does not say which.
  const facts = results.length === 1 ? asObject(result.toolUseResult) : null
  return read(call.input, facts, own)
}

type ReadChange = (input: Json, facts: Json | null, result: ResultPart) => FileChange | null

const READERS: ReadonlyMap<string, ReadChange> = new Map<string, ReadChange>([
  ['Write', readWrite],
  ['Edit', readEdit],
  ['MultiEdit', readMultiEdit],
  ['NotebookEdit', readCell],
  ['Read', (_, facts) => readSeen(facts)],
])

/** Releases tell a new file from an old one by the type of the result, and by its first words. */
function readWrite(input: Json, facts: Json | null, { text }: ResultPart): FileChange | null {
  const content = textIn(facts?.content) ?? textIn(input.content)
  if (content === null) return null
  const isNew = facts?.type === 'create' || (facts === null && text.startsWith('File created'))
  const before = textIn(facts?.originalFile)
  return { kind: 'write', content, before: before ?? (isNew ? '' : beforePatch(content, facts)) }
}

/** Releases up to 2.0.5 record only the difference to the file before: it is taken back, where it fits exactly. */
function beforePatch(content: string, facts: Json | null): string | null {
  const hunks = asObjects(facts?.structuredPatch)
  if (hunks.length === 0) return null
  const lines = content.split('\n')
  for (const hunk of hunks.toReversed()) {
    const rows = asList(hunk.lines).filter(row => typeof row === 'string' && !row.startsWith('\\'))
    const side = (sign: string): readonly string[] =>
      rows.flatMap(row =>
        typeof row === 'string' && (row[0] === ' ' || row[0] === sign) ? [row.slice(1)] : [],
      )
    const [before, after] = [side('-'), side('+')]
    const from = (asNumber(hunk.newStart) ?? 0) - (after.length === 0 ? 0 : 1)
    if (after.some((line, nth) => lines[from + nth] !== line)) return null
    lines.splice(from, after.length, ...before)
  }
  return lines.join('\n')
}

function readEdit(input: Json, facts: Json | null): FileChange | null {
  // A person may have changed the text before accepting it: the result has what was written.
  const old = textIn(facts?.oldString) ?? textIn(input.old_string)
  const inserted = textIn(facts?.newString) ?? textIn(input.new_string)
  if (old === null || inserted === null) return null
  const isAll = asFlag(facts?.replaceAll) ?? asFlag(input.replace_all) ?? false
  return replaceOrWrite([{ old, new: inserted, isAll }], textIn(facts?.originalFile))
}

function readMultiEdit(input: Json, facts: Json | null): FileChange | null {
  const edits = asObjects(facts?.edits).length > 0 ? asObjects(facts?.edits) : asObjects(input.edits)
  const replacements = edits.flatMap((edit): readonly Replacement[] => {
    const [old, inserted] = [textIn(edit.old_string), textIn(edit.new_string)]
    if (old === null || inserted === null) return []
    return [{ old, new: inserted, isAll: asFlag(edit.replace_all) ?? false }]
  })
  if (replacements.length < edits.length) return null
  return replaceOrWrite(replacements, textIn(facts?.originalFileContents) ?? textIn(facts?.originalFile))
}

/** An edit that replaces nothing writes a new file, or into an empty one. */
function replaceOrWrite(replacements: readonly Replacement[], before: string | null): FileChange | null {
  const [first, ...others] = replacements
  if (first === undefined) return null
  if (first.old !== '')
    return replacements.every(({ old }) => old !== '') ? { kind: 'replace', replacements, before } : null
  return others.length === 0 ? { kind: 'write', content: first.new, before: '' } : null
}

function readCell(input: Json, facts: Json | null): FileChange | null {
  const content = textIn(facts?.updated_file)
  if (content !== null) return { kind: 'write', content, before: textIn(facts?.original_file) }
  const source = asText(input.new_source)
  if (source === null || asText(facts?.error) !== null) return null
  const lines = source.split('\n')
  return {
    kind: 'cell',
    lines: lines.map((line, nth) => JSON.stringify(nth === lines.length - 1 ? line : `${line}\n`)),
  }
}

function readSeen(facts: Json | null): FileChange | null {
  const file = asObject(facts?.file)
  const content = textIn(file?.content)
  const isWhole = asNumber(file?.startLine) === 1 && asNumber(file?.numLines) === asNumber(file?.totalLines)
  return content !== null && isWhole && asNumber(file?.totalLines) !== null ? { kind: 'seen', content } : null
}

/** A text that may be empty. */
function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
