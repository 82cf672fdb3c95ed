/**
 * Markdown as nodes. No text becomes markup: HTML stays text, images are never loaded, and only web and mail addresses
 * become links.
 */
import type { ComponentChildren, VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { Code } from './code.js'
import { type MarkdownBlock, readBlocks } from './markdown-blocks.js'
import { type Inline, readInline } from './markdown-inline.js'
import './text.css'

/** A message as Markdown. Line breaks are kept, as in the terminal. */
export function Markdown({ text }: { text: string }): VNode {
  const nodes = useMemo(() => renderMarkdown(text), [text])
  return <div class="md">{nodes}</div>
}

/** The text as nodes. */
export function renderMarkdown(text: string): readonly ComponentChildren[] {
  return blocks(readBlocks(text))
}

function blocks(list: readonly MarkdownBlock[]): readonly ComponentChildren[] {
  return list.map(renderBlock)
}

function renderBlock(block: MarkdownBlock): VNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inline(block.text)}</p>
    case 'heading':
      return heading(block.depth, inline(block.text))
    case 'code':
      return <Code text={block.text} language={block.language} />
    case 'quote':
      return <blockquote>{blocks(block.inside)}</blockquote>
    case 'list':
      return list(block)
    case 'table':
      return table(block)
    case 'rule':
      return <hr />
  }
}

/** Headings of a message rank below the headings of the page. */
function heading(depth: number, children: ComponentChildren): VNode {
  const Tag = depth === 1 ? 'h3' : depth === 2 ? 'h4' : depth === 3 ? 'h5' : 'h6'
  return <Tag>{children}</Tag>
}

function list({ first, items }: Extract<MarkdownBlock, { kind: 'list' }>): VNode {
  const rows = items.map(({ done, inside }) => (
    <li class={done === null ? undefined : 'task'}>
      {done === null ? null : done ? '☑ ' : '☐ '}
      {isTight(inside) ? itemText(inside) : blocks(inside)}
    </li>
  ))
  return first === null ? <ul>{rows}</ul> : <ol start={first}>{rows}</ol>
}

/** An item that consists of one paragraph, with or without a list below it, needs no paragraph element. */
function isTight(inside: readonly MarkdownBlock[]): boolean {
  return inside[0]?.kind === 'paragraph' && inside.slice(1).every(({ kind }) => kind === 'list')
}

function itemText([first, ...rest]: readonly MarkdownBlock[]): ComponentChildren {
  const text = first?.kind === 'paragraph' ? inline(first.text) : []
  return [...text, ...blocks(rest)]
}

function table({ align, rows: [header = [], ...rows] }: Extract<MarkdownBlock, { kind: 'table' }>): VNode {
  return (
    <div class="wide">
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th class={align[at] ?? undefined}>{inline(cell)}</th>
            ))}
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
