/** Replaces secrets by placeholders: a secret has the same placeholder everywhere. */
import { namesIn } from '../model/group.js'
import { type Found, mergeFound } from './anchors.js'
import { isIn, SETS } from './chars.js'
import { unescapeText } from './escapes.js'
import { findSecrets } from './find.js'
import { findEmails, findUsers, literal, nameFinder } from './personal.js'

/** What can be replaced. */
export const REDACT_WHAT = ['secrets', 'paths', 'emails', 'names'] as const
/** A kind of text that can be replaced. */
export type RedactWhat = (typeof REDACT_WHAT)[number]

/** What is replaced. */
export interface RedactOptions {
  readonly what: readonly RedactWhat[]
  /** Names of people, for `names`. */
  readonly names?: readonly string[]
}

/** Replaces secrets in texts and data. A secret that was found once is replaced wherever it occurs. */
export interface Redactor {
  /** Finds secrets and remembers them; returns the kind of each one found. */
  readonly learn: (value: unknown) => readonly string[]
  /** The text with placeholders; the same text where it holds no secret. */
  readonly text: (text: string) => string
  /** Data with all its texts and field names redacted; the same object where it holds no secret. */
  readonly value: (value: unknown) => unknown
}

/** A redactor that knows no secret yet. */
export function createRedactor({ what, names = [] }: RedactOptions): Redactor {
  const memory = createMemory()
  const find = finderOf(what, names)
  const findAll = (text: string): readonly Found[] => mergeFound([...find(text), ...memory.findKnown(text)])
  const plainNames = new Set<string>()
  /** Data in which nothing was found: it can only hold secrets that were learnt elsewhere. */
  const plain = new WeakSet<object>()
  return {
    learn: value => {
      const kinds = learnAll(value, find, memory, plainNames)
      if (kinds.length === 0 && typeof value === 'object' && value !== null) plain.add(value)
      return kinds
    },
    text: text => replaceIn(text, findAll(text), memory),
    value: value => {
      const isPlain = typeof value === 'object' && value !== null && plain.has(value)
      if (isPlain && memory.isEmpty()) return value
      const look = isPlain ? memory.findKnown : findAll
      return mapTexts(value, { map: text => replaceIn(text, look(text), memory), plainNames })
    },
  }
}

function replaceIn(text: string, found: readonly Found[], memory: Memory): string {
  let output = ''
  let from = 0
  for (const { kind, start, end } of found) {
    const known = memory.remember(kind, text.slice(start, end))
    output += `${text.slice(from, start)}[redacted:${known.kind}-${known.number}]`
    from = end
  }
  return from === 0 ? text : output + text.slice(from)
}

function learnAll(
  value: unknown,
  find: (text: string) => readonly Found[],
  memory: Memory,
  plainNames: Set<string>,
): readonly string[] {
  const kinds: string[] = []
  const map = (text: string): string => {
    const found = find(text)
    for (const { kind, start, end } of found) kinds.push(memory.remember(kind, text.slice(start, end)).kind)
    // Only whether the text changes matters, not what it becomes.
    return found.length > 0 ? '' : text
  }
  mapTexts(value, { map, plainNames })
  return kinds
}

function finderOf(what: readonly RedactWhat[], names: readonly string[]): (text: string) => readonly Found[] {
  const all = { secrets: findSecrets, emails: findEmails, paths: findUsers, names: nameFinder(names) }
  return text => mergeFound(what.flatMap(each => all[each](text)))
}

interface Memory {
  /** The kind of a secret as it was first found, and its number among those of the kind. */
  readonly remember: (kind: string, secret: string) => Known
  /** Secrets that were found elsewhere, also without the name they were assigned to. */
  readonly findKnown: (text: string) => readonly Found[]
  readonly isEmpty: () => boolean
}

interface Known {
  readonly kind: string
  readonly number: number
}

/** Shorter secrets could be words. */
const KNOWN_LEAST = 8
/** Kinds whose value is not a secret on its own. */
const LOCAL_KINDS: readonly string[] = ['user', 'name', 'email', 'aws-account']

function createMemory(): Memory {
  const known = new Map<string, Known>()
  const counts = new Map<string, number>()
  let pattern: RegExp | null = null
  return {
    remember: (kind, secret) => {
      const plain = plainOf(secret)
      const before = known.get(plain)
      if (before !== undefined) return before
      const made = { kind, number: (counts.get(kind) ?? 0) + 1 }
      counts.set(kind, made.number)
      known.set(plain, made)
      pattern = null
      return made
    },
    findKnown: text => {
      pattern ??= knownPattern(known)
      return pattern === NOTHING ? [] : [...text.matchAll(pattern)].flatMap(match => knownAt(known, match))
    },
    isEmpty: () => known.size === 0,
  }
}

/** The secret without escapes and line breaks. */
function plainOf(secret: string): string {
  return (unescapeText(secret)?.text ?? secret).replace(/\s+/g, '')
}

const NOTHING = /(?!)/g

function knownPattern(known: ReadonlyMap<string, Known>): RegExp {
  const texts = [...known.keys()].filter(text => isUnique(text, known.get(text)?.kind ?? ''))
  const any = texts.sort((a, b) => b.length - a.length).map(literal)
  return any.length === 0 ? NOTHING : new RegExp(any.join('|'), 'g')
}

/** Whether a secret is to be replaced wherever it occurs. Longer keys are found by their headers. */
function isUnique(text: string, kind: string): boolean {
  return text.length >= KNOWN_LEAST && text.length <= KNOWN_MOST && !LOCAL_KINDS.includes(kind)
}

const KNOWN_MOST = 512

function knownAt(known: ReadonlyMap<string, Known>, match: RegExpExecArray): readonly Found[] {
  const { index, input } = match
  const end = index + match[0].length
  const kind = known.get(match[0])?.kind
  if (kind === undefined || isIn(input, index - 1, SETS.alnum) || isIn(input, end, SETS.alnum)) return []
  return [{ kind, start: index, end }]
}

interface Mapping {
  readonly map: (text: string) => string
  /** Field names that hold no secret: most names occur many times. */
  readonly plainNames: Set<string>
}

/** An array or object while its items are mapped. */
interface Container {
  readonly value: object
  /** The names of its fields; null for an array. */
  readonly names: readonly string[] | null
  readonly items: readonly unknown[]
  readonly mapped: unknown[]
}

/** Data of any depth with all texts and field names mapped; unchanged parts are the same objects. */
function mapTexts(value: unknown, mapping: Mapping): unknown {
  if (!isContainer(value)) return typeof value === 'string' ? mapping.map(value) : value
  const open = [containerOf(value)]
  let result: unknown = value
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const item = mapUntilContainer(inner, mapping)
    if (item !== null) {
      open.push(containerOf(item))
      continue
    }
    open.pop()
    result = Array.isArray(inner.value) ? mappedArray(inner) : mappedObject(inner, mapping)
    open.at(-1)?.mapped.push(result)
  }
  return result
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (Array.isArray(value) || !isImage(value))
}

function containerOf(value: object): Container {
  if (Array.isArray(value)) return { value, names: null, items: value, mapped: [] }
  return { value, names: Object.keys(value), items: Object.values(value), mapped: [] }
}

/** Maps items up to the next container, which is returned; null where all are mapped. */
function mapUntilContainer({ names, items, mapped }: Container, { map }: Mapping): object | null {
  for (let at = mapped.length; at < items.length; at++) {
    const item = items[at]
    if (isContainer(item)) return item
    const name = names?.[at]
    if (typeof item !== 'string') mapped.push(item)
    else mapped.push(name === undefined ? map(item) : mapField(name, item, map))
  }
  return null
}

function mappedArray({ value, items, mapped }: Container): unknown {
  return mapped.every((item, at) => item === items[at]) ? value : mapped
}

function mappedObject({ value, names, items, mapped }: Container, mapping: Mapping): unknown {
  let isSame = true
  const entries = (names ?? []).map((name, at): [string, unknown] => {
    const renamed = mapName(name, mapping)
    if (renamed !== name || mapped[at] !== items[at]) isSame = false
    return [renamed, mapped[at]]
  })
  return isSame ? value : Object.fromEntries(entries)
}

function mapName(key: string, { map, plainNames }: Mapping): string {
  if (plainNames.has(key)) return key
  const mapped = map(key)
  if (mapped === key) plainNames.add(key)
  return mapped
}

/** Bytes of an image or document, as in a transcript or as on the page: not a text. */
function isImage(value: object): boolean {
  return 'data' in value && (('type' in value && value.type === 'base64') || 'media' in value)
}

/** The name of a field can show that its text is a secret, so both are searched together. */
function mapField(key: string, text: string, map: (text: string) => string): string {
  if (STRUCTURE.has(key) && /^[a-z_-]{1,40}$/.test(text)) return text
  const mapped = map(text)
  if (mapped !== text || text.length > FIELD_MOST || text.length < KNOWN_LEAST || !SECRET_FIELD.test(key))
    return mapped
  const lead = `"${key}": "`
  const whole = `${lead}${text}"`
  const after = map(whole)
  return after === whole || !after.startsWith(lead) ? mapped : after.slice(lead.length, -1)
}

/** Fields with fixed values of the format: a person's name is not replaced there. */
const STRUCTURE: ReadonlySet<string> = new Set(namesIn('type subtype role kind status state operation'))

const FIELD_MOST = 512
const SECRET_FIELD = /pass|pwd|secret|token|key|auth|cookie|credential|jwt|session/i
