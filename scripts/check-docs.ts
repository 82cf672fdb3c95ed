// Keeps the documents honest: relative links and their anchors lead somewhere, generated parts are fresh, and paths and
// functions that CONTRIBUTING.md and docs/ARCHITECTURE.md name exist.
// A generated part stands between `<!-- generated: NAME -->` and `<!-- /generated -->`; `--write` renews all of them.
import { existsSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { slugOf } from './lib/anchors.ts'
import { resultTables } from './lib/conformance.ts'
import { generateParts } from './lib/generated.ts'
import { importTable } from './lib/import-rules.ts'
import { listFiles, ROOT, readText, report } from './lib/sources.ts'

const { help, picture, shapes, tables, queries, engines } = await generateParts()

/**
 * Parts of documents by name: the table of imports for docs/ARCHITECTURE.md, the help for docs/CLI.md, the picture
 * for README.md, the tables for docs/TABLES.md, the results for docs/CONFORMANCE.md;
 * `example:FILE` is a file of examples/ for docs/API.md, `engine:NAME` statements for docs/ENGINES.md, `shape:NAME` a picture for conformance/SHAPES.md.
 */
const GENERATORS: Readonly<Record<string, () => string>> = {
  imports: importTable,
  cli: () => help,
  picture: () => picture,
  tables: () => tables,
  conformance: resultTables,
  queries: () => queries,
}

const GENERATED = /<!-- generated: ([\w:.-]+) -->\n[\s\S]*?<!-- \/generated -->/g

/** Documents that lead to the sources. */
const MAPS: ReadonlySet<string> = new Set(['CONTRIBUTING.md', 'docs/ARCHITECTURE.md'])

const documents = [...listFiles()].filter(path => path.endsWith('.md'))
if (process.argv.includes('--write')) documents.forEach(renew)
report('check-docs', { checked: `${documents.length} documents`, faults: documents.flatMap(checkDocument) })

function renew(path: string): void {
  const text = readText(path)
  const fresh = regenerate(text)
  if (fresh !== text) writeFileSync(join(ROOT, path), fresh)
}

function regenerate(text: string): string {
  return text.replace(GENERATED, (old, name: string) => {
    const generate = generatorOf(name)
    if (generate === undefined) return old
    return `<!-- generated: ${name} -->\n${generate()}\n<!-- /generated -->`
  })
}

function generatorOf(name: string): (() => string) | undefined {
  const shape = shapes.get(name.replace(/^shape:/, ''))
  if (shape !== undefined) return () => shape
  const setup = engines.get(name.replace(/^engine:/, ''))
  if (setup !== undefined) return () => setup
  const file = /^example:([\w-]+\.(?:ts|txt))$/.exec(name)?.[1]
  if (file === undefined) return GENERATORS[name]
  return existsSync(join(ROOT, 'examples', file)) ? () => exampleBlock(file) : undefined
}

function exampleBlock(file: string): string {
  const language = file.endsWith('.ts') ? 'ts' : 'text'
  return `\`\`\`${language}\n${readText(`examples/${file}`).trim()}\n\`\`\``
}

function checkDocument(path: string): string[] {
  const text = readText(path)
  const stale = regenerate(text) === text ? [] : [`${path}: stale; run node scripts/check-docs.ts --write`]
  const unknown = [...text.matchAll(GENERATED)]
    .filter(part => generatorOf(part[1] ?? '') === undefined)
    .map(part => `${path}: nothing generates ${part[1]}`)
  const named = MAPS.has(path)
    ? [...missingPaths(path, text), ...missingFunctions(path, text), ...missingFiles(path, text)]
    : []
  return [...stale, ...unknown, ...brokenLinks(path, text), ...named]
}

/** Files and folders in backticks, from the root of the repository, or by package and folder: `app/graphs`. */
function missingPaths(path: string, text: string): string[] {
  const found = text.matchAll(
    /`((?:packages|scripts|docs|lab|bench|fixtures|examples|core|store|app|server|cli|web)\/[\w./-]+)`/g,
  )
  return [...found]
    .map(([, named = '']) =>
      named.replace(/^(core|store|app|server|cli|web)\/(?:src\/)?/, 'packages/$1/src/'),
    )
    .filter(named => !existsSync(join(ROOT, named)))
    .map(named => `${path}: ${named} does not exist`)
}

/** Rows of a table that begin with a folder: the files and folders that they name are in it. */
function missingFiles(path: string, text: string): string[] {
  const rows = text.matchAll(/^\| `([\w./-]+)` \|(.*)$/gm)
  return [...rows]
    .filter(([, folder = '']) => existsSync(join(ROOT, folder)))
    .flatMap(([, folder = '', rest = '']) =>
      [...rest.matchAll(/`([\w-]+(?:\.tsx?|\/))`/g)]
        .filter(([, name = '']) => !existsSync(join(ROOT, folder, name)))
        .map(([, name]) => `${path}: ${folder} has no ${name}`),
    )
}

/** "`walkSession` in `packages/core/src/view/walk.ts`": the file declares the function. */
function missingFunctions(path: string, text: string): string[] {
  const found = text.matchAll(/`(\w+)` in `(packages\/[\w./-]+\.tsx?)`/g)
  return [...found].flatMap(([, name = '', file = '']) => {
    if (!existsSync(join(ROOT, file))) return []
    const declares = new RegExp(`(?:function\\*? |const |class |readonly )${name}\\b`)
    return declares.test(readText(file)) ? [] : [`${path}: ${file} declares no ${name}`]
  })
}

function brokenLinks(path: string, text: string): string[] {
  return linksOf(text)
    .filter(link => !/^[a-z][a-z0-9+.-]*:/i.test(link))
    .flatMap(link => {
      const [file = '', anchor = ''] = decodeURI(link).split('#', 2)
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (!existsSync(join(ROOT, target))) return [`${path}: link to ${link} leads nowhere`]
      if (anchor === '' || !target.endsWith('.md') || anchorsOf(target).has(anchor)) return []
      return [`${path}: link to ${link}: ${target} has no such heading`]
    })
}

/** Targets of `[text](target)` and `[label]: target`, code left out. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '``')
  const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+["'][^)]*)?\)/g)
  const labelled = prose.matchAll(/^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?\s*$/gm)
  return [...inline, ...labelled].map(match => match[1] ?? '')
}

/** Anchors that GitHub gives to headings: lower case, punctuation dropped, blanks to `-`, repeats numbered. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>()
  const text = readText(path)
  const headings = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#+\s+(.*?)\s*#*$/gm)
  for (const heading of headings) {
    const slug = slugOf(heading[1] ?? '')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  for (const match of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(match[1] ?? '')
  return anchors
}
