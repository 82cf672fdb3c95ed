/** Builds the documentation site: static files that need no server and load nothing from elsewhere. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { pageHead } from '../../packages/app/src/export/html.ts'
import { pageOptions } from '../lib/bundle.ts'
import { ROOT, readText } from '../lib/sources.ts'
import { API_DOCUMENTS, readEntries, renderEntry } from './api-pages.ts'
import { framed, type MenuLinks, type SitePage } from './layout.ts'
import { renderDocument } from './markdown.ts'
import { DOCUMENT_PAGES, linkFrom, menuGroups } from './pages.ts'

/** Writes the site into a folder, which is emptied first, and returns the paths of its pages. */
export async function buildSite(folder: string): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const documents = [...DOCUMENT_PAGES].map(([path, page]) => documentPage(path, page))
  const library = libraryPages()
  const pages = [...documents, ...library]
  const menu = menuOf(documents, library)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const page of pages) write(page.page, framed(page, menu))
  write('headings.js', headingsScript(pages))
  cpSync(join(ROOT, 'docs/images'), join(folder, 'images'), { recursive: true })
  await build({
    ...pageOptions,
    ...CLASSIC,
    entryPoints: { site: 'packages/web/src/site.ts' },
    outdir: folder,
  })
  write('demo.html', await demoPage())
  return [...pages.map(({ page }) => page), 'demo.html']
}

/** Scripts that also run where the site is opened from a disk: modules are not loaded from there. */
const CLASSIC: BuildOptions = { format: 'iife', splitting: false, absWorkingDir: ROOT }

function documentPage(path: string, page: string): SitePage {
  const { html, headings } = renderDocument(readText(path), linkFrom(path, page, API_DOCUMENTS))
  const title = headings.find(({ depth }) => depth === 1)?.text ?? path
  return { page, title, html, headings }
}

function libraryPages(): readonly SitePage[] {
  const entries = readEntries()
  return entries.map(entry => ({ page: entry.page, title: entry.name, ...renderEntry(entry, entries) }))
}

function menuOf(documents: readonly SitePage[], library: readonly SitePage[]): readonly MenuLinks[] {
  const linkOf = (path: string): SitePage[] =>
    documents.filter(({ page }) => page === DOCUMENT_PAGES.get(path))
  const isPart = ({ title }: SitePage): boolean => title.startsWith('@dagline/core/')
  return menuGroups().map(({ name, documents: paths }) => ({
    name,
    links: [
      ...paths.flatMap(linkOf),
      ...(name === 'Start' ? [{ title: 'Demo: your transcripts', page: 'demo.html' }] : []),
      ...(name === 'Library' ? library.filter(page => !isPart(page)) : []),
    ],
    folded: name === 'Library' ? library.filter(isPart) : [],
  }))
}

/** What the search knows: a script and not JSON, because a page from a disk cannot fetch. */
function headingsScript(pages: readonly SitePage[]): string {
  const headings = pages.flatMap(({ page, title, headings: own }) =>
    own.map(({ depth, text, anchor }) => [
      text,
      depth === 1 ? '' : title,
      depth === 1 ? page : `${page}#${anchor}`,
    ]),
  )
  return `globalThis.daglineHeadings = ${JSON.stringify(headings)}\n`
}

/** The demo: one page that holds everything, with a policy that forbids it to send anything. */
async function demoPage(): Promise<string> {
  const { outputFiles } = await build({
    ...pageOptions,
    ...CLASSIC,
    entryPoints: { demo: 'packages/web/src/demo.tsx' },
    outdir: 'demo',
    write: false,
  })
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const script = textOf('.js').replace(/<(?=\/script|!--)/gi, '\\x3c')
  return `${pageHead('dagline: your transcripts, drawn in this page', script, textOf('.css'))}<div id="page"></div>
<noscript>This page reads transcripts with a script that stands in it. Allow it to run.</noscript>
<script type="application/json" id="sample">${sample()}</script>
<script>${script}</script>
</body>
</html>
`
}

/** The samples that come with the command, as files. */
function sample(): string {
  const root = join(ROOT, 'fixtures/samples/projects')
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path =>
    /\.jsonl?$/.test(path),
  )
  const files = paths.map(path => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(root, path), 'utf8'),
  }))
  return JSON.stringify(files).replaceAll('<', '\\u003c')
}
