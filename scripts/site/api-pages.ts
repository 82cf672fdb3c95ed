/**
 * The pages of the library, one for each entry point, from api.md of each package: the public names with their doc comments,
 * which `check-api` generates from the types and keeps fresh.
 */
import { readText } from '../lib/sources.ts'
import { highlight } from './html.ts'
import { codeBlock, type Heading, renderWords } from './markdown.ts'

/** An entry point of a package. */
export interface ApiEntry {
  /** As it is imported. */
  readonly name: string
  readonly page: string
  readonly declarations: readonly Declaration[]
  /** Other ways to import: entry points that have the names of others. */
  readonly notes: readonly string[]
}

interface Declaration {
  readonly name: string
  readonly kind: string
  /** What its doc comment says. */
  readonly words: string
  readonly code: string
}

/** The documents that the pages are made from, each with the page of the package. */
export const API_DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['packages/cli/api.md', 'api/dagline.html'],
  ['packages/core/api.md', 'api/core.html'],
])

/** The entry points of all packages that have names of their own. */
export function readEntries(): readonly ApiEntry[] {
  return [...API_DOCUMENTS.keys()].flatMap(path => {
    const sections = readText(path).split(/^## /m).slice(1)
    const notes = sections.filter(section => !section.includes('```ts')).map(noteOf)
    return sections.flatMap(readEntry).map((entry, at) => (at === 0 ? { ...entry, notes } : entry))
  })
}

/** `dagline/core: The 97 names of @dagline/core.` */
function noteOf(section: string): string {
  return section.replace(/\n+/, ': ').trim()
}

function readEntry(section: string): readonly ApiEntry[] {
  const name = section.slice(0, section.indexOf('\n')).trim()
  const code = /```ts\n([\s\S]*?)\n```/.exec(section)?.[1]
  if (code === undefined) return []
  const page = `api/${name.replace(/^@dagline\//, '').replaceAll('/', '-')}.html`
  return [{ name, page, declarations: code.split(/\n\n(?=\/\*\*)/).map(readDeclaration), notes: [] }]
}

const DECLARED = /^(?:abstract )?(function|class|const|interface|type|let) (\w+)/m

function readDeclaration(text: string): Declaration {
  const [, comment = '', code = text] = /^\/\*\*([\s\S]*?)\*\/\n([\s\S]*)$/.exec(text) ?? []
  const [, kind = 'const', name = ''] = DECLARED.exec(code) ?? []
  const words = comment.replaceAll(/^\s*\* ?/gm, '').trim()
  return { name, kind, words, code }
}

/** A page of the library. */
export interface ApiPage {
  readonly html: string
  readonly headings: readonly Heading[]
}

const GROUPS: readonly (readonly [title: string, kinds: readonly string[]])[] = [
  ['Functions', ['function']],
  ['Classes', ['class']],
  ['Values', ['const', 'let']],
  ['Types', ['interface', 'type']],
]

/** Renders an entry point. Names in the code lead to their declarations, on this page or another. */
export function renderEntry(entry: ApiEntry, all: readonly ApiEntry[]): ApiPage {
  const linkOf = linksFor(entry, all)
  const groups = GROUPS.map(([title, kinds]) => ({
    title,
    found: entry.declarations.filter(({ kind }) => kinds.includes(kind)),
  })).filter(({ found }) => found.length > 0)
  const parts = groups.flatMap(({ title, found }) => [
    `<h2 id="${title.toLowerCase()}">${title}</h2>`,
    ...found.map(declaration => renderDeclaration(declaration, linkOf)),
  ])
  const notes = entry.notes.map(note => `<p>${renderWords(note)}</p>\n`)
  return {
    html: `<h1 id="top">${entry.name}</h1>\n${notes.join('')}${parts.join('\n')}`,
    headings: [
      { depth: 1, text: entry.name, anchor: 'top' },
      ...groups.flatMap(({ title, found }) => [
        { depth: 2, text: title, anchor: title.toLowerCase() },
        ...found.map(({ name }) => ({ depth: 3, text: name, anchor: anchorOf(name) })),
      ]),
    ],
  }
}

/** Headings of groups are in lower case, names of types are not: they cannot be the same. */
function anchorOf(name: string): string {
  return `name-${name}`
}

function linksFor(entry: ApiEntry, all: readonly ApiEntry[]): (name: string) => string | null {
  const own = entry.name.startsWith('@dagline/') ? '@dagline/core' : 'dagline'
  // A package has no two things of one name; of another package the names are looked up after its own.
  const near = [entry, ...all.filter(({ name }) => name.startsWith(own)), ...all]
  return name => {
    if (!/^[A-Z]/.test(name)) return null
    const found = near.find(({ declarations }) => declarations.some(each => each.name === name))
    if (found === undefined) return null
    return `${found === entry ? '' : found.page.replace('api/', '')}#${anchorOf(name)}`
  }
}

function renderDeclaration(
  { name, words, code }: Declaration,
  linkOf: (name: string) => string | null,
): string {
  const paragraphs = words
    .split(/\n\s*\n/)
    .filter(part => part.trim() !== '')
    .map(part =>
      part.startsWith('  ')
        ? codeBlock(highlight(part.replaceAll(/^ {2}/gm, ''), 'ts'))
        : `<p>${renderWords(part)}</p>`,
    )
  const linked = highlight(code, 'ts', each => (each === name ? null : linkOf(each)))
  return `<section class="api-name"><h3 id="${anchorOf(name)}">${name}<a class="anchor" href="#${anchorOf(name)}" aria-label="Link to ${name}">#</a></h3>
${paragraphs.join('\n')}
${codeBlock(linked)}</section>`
}
