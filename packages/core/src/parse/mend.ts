/**
 * Rows that are not one JSON object. Damage is repaired only where it is certain: NUL bytes and a byte order
 * mark are taken out, records on one row are separated, a whole record behind a torn one is kept.
 */
import type { RowFinding } from '../model/row.js'
import { asObject, type Json } from './json.js'

/** What could be saved of a broken row. */
export interface Mending {
  readonly objects: readonly Json[]
  readonly findings: readonly RowFinding[]
}

/** Saves what can be saved with certainty. */
export function mendRow(text: string): Mending {
  const findings: RowFinding[] = []
  const clean = cleanText(text, findings)
  if (clean.trim() === '') {
    findings.push(notJson('The row holds nothing but NUL bytes'))
    return { objects: [], findings }
  }
  if (parses(clean) && objectIn(clean) === null)
    return { objects: [], findings: [...findings, notObject(clean)] }
  return separate(clean, findings)
}

function cleanText(text: string, findings: RowFinding[]): string {
  let clean = text
  if (clean.charCodeAt(0) === 0xfeff) {
    findings.push({ rule: 'parse/bom', severity: 'info', message: 'A byte order mark was passed over.' })
    clean = clean.slice(1)
  }
  if (clean.includes('\u0000')) {
    const count = clean.split('\u0000').length - 1
    findings.push({
      rule: 'parse/nul-bytes',
      severity: 'warning',
      message: `${count} NUL bytes were passed over: the machine or disk failed while this was written.`,
    })
    clean = clean.replaceAll('\u0000', '')
  }
  return clean
}

/** Takes the records of a row apart: whole ones from its start, and one at its end behind a torn part. */
function separate(text: string, findings: RowFinding[]): Mending {
  const start = text.indexOf('{')
  const fromStart = start < 0 ? { objects: [], end: text.length } : wholeRecords(text, start)
  const rest = text.slice(fromStart.end)
  const atEnd = rest.trimStart().startsWith('{') ? recordAtEnd(rest) : null
  const objects = atEnd === null ? fromStart.objects : [...fromStart.objects, atEnd]
  const torn = Number(rest.trimStart().startsWith('{'))
  const junk =
    Number(torn === 0 && rest.trim() !== '') + Number(start > 0 && text.slice(0, start).trim() !== '')
  const counts = { kept: objects.length, torn, junk }
  return { objects, findings: [...findings, ...separationFindings(text, counts)] }
}

/**
 * Records one behind the other. The engine's own parser tries every place where one may end: a brace before the next
 * record, or the last brace of the row.
 */
function wholeRecords(
  text: string,
  start: number,
): { readonly objects: readonly Json[]; readonly end: number } {
  const objects: Json[] = []
  let from = start
  let tries = 0
  for (const to of [...edgesOf(text, start), text.lastIndexOf('}') + 1]) {
    if (to <= from || ++tries > maxTries) continue
    const object = objectIn(text.slice(from, to))
    if (object === null) continue
    objects.push(object)
    from = to
  }
  return { objects, end: from === start && objects.length === 0 ? start : from }
}

/** Places right behind a brace that another record follows. Inside of texts the quote would be escaped. */
function edgesOf(text: string, start: number): readonly number[] {
  const edges: number[] = []
  const edge = /\}\s*(?=\{")/g
  edge.lastIndex = start
  for (let found = edge.exec(text); found !== null && edges.length < maxTries; found = edge.exec(text)) {
    edges.push(found.index + 1)
  }
  return edges
}

/** A whole record at the end of a torn row: a write was cut, and the next one followed without a newline. */
function recordAtEnd(text: string): Json | null {
  let before = text.length
  for (let tries = 0; tries < maxTries && before > 0; tries++) {
    before = Math.max(...recordStarts.map(key => text.lastIndexOf(key, before - 1)))
    const object = before > 0 ? objectIn(text.slice(before)) : null
    if (object !== null && isRecord(object)) return object
  }
  return null
}

/** Whether an object is a record and not a part of one: it has an identity, a session or a time of its own. */
function isRecord(object: Json): boolean {
  if (typeof object.type !== 'string') return false
  if (typeof object.uuid === 'string') return object.parentUuid !== undefined
  return ['uuid', 'sessionId', 'timestamp', 'leafUuid', 'messageId'].some(
    key => typeof object[key] === 'string',
  )
}

/** More places than this are not tried: each costs a look at the rest of the row. */
const maxTries = 16

interface Counts {
  readonly kept: number
  readonly torn: number
  readonly junk: number
}

function separationFindings(text: string, { kept, torn, junk }: Counts): readonly RowFinding[] {
  if (kept === 0) return [notObject(text)]
  const found: RowFinding[] = []
  const records = `${kept} whole record${kept === 1 ? '' : 's'}`
  if (kept > 1 || torn > 0) {
    const message = `${records} on one row with others: a newline was lost between two writes.`
    found.push({ rule: 'parse/joined-rows', severity: 'warning', message })
  }
  if (torn + junk > 0) found.push(notJson(`Beside ${records}, the row holds something that is none`))
  return found
}

function notObject(text: string): RowFinding {
  const head = text.trimStart().slice(0, 40)
  if (parses(text)) {
    return {
      rule: 'parse/not-an-object',
      severity: 'warning',
      message: `The row is JSON but no record: ${head}`,
    }
  }
  return notJson(`The row is not JSON, it begins with ${JSON.stringify(head)}`)
}

function notJson(what: string): RowFinding {
  return {
    rule: 'parse/not-json',
    severity: 'warning',
    message: `${what}: a write was cut or another program changed the file. The row is kept, but has no place in the graph.`,
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function objectIn(text: string): Json | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}

/** How a record of the recorder begins. */
const recordStarts = [
  '{"parentUuid":',
  '{"type":',
  '{"uuid":',
  '{"summary":',
  '{"isSidechain":',
  '{"logicalParentUuid":',
]
