/**
 * Markdown as blocks: paragraphs, headings, lists, code, tables, quotes. It is read line by line without backtracking.
 * What nests too deeply becomes a paragraph, and HTML stays text.
 */

export type MarkdownBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'heading'; readonly depth: number; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'quote'; readonly inside: readonly MarkdownBlock[] }
  | { readonly kind: 'list'; readonly first: number | null; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table'
      readonly align: readonly Align[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'rule' }

interface ListItem {
  /** Null for items that are not tasks. */
  readonly done: boolean | null
  readonly inside: readonly MarkdownBlock[]
}

type Align = 'left' | 'center' | 'right' | null

/** A parsed block, and how many lines it took. */
interface Taken {
  readonly block: MarkdownBlock | null
  readonly lines: number
}

const DEEPEST = 16

/** The blocks of a text. */
export function readBlocks(text: string): readonly MarkdownBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return blocksOf(
    lines.map(line => line.replace(/^[ \t]+/, spaces)),
    0,
  )
}

function spaces(indent: string): string {
  return indent.replaceAll('\t', '    ')
}

function blocksOf(lines: readonly string[], depth: number): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let at = 0
  while (at < lines.length) {
    const { block, lines: used } = takeBlock(lines, at, depth)
    if (block !== null) blocks.push(block)
    at += Math.max(1, used)
  }
  return blocks
}

function takeBlock(lines: readonly string[], at: number, depth: number): Taken {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { block: null, lines: 1 }
  const isDeep = depth >= DEEPEST
  return (
    takeFence(lines, at) ??
    takeHeading(line) ??
    (isRule(line) ? { block: { kind: 'rule' }, lines: 1 } : null) ??
    (isDeep ? null : takeQuote(lines, at, depth)) ??
    (isDeep ? null : takeList(lines, at, depth)) ??
    takeIndented(lines, at) ??
    takeTable(lines, at) ??
    takeParagraph(lines, at)
  )
}

const FENCE = /^( {0,3})(`{3,}|~{3,})([^`]*)$/

function takeFence(lines: readonly string[], at: number): Taken | null {
  const open = FENCE.exec(lines[at] ?? '')
  if (open === null) return null
  const [, indent = '', fence = '', language = ''] = open
  const code: string[] = []
  let end = at + 1
  while (end < lines.length && !closes(lines[end] ?? '', fence)) {
    code.push(unindent(lines[end] ?? '', indent.length))
    end++
  }
  return { block: { kind: 'code', text: code.join('\n'), language: language.trim() }, lines: end + 1 - at }
}

function closes(line: string, fence: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length) && indentOf(line) < 4
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function unindent(line: string, by: number): string {
  return line.slice(Math.min(by, indentOf(line)))
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/

function takeHeading(line: string): Taken | null {
  const found = HEADING.exec(line)
  if (found === null) return null
  const text = (found[2] ?? '')
    .trim()
    .replace(/(^|\s)#+$/, '')
    .trim()
  return { block: { kind: 'heading', depth: found[1]?.length ?? 1, text }, lines: 1 }
}

function isRule(line: string): boolean {
  if (indentOf(line) >= 4) return false
  const text = line.replace(/\s/g, '')
  return text.length >= 3 && /^(?:-+|\*+|_+)$/.test(text)
}

function takeQuote(lines: readonly string[], at: number, depth: number): Taken | null {
  if (!isQuote(lines[at] ?? '')) return null
  const inside: string[] = []
  let end = at
  while (end < lines.length) {
    const line = lines[end] ?? ''
    if (!isQuote(line) && (line.trim() === '' || startsBlock(lines, end))) break
    inside.push(isQuote(line) ? line.trimStart().slice(1).replace(/^ /, '') : line)
    end++
  }
  return { block: { kind: 'quote', inside: blocksOf(inside, depth + 1) }, lines: end - at }
}

function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line)
}

interface Marker {
  readonly indent: number
  /** The indentation of its content. */
  readonly content: number
  readonly number: number | null
  readonly character: string
}

const MARKER = /^( *)(?:([-*+])|(\d{1,9})([.)]))( +|$)/

function markerOf(line: string): Marker | null {
  const found = MARKER.exec(line)
  if (found === null || isRule(line)) return null
  const [whole, indent = '', bullet, number, end, gap = ''] = found
  const content = gap.length > 4 ? whole.length - gap.length + 1 : whole.length
  return {
    indent: indent.length,
    content: gap === '' ? whole.length + 1 : content,
    number: number === undefined ? null : Number(number),
    character: bullet ?? end ?? '',
  }
}

function takeList(lines: readonly string[], at: number, depth: number): Taken | null {
  const first = markerOf(lines[at] ?? '')
  if (first === null || first.indent > 3) return null
  const items: ListItem[] = []
  let end = at
  for (let marker: Marker | null = first; marker !== null && isSibling(first, marker); ) {
    const taken = itemLines(lines, end, marker)
    items.push(itemOf(taken.inside, depth))
    end += taken.lines
    marker = end < lines.length ? markerOf(lines[end] ?? '') : null
  }
  return { block: { kind: 'list', first: first.number, items }, lines: end - at }
}

function isSibling(first: Marker, other: Marker): boolean {
  return other.character === first.character && other.indent < first.indent + 2
}

/** An item contains what is indented below it, blank lines between, and lines that continue its paragraph. */
function itemLines(
  lines: readonly string[],
  at: number,
  marker: Marker,
): { readonly inside: readonly string[]; readonly lines: number } {
  const inside = [(lines[at] ?? '').slice(marker.content)]
  let end = at + 1
  let blank = 0
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (line.trim() === '') {
      blank++
      inside.push('')
    } else if (indentOf(line) >= marker.content || isNested(line, marker)) {
      inside.push(unindent(line, marker.content))
      blank = 0
    } else if (blank === 0 && markerOf(line) === null && !startsBlock(lines, end))
      inside.push(line.trimStart())
    else break
  }
  // Trailing blank lines separate this item from the next, or follow the list.
  return { inside: blank === 0 ? inside : inside.slice(0, -blank), lines: end - at }
}

/** Nested items are often indented by two blanks, whatever the width of the marker above. */
function isNested(line: string, { indent }: Marker): boolean {
  const marker = markerOf(line)
  return marker !== null && marker.indent >= indent + 2
}

const TASK = /^\[([ xX])\] +/

function itemOf(lines: readonly string[], depth: number): ListItem {
  const [head = '', ...rest] = lines
  const task = TASK.exec(head)
  const first = task === null ? head : head.slice(task[0].length)
  return { done: task === null ? null : task[1] !== ' ', inside: blocksOf([first, ...rest], depth + 1) }
}

function takeIndented(lines: readonly string[], at: number): Taken | null {
  let end = at
  while (end < lines.length && (indentOf(lines[end] ?? '') >= 4 || (lines[end] ?? '').trim() === '')) end++
  if (end === at || indentOf(lines[at] ?? '') < 4) return null
  const text = lines
    .slice(at, end)
    .map(line => unindent(line, 4))
    .join('\n')
    .trimEnd()
  return { block: { kind: 'code', text, language: '' }, lines: end - at }
}

const DELIMITER = /^\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/

function takeTable(lines: readonly string[], at: number): Taken | null {
  if (!isTable(lines, at)) return null
  const header = cellsOf(lines[at] ?? '')
  const align = cellsOf(lines[at + 1] ?? '').map(alignOf)
  const rows = [header]
  let end = at + 2
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    if (line.trim() === '' || !line.includes('|')) break
    const cells = cellsOf(line)
    rows.push(header.map((_, column) => cells[column] ?? ''))
  }
  return { block: { kind: 'table', align, rows }, lines: end - at }
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = '', rule = ''] = [lines[at], lines[at + 1]]
  if (!head.includes('|') || !rule.includes('-') || !DELIMITER.test(rule)) return false
  return cellsOf(head).length === cellsOf(rule).length
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))
}

function alignOf(cell: string): Align {
  const [left, right] = [cell.startsWith(':'), cell.endsWith(':')]
  return left && right ? 'center' : right ? 'right' : left ? 'left' : null
}

const UNDERLINE = /^ {0,3}(=+|-+)\s*$/

function takeParagraph(lines: readonly string[], at: number): Taken {
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const under = UNDERLINE.exec(line)
    if (under !== null) {
      const depth = under[1]?.[0] === '=' ? 1 : 2
      return { block: { kind: 'heading', depth, text: textOf(lines, at, end) }, lines: end + 1 - at }
    }
    if (line.trim() === '' || startsBlock(lines, end)) break
  }
  return { block: { kind: 'paragraph', text: textOf(lines, at, end) }, lines: end - at }
}

function textOf(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, to)
    .map(line => line.trimStart())
    .join('\n')
    .trimEnd()
}

/** Whether a line ends the paragraph before it. A numbered list does so only if it begins with one. */
function startsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (FENCE.test(line) || HEADING.test(line) || isQuote(line) || isRule(line) || isTable(lines, at))
    return true
  const marker = markerOf(line)
  if (marker === null || line.trim().length <= marker.content - marker.indent - 1) return false
  return marker.number === null || marker.number === 1
}
