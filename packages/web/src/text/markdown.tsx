/**
 * Markdown as nodes. No text becomes markup: HTML stays text, images are never loaded, and only web and mail addresses
 * become links.
 */
import { type ComponentChildren, h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { Code, useScrollKeys } from './code.js'
import { type MarkdownBlock, readBlocks } from './markdown-blocks.js'
import { type Inline, readInline } from './markdown-inline.js'
import './text.css'

interface MarkdownProps {
  readonly text: string
  /** The rank of its first heading: one below that of the heading it stands under. */
  readonly rank?: number
}

/** A message as Markdown. Line breaks are kept, as in the terminal. */
export function Markdown({ text, rank = 2 }: MarkdownProps): VNode {
  const nodes = useMemo(() => renderMarkdown(text, rank), [text, rank])
  return <div class="md">{nodes}</div>
}

/** The text as nodes. */
export function renderMarkdown(text: string, rank: number = 2): readonly ComponentChildren[] {
  const list = readBlocks(text)
  return blocks(list, rankHeadings(list, rank))
}

type Ranks = ReadonlyMap<MarkdownBlock, number>

/** V22: headings of a message rank below those of the page, and none skips a rank, whatever the message skips. */
function rankHeadings(list: readonly MarkdownBlock[], first: number): Ranks {
  const ranks = new Map<MarkdownBlock, number>()
  const above: number[] = []
  for (const block of list.flatMap(headingsIn)) {
    while ((above.at(-1) ?? 0) >= block.depth) above.pop()
    ranks.set(block, Math.min(6, first + above.length))
    above.push(block.depth)
  }
  return ranks
}

type Heading = Extract<MarkdownBlock, { kind: 'heading' }>

function headingsIn(block: MarkdownBlock): readonly Heading[] {
  switch (block.kind) {
    case 'heading':
      return [block]
    case 'quote':
      return block.inside.flatMap(headingsIn)
    case 'list':
      return block.items.flatMap(({ inside }) => inside.flatMap(headingsIn))
    default:
      return []
  }
}

function blocks(list: readonly MarkdownBlock[], ranks: Ranks): readonly ComponentChildren[] {
  return list.map(block => renderBlock(block, ranks))
}

function renderBlock(block: MarkdownBlock, ranks: Ranks): VNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inline(block.text)}</p>
    case 'heading':
      return heading(block, ranks.get(block) ?? 6)
    case 'code':
      return <Code text={block.text} language={block.language} />
    case 'quote':
      return <blockquote>{blocks(block.inside, ranks)}</blockquote>
    case 'list':
      return list(block, ranks)
    case 'table':
      return table(block)
    case 'rule':
      return <hr />
  }
}

/** It looks as its author meant it, and ranks as the page needs it. */
function heading({ depth, text }: Heading, rank: number): VNode {
  return h(`h${rank}`, { class: `md-h${depth}` }, inline(text))
}

function list({ first, items }: Extract<MarkdownBlock, { kind: 'list' }>, ranks: Ranks): VNode {
  const rows = items.map(({ done, inside }) => (
    <li class={done === null ? undefined : 'task'}>
      {done === null ? null : done ? '☑ ' : '☐ '}
      {isTight(inside) ? itemText(inside, ranks) : blocks(inside, ranks)}
    </li>
  ))
  return first === null ? <ul>{rows}</ul> : <ol start={first}>{rows}</ol>
}

/** An item that consists of one paragraph, with or without a list below it, needs no paragraph element. */
function isTight(inside: readonly MarkdownBlock[]): boolean {
  return inside[0]?.kind === 'paragraph' && inside.slice(1).every(({ kind }) => kind === 'list')
}

function itemText([first, ...rest]: readonly MarkdownBlock[], ranks: Ranks): ComponentChildren {
  const text = first?.kind === 'paragraph' ? inline(first.text) : []
  return [...text, ...blocks(rest, ranks)]
}

function table({ align, rows: [header = [], ...rows] }: Extract<MarkdownBlock, { kind: 'table' }>): VNode {
  return (
    <Wide>
      <table>
        <thead>
          <tr>
            {header.map((cell, at) =>
              // A corner without words heads nothing.
              cell === '' ? <td /> : <th class={align[at] ?? undefined}>{inline(cell)}</th>,
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr>
              {row.map((cell, at) => (
                <td class={align[at] ?? undefined}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

/** What may be wider than the message scrolls by itself. */
function Wide({ children }: { readonly children: ComponentChildren }): VNode {
  const box = useScrollKeys<HTMLDivElement>()
  return (
    <div class="wide" ref={box}>
      {children}
    </div>
  )
}

function inline(text: string): readonly ComponentChildren[] {
  return readInline(text).map(renderInline)
}

function renderInline(node: Inline): ComponentChildren {
  if (typeof node === 'string') return node
  switch (node.kind) {
    case 'strong':
      return <strong>{node.inside.map(renderInline)}</strong>
    case 'em':
      return <em>{node.inside.map(renderInline)}</em>
    case 'del':
      return <del>{node.inside.map(renderInline)}</del>
    case 'code':
      return <code>{node.text}</code>
    case 'break':
      return <br />
    case 'link':
      return link(node.href, node.inside.map(renderInline))
  }
}

function link(address: string, children: ComponentChildren): VNode {
  const href = safeAddress(address)
  if (href === null) return <span title={address}>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  )
}

const FOLLOWED = new Set(['http:', 'https:', 'mailto:'])

/** The address if it is a web or mail address; null for all others, which stay text. */
export function safeAddress(address: string): string | null {
  try {
    const url = new URL(address)
    return FOLLOWED.has(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
