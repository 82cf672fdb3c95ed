/** Documents as HTML, read by the Markdown reader of the page, so that both accept the same. */
import { type MarkdownBlock, readBlocks } from '../../packages/web/src/text/markdown-blocks.ts'
import { type Inline, readInline } from '../../packages/web/src/text/markdown-inline.ts'
import { slugOf } from '../lib/anchors.ts'
import { highlight, textHtml } from './html.ts'

/** A heading, for navigation and search. */
export interface Heading {
  readonly depth: number
  readonly text: string
  readonly anchor: string
}

/** A document that was read. */
export interface Rendered {
  readonly html: string
  readonly headings: readonly Heading[]
}

/** Where a link of a document leads on the site. */
export type LinkTo = (target: string) => string

/** Renders a document. Line breaks within a paragraph are spaces, and comments are left out. */
export function renderDocument(text: string, linkTo: LinkTo): Rendered {
  const headings: Heading[] = []
  const anchors = new Map<string, number>()
  const addHeading = (depth: number, source: string): string => {
    const slug = slugOf(source)
    const count = anchors.get(slug) ?? 0
    anchors.set(slug, count + 1)
    const anchor = count === 0 ? slug : `${slug}-${count}`
    headings.push({ depth, text: plainText(readInline(source)), anchor })
    return anchor
  }
  const blocks = readBlocks(text.replace(/^<!--.*?-->$/gms, ''))
  const html = blocks.map(block => renderBlock(block, { linkTo, addHeading })).join('\n')
  return { html, headings }
}

interface Context {
  readonly linkTo: LinkTo
  /** Returns the anchor. */
  readonly addHeading: (depth: number, source: string) => string
}

function renderBlock(block: MarkdownBlock, context: Context): string {
  switch (block.kind) {
    case 'paragraph':
      return paragraph(block.text, context)
    case 'heading': {
      const anchor = context.addHeading(block.depth, block.text)
      return `<h${block.depth} id="${anchor}">${inline(block.text, context)}<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${block.depth}>`
    }
    case 'code':
      return codeBlock(highlight(block.text, block.language))
    case 'quote':
      return `<blockquote>${block.inside.map(each => renderBlock(each, context)).join('\n')}</blockquote>`
    case 'list':
      return list(block, context)
    case 'table':
      return table(block, context)
    case 'rule':
      return '<hr>'
  }
}

/** Code that may be wider than the page: it scrolls by itself, also by the keyboard. */
export function codeBlock(html: string): string {
  return `<pre class="code" tabindex="0"><code>${html}</code></pre>`
}

const PICTURE = /^!\[([^\]]*)\]\(([^)\s]+)\)$/

function paragraph(text: string, context: Context): string {
  const picture = PICTURE.exec(text.trim())
  if (picture === null) return `<p>${inline(text, context)}</p>`
  const [, words = '', target = ''] = picture
  return `<p><img src="${textHtml(context.linkTo(target))}" alt="${textHtml(words)}" loading="lazy"></p>`
}

function list({ first, items }: Extract<MarkdownBlock, { kind: 'list' }>, context: Context): string {
  const rows = items.map(({ inside }) => `<li>${inside.map(each => item(each, context)).join('\n')}</li>`)
  const tag = first === null ? 'ul' : 'ol'
  const start = first === null || first === 1 ? '' : ` start="${first}"`
  return `<${tag}${start}>${rows.join('')}</${tag}>`
}

function item(block: MarkdownBlock, context: Context): string {
  return block.kind === 'paragraph' ? inline(block.text, context) : renderBlock(block, context)
}

function table(
  { align, rows: [header = [], ...rows] }: Extract<MarkdownBlock, { kind: 'table' }>,
  context: Context,
): string {
  const cell = (tag: 'td' | 'th', text: string, at: number): string => {
    const side = align[at] == null ? '' : ` class="${align[at]}"`
    return `<${tag === 'th' && text === '' ? 'td' : tag}${side}>${inline(text, context)}</${tag === 'th' && text === '' ? 'td' : tag}>`
  }
  const row = (tag: 'td' | 'th', cells: readonly string[]): string =>
    `<tr>${cells.map((text, at) => cell(tag, text, at)).join('')}</tr>`
  const body = rows.map(cells => row('td', cells)).join('')
  return `<div class="wide" tabindex="0"><table><thead>${row('th', header)}</thead><tbody>${body}</tbody></table></div>`
}

function inline(text: string, context: Context): string {
  return readInline(text.replaceAll('\n', ' '))
    .map(node => renderInline(node, context))
    .join('')
}

/** Text with emphasis, code and links, without blocks: for doc comments. */
export function renderWords(text: string): string {
  return inline(text, { linkTo: target => target, addHeading: () => '' })
}

function renderInline(node: Inline, context: Context): string {
  if (typeof node === 'string') return textHtml(node)
  switch (node.kind) {
    case 'code':
      return `<code>${textHtml(node.text)}</code>`
    case 'break':
      return '<br>'
    case 'link':
      return `<a href="${textHtml(context.linkTo(node.href))}">${inside(node.inside, context)}</a>`
    default:
      return `<${node.kind}>${inside(node.inside, context)}</${node.kind}>`
  }
}

function inside(nodes: readonly Inline[], context: Context): string {
  return nodes.map(node => renderInline(node, context)).join('')
}

function plainText(nodes: readonly Inline[]): string {
  return nodes
    .map(node => {
      if (typeof node === 'string') return node
      if (node.kind === 'code') return node.text
      return node.kind === 'break' ? ' ' : plainText(node.inside)
    })
    .join('')
}
