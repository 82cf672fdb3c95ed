/** N1, N2, N3: what people call things: names, tags and notes, by the id of what they are given to. Values, never changed in place. */
import { shellWord } from '@dagline/core/model'

/** What can be given a name: a session, a branch or an agent of one, or a single entry. */
export type LabelKind = 'session' | 'branch' | 'agent' | 'entry'

/** What is labelled. `id` is a session id, the id of a line (`SESSION@uuid`, `SESSION#agent-id`) or a uuid. */
export interface Labelled {
  readonly kind: LabelKind
  readonly id: string
  /** The session it belongs to; a session's own id. */
  readonly session: string
}

/** A name, tags and a note for one thing. At least one of them is there. */
export interface Label extends Labelled {
  readonly name: string | null
  /** Each once, in order. */
  readonly tags: readonly string[]
  readonly note: string | null
}

/** All labels, by the id of what has them. */
export type Labels = ReadonlyMap<string, Label>

/** No labels at all. */
export const NO_LABELS: Labels = new Map()

/** A label that cannot be given; the message says why and what to do. */
export class BadLabel extends Error {}

/** What has the name; null where nothing has. */
export function labelNamed(labels: Labels, name: string): Label | null {
  for (const label of labels.values()) if (label.name === name) return label
  return null
}

/** The label of a thing; an empty one where it has none. */
export function labelOf(labels: Labels, { kind, id, session }: Labelled): Label {
  return labels.get(id) ?? { kind, id, session, name: null, tags: [], note: null }
}

/** Gives a name, or takes it away (null). Throws `BadLabel` where another thing has it or it could be mistaken. */
export function giveName(labels: Labels, thing: Labelled, name: string | null): Labels {
  const chosen = name === null ? null : checkedName(name)
  const owner = chosen === null ? null : labelNamed(labels, chosen)
  if (owner !== null && owner.id !== thing.id)
    throw new BadLabel(
      `${owner.kind} ${owner.id} is called ${owner.name} already: choose another name, or remove it first with \`dagline name ${shellWord(owner.name ?? '')} --remove\`.`,
    )
  return withLabel(labels, { ...labelOf(labels, thing), name: chosen })
}

/** Adds tags to what a thing has. Throws `BadLabel` for an invalid tag. */
export function addTags(labels: Labels, thing: Labelled, tags: readonly string[]): Labels {
  const label = labelOf(labels, thing)
  return withLabel(labels, { ...label, tags: [...new Set([...label.tags, ...tags.map(checkedTag)])].sort() })
}

/** Takes tags away, or all of them where none is named. */
export function removeTags(labels: Labels, thing: Labelled, tags: readonly string[]): Labels {
  const label = labelOf(labels, thing)
  const gone = new Set(tags.map(plainTag))
  return withLabel(labels, {
    ...label,
    tags: tags.length === 0 ? [] : label.tags.filter(tag => !gone.has(tag)),
  })
}

/** Gives a note, or takes it away (null). */
export function giveNote(labels: Labels, thing: Labelled, note: string | null): Labels {
  const text = (note ?? '').replace(/\r\n?/g, '\n').trim()
  if (note !== null && text === '')
    throw new BadLabel('The note is empty. Give a text, or use --remove to remove the note.')
  if (text.length > LONGEST_NOTE)
    throw new BadLabel(`A note has at most ${LONGEST_NOTE} characters; this one has ${text.length}.`)
  return withLabel(labels, { ...labelOf(labels, thing), note: text === '' ? null : text })
}

/** How often each tag is given, by tag. */
export function countTags(labels: Labels): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { tags } of labels.values()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The tag as it is kept: `#shop` on the command line is `shop`. */
export function plainTag(tag: string): string {
  return tag.trim().replace(/^#/, '')
}

const LONGEST_NAME = 80
const LONGEST_NOTE = 20_000

function checkedName(name: string): string {
  const chosen = name.trim().replace(/\s+/gu, ' ')
  if (chosen === '') throw new BadLabel('The name is empty. Give a word or two.')
  if (chosen.length > LONGEST_NAME)
    throw new BadLabel(`A name has at most ${LONGEST_NAME} characters; this one has ${chosen.length}.`)
  const why = mistakenFor(chosen)
  if (why !== null) throw new BadLabel(`${chosen} cannot be a name, ${why}: choose another.`)
  return chosen
}

/** A name is used where ids, paths and options are, so it must not look like one of them. */
function mistakenFor(name: string): string | null {
  if (/\p{C}/u.test(name)) return 'it has invisible characters'
  if (name.startsWith('-')) return 'it would be read as an option'
  if (name === 'latest') return 'it means the latest session'
  if (/[:@#/\\]/.test(name)) return 'the characters : @ # / and \\ are used in references and paths'
  if (name.endsWith('.jsonl')) return 'it would be read as a file'
  return /^[0-9a-f-]+$/i.test(name) ? 'it could be the beginning of an id' : null
}

function checkedTag(tag: string): string {
  const chosen = plainTag(tag)
  const isPlain = chosen !== '' && chosen.length <= LONGEST_NAME && !/[\s,#\p{C}]/u.test(chosen)
  if (!isPlain || chosen.startsWith('-'))
    throw new BadLabel(
      `${JSON.stringify(tag)} cannot be a tag. Give one word of at most ${LONGEST_NAME} characters, without spaces, commas and #.`,
    )
  return chosen
}

function withLabel(labels: Labels, label: Label): Labels {
  const all = new Map(labels)
  const isEmpty = label.name === null && label.note === null && label.tags.length === 0
  if (isEmpty) all.delete(label.id)
  else all.set(label.id, label)
  return all
}
