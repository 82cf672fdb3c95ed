/** Y8: ids and times of spans. They depend on what a span stands for and nothing else, so that a second export is the same. */
import { hash } from 'node:crypto'

const TRACE_LENGTH = 32
const SPAN_LENGTH = 16

/** The trace of a session. */
export function traceId(session: string): string {
  return hash('sha256', `session ${session}`, 'hex').slice(0, TRACE_LENGTH)
}

/** What a span stands for. */
type SpanKind = 'session' | 'agent' | 'turn' | 'chat' | 'tool'

/** The span of something in a session, by its own id. */
export function spanId(session: string, kind: SpanKind, id: string): string {
  return hash('sha256', `${kind} ${session} ${id}`, 'hex').slice(0, SPAN_LENGTH)
}

/** Nanoseconds since 1970, as OTLP writes them in JSON. */
export function nanoseconds(time: number): string {
  return Number.isSafeInteger(time) && time > 0 ? `${time}000000` : '0'
}

/** A value of an attribute; null where it is not known. */
type AttributeValue = Known | readonly string[] | null | undefined
type Known = string | number | boolean

/** An attribute as OTLP writes it. */
export interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, Known | { readonly values: readonly object[] }>>
}

/** Attributes by their names, those that are not known left out. */
export function attributesOf(values: Readonly<Record<string, AttributeValue>>): readonly Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: typed(value) }],
  )
}

function typed(value: Known | readonly string[]): Attribute['value'] {
  if (typeof value === 'object') return { arrayValue: { values: value.map(typed) } }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
