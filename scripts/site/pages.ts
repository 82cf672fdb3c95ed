/** The pages of the site: which documents there are, where each goes, and how they are grouped. */
import { posix } from 'node:path'
import { listFiles } from '../lib/sources.ts'

/** The repository, for what has no page of its own. */
const REPOSITORY = 'https://github.com/dagline/dagline'

/** Documents by group, in the order of the menu. */
const MENU: readonly (readonly [group: string, documents: readonly string[]])[] = [
  ['Start', ['README.md']],
  [
    'Use',
    [
      'docs/CLI.md',
      'docs/CLAUDE-CODE.md',
      'docs/TABLES.md',
      'docs/ENGINES.md',
      'docs/JSON.md',
      'docs/CI.md',
      'docs/HUB.md',
      'docs/REWINDS.md',
      'docs/LIMITS.md',
      'docs/PLATFORMS.md',
    ],
  ],
  ['Library', ['docs/API.md', 'examples/README.md']],
  ['Conformance', ['docs/CONFORMANCE.md', 'conformance/SHAPES.md', 'conformance/README.md']],
  [
    'Inside',
    ['docs/SPEC.md', 'docs/FORMAT.md', 'docs/ARCHITECTURE.md', 'docs/PERFORMANCE.md', 'docs/LAB.md'],
  ],
  ['Project', ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']],
]

/** A group of the menu. */
export interface MenuGroup {
  readonly name: string
  readonly documents: readonly string[]
}

/** All documents, by their path in the repository, with the page that each becomes. */
export const DOCUMENT_PAGES: ReadonlyMap<string, string> = new Map(
  [...listFiles()]
    .filter(path => /^(?:docs\/(?:adr\/)?[\w-]+|examples\/README|conformance\/[A-Z]+|[A-Z]+)\.md$/.test(path))
    .map(path => [path, pageOf(path)]),
)

function pageOf(path: string): string {
  if (path === 'README.md') return 'index.html'
  if (path === 'examples/README.md') return 'examples.html'
  if (path === 'conformance/README.md') return 'scorer.html'
  const name = path.replace(/^(?:docs|conformance)\//, '').replace(/README\.md$/, 'index.md')
  return name.toLowerCase().replace(/\.md$/, '.html')
}

/** The menu. A document in docs/ that no group names is in the group for what is inside; decisions have a list of their own. */
export function menuGroups(): readonly MenuGroup[] {
  const named = new Set(MENU.flatMap(([, documents]) => documents))
  const others = [...DOCUMENT_PAGES.keys()].filter(
    path => !named.has(path) && /^docs\/[\w-]+\.md$|^docs\/adr\/README\.md$/.test(path),
  )
  return MENU.map(([name, documents]) => ({
    name,
    documents: [...documents, ...(name === 'Inside' ? others : [])].filter(path => DOCUMENT_PAGES.has(path)),
  }))
}

/** Where a link of a document leads, seen from its own page: to a page, a picture, or the repository. */
export function linkFrom(
  document: string,
  page: string,
  apiPages: ReadonlyMap<string, string>,
): (target: string) => string {
  return target => {
    if (/^[a-z][a-z0-9+.-]*:|^#/i.test(target)) return target
    const [path = '', anchor] = target.split('#', 2)
    const file = posix.join(posix.dirname(document), decodeURI(path))
    const found =
      DOCUMENT_PAGES.get(file) ??
      apiPages.get(file) ??
      (file.startsWith('docs/images/') ? file.slice(5) : null)
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (found !== null && found !== undefined) return relativeTo(page, found) + hash
    const kind = /\.\w+$/.test(file) ? 'blob' : 'tree'
    return `${REPOSITORY}/${kind}/main/${file}${hash}`
  }
}

/** The address of a file of the site, seen from a page of it. */
export function relativeTo(page: string, target: string): string {
  return posix.relative(posix.dirname(page), target) || posix.basename(target)
}
