/** The fields that all entries share. */
import type { EntryBase } from '../../model/entry.js'
import { agentId, entryId, type Instant, instant, sessionId } from '../../model/ids.js'
import type { SourceSpan } from '../../model/source.js'
import { asFlag, asId, asNumber, asObject, asText, type Json } from '../json.js'

/** Reads the fields that all entries share. */
export function readBase(json: Json, id: string, source: SourceSpan): EntryBase {
  return {
    id: entryId(id),
    parent: asId(json.parentUuid, entryId),
    session: asId(json.sessionId, sessionId),
    time: timeOf(json),
    version: asText(json.version),
    cwd: asText(json.cwd),
    sidechain: json.isSidechain === true,
    agent: asId(json.agentId, agentId),
    active: asFlag(json.is_active),
    nesting: asNumber(json.nestingLevel),
    forkedFrom: json.forkedFrom === undefined ? null : forkedFrom(json),
    background: json.sessionKind === 'bg',
    source,
  }
}

function forkedFrom(json: Json): EntryBase['forkedFrom'] {
  const from = asObject(json.forkedFrom)
  const entry = asId(from?.messageUuid, entryId)
  return entry === null ? null : { session: asId(from?.sessionId, sessionId), entry }
}

/** The time of a record: ISO text or epoch milliseconds. */
export function timeOf(json: Json): Instant | null {
  const value = json.timestamp
  const ms = typeof value === 'string' ? (recorderTime(value) ?? Date.parse(value)) : value
  // Dates end at 8.64e15 milliseconds: what lies beyond is not a valid time.
  return typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? instant(ms) : null
}

/**
 * Parses `2026-01-01T10:00:05.123Z`, the form that Claude Code writes, faster than `Date.parse`: this runs once per row.
 * Null for any other form, and for fields out of range.
 */
function recorderTime(text: string): number | null {
  if (text.length !== 24 || text.charCodeAt(10) !== 0x54 || text.charCodeAt(23) !== 0x5a) return null
  const day = dayOf(text)
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  const milli = digits(text, 20, 3)
  if (day === null || hour > 23 || minute > 59 || second > 59 || hour + minute + second + milli < 0)
    return null
  return ((day * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milli
}

/** Days since 1970, cached: the rows of a file name few different days. */
function dayOf(text: string): number | null {
  const name = text.slice(0, 10)
  const known = days.get(name)
  if (known !== undefined) return known
  const ms = Date.parse(`${name}T00:00:00.000Z`)
  if (Number.isNaN(ms)) return null
  if (days.size > 10_000) days.clear()
  days.set(name, ms / 86_400_000)
  return ms / 86_400_000
}

const days = new Map<string, number>()

/** Digits as a number; far below zero where one is not a digit. */
function digits(text: string, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return -10_000
    value = value * 10 + digit
  }
  return value
}
