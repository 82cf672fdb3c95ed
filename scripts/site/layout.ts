/** The frame of a page: top bar, menu, contents of the page, and the text. */
import { textHtml } from './html.ts'
import type { Heading } from './markdown.ts'
import { relativeTo } from './pages.ts'

/** A page of the site. */
export interface SitePage {
  readonly page: string
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

/** A group of links in the menu. */
export interface MenuLinks {
  readonly name: string
  readonly links: readonly MenuLink[]
  /** Links that are folded until one of them is the page. */
  readonly folded: readonly MenuLink[]
}

interface MenuLink {
  readonly title: string
  readonly page: string
}

/** The whole page. It loads nothing but files of the site. */
export function framed({ page, title, html, headings }: SitePage, menu: readonly MenuLinks[]): string {
  const to = (target: string): string => relativeTo(page, target)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${textHtml(title === 'dagline' ? title : `${title} · dagline`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<script defer src="${to('headings.js')}"></script>
<script defer src="${to('site.js')}"></script>
</head>
<body data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#content">Skip to the text</a>
<header class="site-top">
<a class="site-name" href="${to('index.html')}">dagline</a>
<search class="site-search"><input id="search" class="field" type="search" placeholder="Search headings" aria-label="Search headings" autocomplete="off"><div id="found" class="site-found" hidden></div></search>
<a class="site-demo" href="${to('demo.html')}">Demo</a>
<button id="theme" class="button-quiet" type="button" aria-label="Theme"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path fill="currentColor" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg></button>
</header>
<div class="site-body">
<nav class="site-menu" aria-label="Pages"><details open><summary>Pages</summary>
${menu.map(group => menuGroup(group, page)).join('\n')}
</details></nav>
<main id="content" class="site-text" tabindex="-1">
${html}
</main>
${contentsOf(headings)}
</div>
</body>
</html>
`
}

function menuGroup({ name, links, folded }: MenuLinks, page: string): string {
  const isOpen = folded.some(link => link.page === page)
  const parts =
    folded.length === 0
      ? ''
      : `<details class="site-parts"${isOpen ? ' open' : ''}><summary>${folded.length} parts of it</summary>${menuList(folded, page)}</details>`
  return `<p class="site-group">${name}</p>${menuList(links, page)}${parts}`
}

function menuList(links: readonly MenuLink[], page: string): string {
  const items = links.map(({ title, page: target }) => {
    const here = target === page ? ' aria-current="page"' : ''
    return `<li><a href="${relativeTo(page, target)}"${here}>${textHtml(title)}</a></li>`
  })
  return `<ul>${items.join('')}</ul>`
}

/** Fewer headings need no list of their own; more than these are found by the search. */
const FEWEST = 3
const MOST = 60

function contentsOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2)
  if (shown.length < FEWEST) return ''
  const items = shown
    .slice(0, MOST)
    .map(({ anchor, text }) => `<li><a href="#${anchor}">${textHtml(text)}</a></li>`)
  return `<nav class="site-contents" aria-label="On this page"><p class="site-group">On this page</p><ul>${items.join('')}</ul></nav>`
}
