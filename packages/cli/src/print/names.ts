/** Names, tags and notes that the user gave. */
import type { Label, Labelled, Labels } from '@dagline/app'
import type { Graph, Line, ViewRow } from '@dagline/core'
import { cleanLine, cleanText } from '@dagline/core/content'
import { shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import type { LabelJson } from '../json/changes.js'
import type { LabelledJson } from '../json/shared.js'
import { type Column, tableLines } from './table.js'
import { fit, wrap } from './width.js'

/** Prints everything that has a name, by name, or everything that has a note, by id; `none` where there is nothing. */
export async function listLabels(console: Console, has: 'name' | 'note', none: string): Promise<void> {
  const keyOf = (label: Label): string => (has === 'name' && label.name) || label.id
  const labels = [...console.history.labels().values()]
    .filter(label => label[has] !== null)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  if (console.options.json) await console.printJson(has, { labels: { list: labels.map(labelFields) } })
  else await console.print(tableLines(labels, columns(console), console))
  if (labels.length === 0) console.note(none)
}

function columns({ style }: Console): readonly Column<Label>[] {
  return [
    { title: 'name', text: ({ name }) => name ?? '', paint: style.strong, hiddenIf: '' },
    { title: 'of', text: ({ kind }) => kind, paint: style.faint },
    { title: 'id', text: shortLabelId, paint: style.id },
    { title: 'tags', text: label => tagWords(label).join(' '), hiddenIf: '' },
    { title: 'note', text: ({ note }) => cleanLine(note ?? ''), flexible: true, hiddenIf: '' },
  ]
}

/** The id of a subagent as commands take it: `agent-a52886dc`, `agent-acompact-4c1f0b`. Of a long id the rest is random, too. */
export function shortAgentId(agent: string): string {
  // A word with a letter that no hexadecimal number has.
  const [kind = ''] = /^(?=[a-f]*[g-z_])[a-z_]+-/.exec(agent) ?? []
  return `agent-${kind}${shortId(agent.slice(kind.length))}`
}

/** A label in JSON: always with all of its fields. */
export function labelFields({ kind, id, session, name, tags, note }: Label): LabelJson {
  return { kind, id, session, name, tags, note }
}

/** `The branch 4539d2d0@7e083490-abc`, with an id that commands take. */
export function labelSubject(labelled: Labelled): string {
  return `The ${labelled.kind} ${shortLabelId(labelled)}`
}

function shortLabelId({ kind, id, session }: Labelled): string {
  return kind === 'branch' || kind === 'agent'
    ? `${shortId(session)}${id.slice(session.length)}`
    : shortId(id)
}

/** The label of a row: its entry's, or that of the branch or subagent that begins with it. */
export function labelAt(labels: Labels, graph: Graph, { node, line }: ViewRow): Label | undefined {
  return labelsOn(labels, graph, node, line)[0]
}

/** The labels of the branch or subagent that begins with an entry, and of the entry. */
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
export function labelFacts(label: Label | undefined): LabelledJson {
  if (label === undefined) return {}
  const { name, tags, note } = label
  return { ...(name !== null && { name }), ...(tags.length > 0 && { tags }), ...(note !== null && { note }) }
}

/** `name #tag #tag`, empty where there is neither. */
export function labelWords(label: Label | undefined): string {
  return [label?.name ?? '', ...tagWords(label)].filter(word => word !== '').join(' ')
}

/** The name and tags of a label, and its note. */
export function* labelLines({ style, width }: Console, label: Label | undefined): Generator<string> {
  const words = labelWords(label)
  if (words !== '') yield style.strong(fit(cleanLine(words), width))
  for (const text of wrap(cleanText(label?.note ?? ''), width - 2))
    if (text !== '') yield style.faint(`  ${text}`)
}

/** The title of what has a label: `name: title #tag`. */
export function labelledTitle(label: Label | undefined, title: string): string {
  return [label?.name == null ? title : `${label.name}: ${title}`, ...tagWords(label)].join(' ')
}

function tagWords(label: Label | undefined): readonly string[] {
  return label?.tags.map(tag => `#${tag}`) ?? []
}
