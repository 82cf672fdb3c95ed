/** N5: names, tags and notes that people gave: read once, shown wherever what has them is named. */
import type { Graph, Line, ViewRow } from '@dagline/core'
import {
  addTags,
  BadLabel,
  changeLabels,
  giveName,
  giveNote,
  type Label,
  type Labelled,
  type Labels,
  labelNamed,
  labelOf,
  readLabels,
  removeTags,
} from '@dagline/store'
import type { Host } from '../host/host.js'
import { userErrorOf } from '../host/store-errors.js'
import { UserError } from '../host/user-error.js'

let known: Labels | null = null

/** All labels. Where their file cannot be understood there are none, and that is said once. */
export function labelsFor(host: Host): Labels {
  if (known !== null) return known
  const { labels, problem } = readLabels()
  if (problem !== null) host.note(problem)
  known = labels
  return labels
}

/** What somebody gave this name; null where nothing has it. */
export function namedBy(word: string, host: Host): Label | null {
  return labelNamed(labelsFor(host), word)
}

/** What becomes of a label: only what is given changes. */
export interface LabelChange {
  /** A name; null takes it away. */
  readonly name?: string | null
  readonly addTags?: readonly string[]
  /** Tags to take away; all where it is empty. */
  readonly removeTags?: readonly string[]
  /** A note; null takes it away. */
  readonly note?: string | null
}

/** Changes the label of a session, line or entry, and returns it. Throws `UserError` where it is not valid. */
export function changeLabel(thing: Labelled, change: LabelChange): Label {
  try {
    known = changeLabels(labels => changed(labels, thing, change))
    return labelOf(known, thing)
  } catch (error) {
    throw error instanceof BadLabel ? new UserError(error.message) : (userErrorOf(error) ?? error)
  }
}

function changed(
  labels: Labels,
  thing: Labelled,
  { name, addTags: added, removeTags: removed, note }: LabelChange,
): Labels {
  const named = name === undefined ? labels : giveName(labels, thing, name)
  const tagged = added === undefined ? named : addTags(named, thing, added)
  const untagged = removed === undefined ? tagged : removeTags(tagged, thing, removed)
  return note === undefined ? untagged : giveNote(untagged, thing, note)
}

/** The label of a row: its entry's, or that of the branch or agent that begins with it. */
export function labelAt(labels: Labels, graph: Graph, { node, line }: ViewRow): Label | undefined {
  return labelsOn(labels, graph, node, line)[0]
}

/** The labels of the branch or agent that begins with an entry, and of the entry. */
export function labelsOn(
  labels: Labels,
  graph: Graph,
  node: number,
  line: Line | null = graph.lineOf(node),
): readonly Label[] {
  if (labels.size === 0) return []
  const isHead = line !== null && line.kind !== 'trunk' && line.head === node
  const ids = isHead ? [line.id, graph.id(node)] : [graph.id(node)]
  return ids.flatMap(id => labels.get(id) ?? [])
}

/** The fields of a label that are there, for JSON. */
export function labelFacts(label: Label | undefined): Readonly<Record<string, unknown>> {
  if (label === undefined) return {}
  const { name, tags, note } = label
  return {
    ...(name === null ? {} : { name }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(note === null ? {} : { note }),
  }
}

/** `name #tag #tag`, empty where there is neither. */
export function labelWords(label: Label | undefined): string {
  if (label === undefined) return ''
  return [label.name ?? '', ...label.tags.map(tag => `#${tag}`)].filter(word => word !== '').join(' ')
}

/** The title of what has a label: `name: title #tag`. */
export function labelledTitle(label: Label | undefined, title: string): string {
  if (label === undefined) return title
  const named = label.name === null ? title : `${label.name}: ${title}`
  return [named, ...label.tags.map(tag => `#${tag}`)].join(' ')
}
