/** Replaces secrets by placeholders: a secret has the same placeholder everywhere. */
import { namesIn } from '../model/group.js'
import { type Found, isGeneric, mergeFound } from './anchors.js'
import { joinLines, unescapeText } from './escapes.js'
import { findSecrets } from './find.js'
import { createKnownTexts } from './known.js'
import { findEmails, findUsers, nameFinder } from './personal.js'

/** What can be replaced. */
export const REDACT_WHAT = ['secrets', 'paths', 'emails', 'names'] as const
/** A kind of text that can be replaced. */
export type RedactWhat = (typeof REDACT_WHAT)[number]

/** What is replaced, and by what. */
export interface RedactOptions {
  readonly what: readonly RedactWhat[]
  /** Names of people, for `names`. */
  readonly names?: readonly string[]
  /**
   * The hash in the placeholder of a secret: at least six characters of `0-9a-f`. With a hash that is keyed by the same
   * secret key, a secret has the same placeholder in every text; without the key, nobody can try guesses against it.
   */
  readonly hash: (secret: string) => string
}

/** A secret, and what it is. */
export interface FoundSecret {
  readonly kind: string
  readonly text: string
}

/** Replaces secrets in texts and data. A secret that was found once is replaced wherever it occurs. */
export interface Redactor {
  /** Finds secrets and remembers them; returns each one found. */
  readonly learn: (value: unknown) => readonly FoundSecret[]
  /** Remembers a secret that somebody else found: it is replaced wherever it occurs, whatever is around it. */
  readonly add: (kind: string, secret: string) => void
  /** From now on, a text that contains one of these is left out as a whole. */
  readonly omit: (parts: readonly string[]) => void
  /** The text with placeholders; the same text where it holds no secret. */
  readonly text: (text: string) => string
  /** Data with all its texts and field names redacted; the same object where it holds no secret. */
  readonly value: (value: unknown) => unknown
  /** The kind of the secret that a placeholder stands for. */
  readonly kindOf: (placeholder: string) => string
}

/** R1: a redactor that knows no secret yet. */
export function createRedactor({ what, names = [], hash }: RedactOptions): Redactor {
  const memory = createMemory(hash)
  const find = rememberingPlain(finderOf(what, names))
  const findAll = (text: string): readonly Found[] => mergeFound([...find(text), ...memory.findKnown(text)])
  const plainNames = new Set<string>()
  /** Data in which nothing was found: it can only hold secrets that were learnt elsewhere. */
  const plain = new WeakSet<object>()
  const omitted: string[] = []
  const redact = (text: string, look: (text: string) => readonly Found[]): string =>
    omitted.some(part => text.includes(part))
      ? leftOut(text, memory)
      : replaceAll(text, look, findAll, memory)
  return {
    learn: value => {
      const found = learnAll(value, find, memory, plainNames)
      if (found.length === 0 && typeof value === 'object' && value !== null) plain.add(value)
      return found
    },
    add: memory.add,
    omit: parts => {
      omitted.push(...parts)
      plainNames.clear()
    },
    text: text => redact(text, findAll),
    value: value => {
      const isPlain = typeof value === 'object' && value !== null && plain.has(value)
      if (isPlain && memory.isEmpty() && omitted.length === 0) return value
      const look = isPlain ? memory.findKnown : findAll
      return mapTexts(value, { map: text => redact(text, look), plainNames })
    },
    kindOf: memory.kindOf,
  }
}

/** How often a text is searched again after something in it was replaced. */
const ROUNDS = 4

/** R2: secrets that a replacement reveals are replaced as well; a text that never becomes clean is left out. */
function replaceAll(
  text: string,
  look: (text: string) => readonly Found[],
  lookAgain: (text: string) => readonly Found[],
  memory: Memory,
): string {
  let made = text
  for (let round = 0; round < ROUNDS; round++) {
    const found = round === 0 ? look(made) : lookAgain(made)
    if (found.length === 0) return made
    made = replaceIn(made, found, memory)
  }
  return lookAgain(made).length === 0 ? made : leftOut(text, memory)
}

function leftOut(text: string, memory: Memory): string {
  return memory.remember('text-left-out', text)
}

function replaceIn(text: string, found: readonly Found[], memory: Memory): string {
  let output = ''
  let from = 0
  for (const { kind, start, end, whole } of found) {
    output += `${text.slice(from, start)}${memory.remember(kind, whole ?? text.slice(start, end))}`
    from = end
  }
  return from === 0 ? text : output + text.slice(from)
}

function learnAll(
  value: unknown,
  find: (text: string) => readonly Found[],
  memory: Memory,
  plainNames: Set<string>,
): readonly FoundSecret[] {
  const all: FoundSecret[] = []
  const map = (text: string): string => {
    const found = find(text)
    for (const { kind, start, end, inner = [] } of found) {
      all.push({ kind, text: text.slice(start, end) })
      memory.remember(kind, text.slice(start, end))
      for (const secret of inner) memory.remember(kind, secret)
    }
    // Only whether the text changes matters, not what it becomes.
    return found.length > 0 ? '' : text
  }
  mapTexts(value, { map, plainNames })
  return all
}

function finderOf(what: readonly RedactWhat[], names: readonly string[]): (text: string) => readonly Found[] {
  const all = { secrets: findSecrets, emails: findEmails, paths: findUsers, names: nameFinder(names) }
  return text => mergeFound(what.flatMap(each => all[each](text)))
}

/** Characters of texts without a secret that are kept: an export meets the same text three times and more. */
const PLAIN_MOST = 32_000_000

/** The same search, which knows the texts again in which it found nothing. */
function rememberingPlain(find: (text: string) => readonly Found[]): (text: string) => readonly Found[] {
  const plain = new Set<string>()
  let kept = 0
  return text => {
    if (plain.has(text)) return []
    const found = find(text)
    if (found.length > 0) return found
    kept += text.length
    if (kept > PLAIN_MOST) {
      plain.clear()
      kept = text.length
    }
    plain.add(text)
    return found
  }
}

interface Memory {
  /** Remembers a secret, and returns its placeholder. */
  readonly remember: (kind: string, secret: string) => string
  /** Remembers a secret of which it is certain that it is one. */
  readonly add: (kind: string, secret: string) => void
  /** Secrets that were found elsewhere, also without the name they were assigned to. */
  readonly findKnown: (text: string) => readonly Found[]
  readonly isEmpty: () => boolean
  readonly kindOf: (placeholder: string) => string
}

/** Kinds whose value is not a secret on its own. */
const LOCAL_KINDS: readonly string[] = ['user', 'name', 'email', 'aws-account', 'text-left-out']

function createMemory(hash: (secret: string) => string): Memory {
  const known = createKnownTexts()
  const placeholders = new Map<string, string>()
  const kinds = new Map<string, string>()
  const remember = (kind: string, secret: string): string => {
    const plain = plainOf(secret)
    const key = `${kind} ${plain}`
    const placeholder = placeholders.get(key) ?? `[redacted:${labelOf(kind, plain)}-${hash(plain)}]`
    placeholders.set(key, placeholder)
    kinds.set(placeholder, firstKind(kind, kinds.get(placeholder) ?? kind))
    if (!LOCAL_KINDS.includes(kind)) known.add(plain, kind, false)
    return placeholder
  }
  return {
    remember,
    add: (kind, secret) => {
      remember(kind, secret)
      known.add(plainOf(secret), kind, true)
      known.add(secret, kind, true)
    },
    findKnown: text => [...known.find(text), ...findWrapped(text, known.find)],
    isEmpty: known.isEmpty,
    kindOf: placeholder => kinds.get(placeholder) ?? 'secret',
  }
}

/** Secrets over lines: they are known without line breaks. */
function findWrapped(text: string, find: (text: string) => readonly Found[]): readonly Found[] {
  const joined = joinLines(text)
  if (joined === null) return []
  const { startOf, endOf } = joined
  return find(joined.text).map(found => ({ ...found, start: startOf(found.start), end: endOf(found.end) }))
}

/**
 * R3: what the placeholder calls a secret. Where only the words around it say what it is, other words say something else
 * in another place, and the same secret must have the same placeholder.
 */
function labelOf(kind: string, plain: string): string {
  if (!isGeneric(kind)) return kind
  const [own] = findSecrets(plain)
  const isWhole = own?.start === 0 && own.end === plain.length
  return own !== undefined && isWhole && !isGeneric(own.kind) ? own.kind : 'secret'
}

/** The kind that a secret is counted as: the same one in whatever order its kinds are found. */
function firstKind(one: string, other: string): string {
  return one < other ? one : other
}

/** The secret without escapes and line breaks. */
function plainOf(secret: string): string {
  return (unescapeText(secret)?.text ?? secret).replace(/\s+/g, '')
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
    else mapped.push(name === undefined ? map(item) : mapField(labelIn(name, names, items), item, map))
  }
  return null
}

/** What a field is called: `{"name": "DB_PASSWORD", "value": "..."}` has the name in another field. */
function labelIn(name: string, names: Container['names'], items: readonly unknown[]): string {
  if (name !== 'value' && name !== 'Value') return name
  const label = items[names?.findIndex(each => /^(?:name|key)$/i.test(each)) ?? -1]
  return typeof label === 'string' && /^[\w.-]{1,64}$/.test(label) ? label : name
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
  if (mapped !== text || text.length > FIELD_MOST || text.length < FIELD_LEAST || !SECRET_FIELD.test(key))
    return mapped
  const lead = `"${key}": "`
  const whole = `${lead}${text}"`
  const after = map(whole)
  return after === whole || !after.startsWith(lead) ? mapped : after.slice(lead.length, -1)
}

/** Fields with fixed values of the format: a person's name is not replaced there. */
const STRUCTURE: ReadonlySet<string> = new Set(namesIn('type subtype role kind status state operation'))

const FIELD_LEAST = 8
const FIELD_MOST = 512
const SECRET_FIELD = /pass|pwd|secret|token|key|auth|cookie|credential|jwt|session/i
