/** S2: what a Markdown document says where sessions go on, branches leave and subagents are called, and the links back. */
import { cleanLine } from '@dagline/core/content'
import { groupBy, pushTo } from '@dagline/core/model'
import type { Sheet, SheetJunction, SheetLine } from '@dagline/core/protocol'
import { continuationLabel } from '@dagline/core/view'
import { entryAnchor, type Links } from './links.js'
import { codeSpan } from './markdown-text.js'

/** By row: what is linked to and from it. */
export interface RowLinks {
  /** The uuids that links lead to. */
  readonly anchors: ReadonlyMap<number, ReadonlySet<string>>
  /** The branches that were left at it. */
  readonly leaving: ReadonlyMap<number, readonly SheetLine[]>
  readonly junctions: ReadonlyMap<number, readonly SheetJunction[]>
  /** T4: the row of the call of a late result, and that of the late result of a call. */
  readonly callOf: ReadonlyMap<number, number>
  readonly resultOf: ReadonlyMap<number, number>
}

/** Finds all that is linked to in a sheet. */
export function linksIn({ rows, lines, junctions, late }: Sheet): RowLinks {
  const anchors = new Map<number, Set<string>>()
  const leaving = new Map<number, SheetLine[]>()
  const mark = (row: number, node: string = rows.node[row] ?? ''): void => {
    if (row < 0) return
    anchors.set(row, (anchors.get(row) ?? new Set()).add(node))
  }
  for (const { row, node } of junctions) mark(row, node)
  for (const pair of late) for (const row of pair) mark(row)
  for (const line of lines.filter(isSection)) {
    mark(line.head)
    mark(line.at)
    if (line.kind === 'branch' && line.at >= 0) pushTo(leaving, line.at, line)
  }
  return {
    anchors,
    leaving,
    junctions: groupBy(junctions, ({ row }) => row),
    callOf: new Map(late),
    resultOf: new Map(late.map(([result, call]) => [call, result])),
  }
}

/** A line with a section of its own: a subagent, or a branch that was left. */
export function isSection({ kind, status }: SheetLine): boolean {
  return kind === 'agent' || (kind === 'branch' && status !== 'live')
}

/** The anchors of a row. */
export function* anchorsAt({ anchors }: RowLinks, row: number): Generator<string> {
  const names = [...(anchors.get(row) ?? [])].map(entryAnchor)
  if (names.length > 0) yield `${names.map(name => `<a id="${name}"></a>`).join('')}\n\n`
}

/** A link to a row of the same document. */
export function rowLink({ rows }: Sheet, row: number, words: string): string {
  const node = rows.node[row]
  return node === undefined ? words : `[${words}](#${entryAnchor(node)})`
}

/** `Forked into [title](file.md)`. */
export function junctionWords(
  junction: SheetJunction,
  links: Links,
  plain: (text: string) => string,
): string {
  return `${ONWARD[junction.how] ?? 'Goes on in'} ${sessionLink(junction, links.to(junction.session, null), plain)}`
}

const ONWARD: Readonly<Record<string, string>> = {
  resume: 'Resumed in',
  fork: 'Forked into',
  branch: 'Branched into',
  background: 'Sent to the background as',
}

/** `Forked from [title](file.md#e-uuid)`; nothing for a session that comes from no other. */
export function originWords({ session }: Sheet, links: Links, plain: (text: string) => string): string {
  const { parent } = session
  if (parent === null) return ''
  const link = sessionLink(parent, links.to(parent.session, parent.node), plain)
  return `${continuationLabel(parent.how)} from ${link}`
}

interface Named {
  readonly session: string
  readonly title: string | null
}

function sessionLink(
  { session, title }: Named,
  href: string | null,
  plain: (text: string) => string,
): string {
  const words = title === null ? '' : linkText(plain(title))
  if (href === null) return words === '' ? codeSpan(session) : `${words} (${codeSpan(session)})`
  return `[${words === '' ? session : words}](${href})`
}

/** Text that can stand inside a link: without brackets, markup, line breaks and control characters. */
export function linkText(text: string): string {
  return cleanLine(text)
    .replace(/[[\]<>`*_\\&]/g, '')
    .trim()
    .slice(0, 100)
}
