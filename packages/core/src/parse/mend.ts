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

/** Takes the records of a row apart, one after the other. */
function separate(text: string, findings: RowFinding[]): Mending {
  const objects: Json[] = []
  let at = 0
  let torn = 0
  let junk = 0
  while (at < text.length && torn < maxTorn) {
    const start = text.indexOf('{', at)
    if (torn === 0 && text.slice(at, start < 0 ? text.length : start).trim() !== '') junk++
    if (start < 0) break
    const end = objectEnd(text, start)
    const object = end < 0 ? null : objectIn(text.slice(start, end))
    // Behind a torn part only what is a record for certain counts: pieces of the torn one are objects, too.
    if (object !== null && (torn === 0 || (isRecord(object) && isAtEdge(text, end)))) {
      objects.push(object)
      at = end
      continue
    }
    torn++
    at = nextRecord(text, start + 1)
  }
  const counts = { kept: objects.length, torn, junk }
  return { objects, findings: [...findings, ...separationFindings(text, counts)] }
}

/** Whether a record ends here: at the end of the row, or right before the next record. */
function isAtEdge(text: string, end: number): boolean {
  const rest = text.slice(end, end + 64).trimStart()
  return rest === '' || rest.startsWith('{')
}

/** Whether an object is a record and not a part of one: it has an identity, a session or a time of its own. */
function isRecord(object: Json): boolean {
  if (typeof object.type !== 'string') return false
  if (typeof object.uuid === 'string') return object.parentUuid !== undefined
  return ['uuid', 'sessionId', 'timestamp', 'leafUuid', 'messageId'].some(
    key => typeof object[key] === 'string',
  )
}

/** A row with more torn beginnings than this is no transcript; each one costs a scan of the row. */
const maxTorn = 32

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

/** The end of the object that starts here, by its braces and strings; -1 where it does not end. */
function objectEnd(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      i = stringEnd(text, i)
      if (i < 0) return -1
    } else if (code === open) depth++
    else if (code === close && --depth === 0) return i + 1
  }
  return -1
}

const quote = 0x22
const backslash = 0x5c
const open = 0x7b
const close = 0x7d

/** The closing quote of the string that opens here, or -1. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === backslash) i++
    else if (code === quote) return i
  }
  return -1
}

/** Where the next record may begin: records of the recorder start with one of these keys. */
function nextRecord(text: string, from: number): number {
  let best = text.length
  for (const key of recordStarts) {
    const at = text.indexOf(key, from)
    if (at >= 0 && at < best) best = at
  }
  return best
}

const recordStarts = [
  '{"parentUuid":',
  '{"type":',
  '{"uuid":',
  '{"summary":',
  '{"isSidechain":',
  '{"logicalParentUuid":',
]
