/** Lists of names, tags and notes. */

import type { Label, Labels } from '@dagline/app'
import type { Graph, Line, ViewRow } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import { type Column, tableLines } from './table.js'

/** What has a name, by name. */
export function nameLines(console: Console, labels: readonly Label[]): Iterable<string> {
  const rows = [...labels].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  return listLines(console, rows, [
    { title: 'name', text: row => row.name ?? '', paint: console.style.strong },
    ...whatColumns(console),
    { title: 'tags', text: row => row.tags.map(tag => `#${tag}`).join(' '), unless: '' },
    { title: 'note', text: row => cleanLine(row.note ?? ''), flexible: true, unless: '' },
  ])
}

/** Every note, with what it is about. */
export function noteLines(console: Console, labels: readonly Label[]): Iterable<string> {
  return listLines(console, labels, [
    ...whatColumns(console),
    { title: 'name', text: row => row.name ?? '', paint: console.style.strong, unless: '' },
    { title: 'note', text: row => cleanLine(row.note ?? ''), flexible: true },
  ])
}

/** How often each tag is given. */
export function tagLines(console: Console, tags: ReadonlyMap<string, number>): Iterable<string> {
  const columns: readonly Column<readonly [string, number]>[] = [
    { title: 'tag', text: ([tag]) => `#${tag}`, paint: console.style.strong },
    { title: 'given', text: ([, count]) => String(count), side: 'left' },
  ]
  return tableLines([...tags], columns, { width: console.width, title: console.style.faint })
}

/** A label for machines: always with all of its fields. */
export function labelRecord({
  kind,
  id,
  session,
  name,
  tags,
  note,
}: Label): Readonly<Record<string, unknown>> {
  return { kind, id, session, name, tags, note }
}

/** The labels that a test holds for, in the order of their ids. */
export function labelsWith(labels: Labels, has: (label: Label) => boolean): readonly Label[] {
  return [...labels.values()].filter(has).sort((a, b) => (a.id < b.id ? -1 : 1))
}

function listLines(
  { width, style }: Console,
  rows: readonly Label[],
  columns: readonly Column<Label>[],
): Iterable<string> {
  return rows.length === 0 ? [] : tableLines(rows, columns, { width, title: style.faint })
}

function whatColumns({ style }: Console): readonly Column<Label>[] {
  return [
    { title: 'of', text: ({ kind }) => kind, paint: style.faint },
    { title: 'id', text: shortLabelId, paint: style.id },
  ]
}

/** Ids as commands take them: `4539d2d0`, `4539d2d0@7e083490-abc`. */
export function shortLabelId({ kind, id, session }: Pick<Label, 'kind' | 'id' | 'session'>): string {
  return kind === 'branch' || kind === 'agent'
    ? `${shortId(session)}${id.slice(session.length)}`
    : shortId(id)
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
