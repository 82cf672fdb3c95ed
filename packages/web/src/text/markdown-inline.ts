/**
 * Markdown within a line: emphasis, code, links. Any text is accepted, and the work is bounded: what nests or repeats too
 * much stays plain text.
 */

export type Inline =
  | string
  | { readonly kind: 'strong' | 'em' | 'del'; readonly inside: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }
  | { readonly kind: 'break' }

/** A run of `*`, `_` or `~` that may begin or end emphasis, a bracket, or a finished part. */
type Part =
  | { readonly kind: 'done'; readonly node: Inline; readonly depth: number }
  | {
      readonly kind: 'run'
      readonly character: string
      count: number
      readonly opens: boolean
      readonly closes: boolean
    }
  | { readonly kind: 'bracket'; readonly text: string; isLive: boolean }

interface Scan {
  readonly text: string
  readonly parts: Part[]
  /** Lengths of backtick runs that have no end further on. */
  readonly openTicks: Set<number>
  /** Special characters so far; beyond the limit they are plain text. */
  specials: number
}

const MOST_SPECIAL = 1500
const DEEPEST = 24

/** Splits a text into pieces. Line breaks are kept. */
export function readInline(text: string): readonly Inline[] {
  const scan: Scan = { text, parts: [], openTicks: new Set(), specials: 0 }
  let at = 0
  while (at < text.length) {
    const used = scan.specials < MOST_SPECIAL ? special(scan, at) : 0
    at += used > 0 ? used : plain(scan, at)
  }
  joinEmphasis(scan.parts, 0)
  return inlines(scan.parts)
}

const SPECIAL = /[\\`*_~[\]!<\n&h]/g

/** Plain text up to the next special character. */
function plain(scan: Scan, at: number): number {
  SPECIAL.lastIndex = at + 1
  const next = scan.specials < MOST_SPECIAL ? SPECIAL.exec(scan.text) : null
  const end = next?.index ?? scan.text.length
  add(scan.parts, scan.text.slice(at, end))
  return end - at
}

/** Reads the construct that begins here and returns its length; 0 for plain text. */
function special(scan: Scan, at: number): number {
  switch (scan.text[at]) {
    case '\\':
      return escaped(scan, at)
    case '`':
      return codeSpan(scan, at)
    case '*':
    case '_':
    case '~':
      return emphasisRun(scan, at)
    case '!':
      return scan.text[at + 1] === '[' ? openBracket(scan, '![') : 0
    case '[':
      return openBracket(scan, '[')
    case ']':
      return closeBracket(scan, at)
    case '<':
      return autolink(scan, at)
    case 'h':
      return bareAddress(scan, at)
    case '\n':
      return lineBreak(scan)
    case '&':
      return entity(scan, at)
    default:
      return 0
  }
}

function add(parts: Part[], node: Inline): void {
  const last = parts.at(-1)
  if (typeof node === 'string' && last?.kind === 'done' && typeof last.node === 'string') {
    parts[parts.length - 1] = { kind: 'done', node: last.node + node, depth: 0 }
  } else parts.push({ kind: 'done', node, depth: 0 })
}

function escaped({ text, parts }: Scan, at: number): number {
  const next = text[at + 1] ?? ''
  if (next === '\n') {
    add(parts, { kind: 'break' })
    return 2
  }
  if (!/[!-/:-@[-`{-~]/.test(next)) return 0
  add(parts, next)
  return 2
}

function codeSpan(scan: Scan, at: number): number {
  const { text, parts, openTicks } = scan
  const count = runLength(text, at, '`')
  if (!openTicks.has(count)) {
    for (let end = text.indexOf('`', at + count); end >= 0; ) {
      const length = runLength(text, end, '`')
      if (length === count) {
        const code = text.slice(at + count, end).replaceAll('\n', ' ')
        add(parts, { kind: 'code', text: /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code })
        return end + count - at
      }
      end = text.indexOf('`', end + length)
    }
    openTicks.add(count)
  }
  add(parts, text.slice(at, at + count))
  return count
}

function runLength(text: string, at: number, character: string): number {
  let end = at
  while (text[end] === character) end++
  return end - at
}

const SPACE = /^\s?$/
const MARK = /[\p{P}\p{S}]/u

/** A run may begin emphasis if it touches the text after it, and end emphasis if it touches the text before it. */
function emphasisRun(scan: Scan, at: number): number {
  const { text, parts } = scan
  const character = text[at] ?? ''
  const count = runLength(text, at, character)
  const [before, after] = [text[at - 1] ?? '', text[at + count] ?? '']
  const [isMarkBefore, isMarkAfter] = [MARK.test(before), MARK.test(after)]
  const left = !SPACE.test(after) && (!isMarkAfter || SPACE.test(before) || isMarkBefore)
  const right = !SPACE.test(before) && (!isMarkBefore || SPACE.test(after) || isMarkAfter)
  const isWord = character === '_'
  scan.specials++
  parts.push({
    kind: 'run',
    character,
    count,
    opens: left && (!isWord || !right || isMarkBefore) && (character !== '~' || count === 2),
    closes: right && (!isWord || !left || isMarkAfter) && (character !== '~' || count === 2),
  })
  return count
}

function openBracket(scan: Scan, text: string): number {
  scan.specials++
  scan.parts.push({ kind: 'bracket', text, isLive: true })
  return text.length
}

const DESTINATION =
  /\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/y

/** `](address)` ends a link or an image. An image becomes a link to its address. */
function closeBracket(scan: Scan, at: number): number {
  const { text, parts } = scan
  const open = parts.findLastIndex(part => part.kind === 'bracket' && part.isLive)
  scan.specials++
  DESTINATION.lastIndex = at + 1
  const found = open < 0 ? null : DESTINATION.exec(text)
  const bracket = parts[open]
  if (found === null || bracket?.kind !== 'bracket') {
    if (bracket?.kind === 'bracket') bracket.isLive = false
    return 0
  }
  joinEmphasis(parts, open + 1)
  const inside = parts.splice(open + 1)
  parts.pop()
  const href = (found[1] ?? found[2] ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1')
  parts.push(wrap(inside, nodes => ({ kind: 'link', href, inside: nodes.length === 0 ? [href] : nodes })))
  return 1 + found[0].length
}

const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]*)>/y

function autolink({ text, parts }: Scan, at: number): number {
  AUTOLINK.lastIndex = at
  const found = AUTOLINK.exec(text)
  if (found === null) return 0
  const href = found[1] ?? ''
  add(parts, { kind: 'link', href, inside: [href] })
  return found[0].length
}

const ADDRESS = /https?:\/\/[^\s<>"`]+/y

/** An address in plain text, without the punctuation that ends a sentence. */
function bareAddress({ text, parts }: Scan, at: number): number {
  if (/\w/.test(text[at - 1] ?? '')) return 0
  ADDRESS.lastIndex = at
  const found = ADDRESS.exec(text)?.[0].replace(/[*_~.,:;!?'\]]+$/, '')
  if (found === undefined) return 0
  const href = found.includes('(') ? found : found.replace(/\).*$/, '')
  add(parts, { kind: 'link', href, inside: [href] })
  return href.length
}

function lineBreak({ parts }: Scan): number {
  add(parts, { kind: 'break' })
  return 1
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}

/** Replaces character references. The result is text and never becomes markup. */
function entity({ text, parts }: Scan, at: number): number {
  const name = /^&(amp|lt|gt|quot|nbsp|#39);/.exec(text.slice(at, at + 7))?.[1]
  if (name === undefined) return 0
  add(parts, ENTITIES[name] ?? '')
  return name.length + 2
}

/** Pairs runs from a part on: each that ends emphasis with the nearest one before it that begins it. */
function joinEmphasis(parts: Part[], from: number): void {
  for (let at = from; at < parts.length; at++) {
    const closer = parts[at]
    if (closer?.kind !== 'run' || !closer.closes) continue
    const open = openerOf(parts, from, at, closer)
    const opener = parts[open]
    if (opener?.kind !== 'run') continue
    const used = closer.character === '~' || (opener.count >= 2 && closer.count >= 2) ? 2 : 1
    const kind = closer.character === '~' ? 'del' : used === 2 ? 'strong' : 'em'
    const inside = parts.splice(open + 1, at - open - 1)
    parts.splice(
      open + 1,
      0,
      wrap(inside, nodes => ({ kind, inside: nodes })),
    )
    opener.count -= used
    closer.count -= used
    // The closer is now two parts after the opener; the rest of it may close another one.
    at = open + 1
    if (opener.count === 0) {
      parts.splice(open, 1)
      at--
    }
    if (closer.count === 0) parts.splice(at + 1, 1)
  }
}

function openerOf(parts: readonly Part[], from: number, at: number, closer: Part & { kind: 'run' }): number {
  for (let open = at - 1; open >= from; open--) {
    const part = parts[open]
    if (part?.kind !== 'run' || part.character !== closer.character || !part.opens) continue
    // Runs that can both begin and end are paired only if their lengths are unambiguous.
    const isOdd = (part.closes || closer.opens) && (part.count + closer.count) % 3 === 0
    if (!isOdd || (part.count % 3 === 0 && closer.count % 3 === 0)) return open
  }
  return -1
}

/** Puts parts below one node; beyond the depth limit they stay side by side. */
function wrap(parts: readonly Part[], make: (nodes: readonly Inline[]) => Inline): Part {
  const depth = 1 + parts.reduce((most, part) => Math.max(most, part.kind === 'done' ? part.depth : 0), 0)
  const nodes = inlines(parts)
  if (depth <= DEEPEST) return { kind: 'done', node: make(nodes), depth }
  return { kind: 'done', node: nodes.map(textOf).join(''), depth: 0 }
}

function inlines(parts: readonly Part[]): readonly Inline[] {
  return parts.flatMap(part => {
    if (part.kind === 'done') return part.node === '' ? [] : [part.node]
    return part.kind === 'run' ? part.character.repeat(part.count) : part.text
  })
}

function textOf(node: Inline): string {
  if (typeof node === 'string') return node
  if (node.kind === 'break') return '\n'
  return node.kind === 'code' ? node.text : node.inside.map(textOf).join('')
}
