// Keeps the public surface of the published packages in view: api.md beside each package.json lists every public name
// with its declaration, docs/JSON.md and schema.json every field of JSON output, and both change in the same commit as the
// code. `--write` renews them. Needs what `tsc -b` wrote.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { COMMAND, CORE, entryPoints } from './lib/bundle.ts'
import { jsonPage, schemaFile } from './lib/json-pages.ts'
import { readSchemas } from './lib/json-schema.ts'
import { ROOT, report } from './lib/sources.ts'

/** More names than this in the root of a package are too many to learn. */
const ROOT_NAMES = 120

/** What only dagline itself gives to a host: no program names these types. */
const INTERNAL: ReadonlySet<string> = new Set(['KnownFiles', 'FoundRoot', 'PushedFiles'])

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly default?: string }>>
}

/** An entry point of a package with its public names. */
interface Entry {
  /** As it is imported: `@dagline/core/edit`. */
  readonly name: string
  /** The entry point of the other package whose names it has; null where it has names of its own. */
  readonly mirrored: string | null
  readonly symbols: readonly ts.Symbol[]
}

const declarations = (folder: string): string[] => Object.values(entryPoints(folder)).map(declarationFile)
const OUTPUTS = `${COMMAND}/src/json/outputs.ts`
const program = ts.createProgram([...[CORE, COMMAND].flatMap(declarations), declarationFile(OUTPUTS)], {
  target: ts.ScriptTarget.Latest,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  paths: {
    '@dagline/core/*': [join(ROOT, 'packages/core/dist/tsc/*/index.d.ts')],
    '@dagline/app/*': [join(ROOT, 'packages/app/dist/*/index.d.ts')],
    '@dagline/*': [join(ROOT, 'packages/*/dist/tsc/index.d.ts'), join(ROOT, 'packages/*/dist/index.d.ts')],
  },
})
const checker = program.getTypeChecker()
const printer = ts.createPrinter({ removeComments: false })

const faults = [...[CORE, COMMAND].flatMap(checkPackage), ...checkOutputs()]
report('check-api', { checked: 'public names of 2 packages, fields of JSON output', faults })

function checkPackage(folder: string): string[] {
  const { name, exports }: Manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const subpathOf = (entry: string): string =>
    Object.entries(exports).find(
      ([, { default: file }]) => file !== undefined && basename(file, '.js') === entry,
    )?.[0] ?? '.'
  const entries = Object.entries(entryPoints(folder)).map(([entry, source]) =>
    readEntry(name + subpathOf(entry).slice(1), source),
  )
  const [root] = entries.filter(entry => entry.name === name)
  const count = root?.symbols.length ?? 0
  return [
    ...freshness(`${folder}/api.md`, apiReport(name, entries)),
    ...(count > ROOT_NAMES ? [`${name}: ${count} names in the root, at most ${ROOT_NAMES}`] : []),
    ...entries.flatMap(undocumented),
    ...ambiguous(entries),
    ...nameless(name, entries),
  ]
}

/** The outputs of commands: their fields for readers, and as a JSON Schema for programs. */
function checkOutputs(): string[] {
  const type = exportsOf(OUTPUTS).find(({ name }) => name === 'Outputs')
  if (type === undefined) throw new Error(`${OUTPUTS} has no Outputs`)
  const schemas = readSchemas(checker, checker.getDeclaredTypeOfSymbol(type))
  return [
    ...freshness('docs/JSON.md', jsonPage(schemas)),
    ...freshness(`${COMMAND}/schema.json`, schemaFile(schemas)),
    ...schemas.undocumented.map(field => `${field} has no doc comment`),
  ]
}

function exportsOf(source: string): ts.Symbol[] {
  const file = program.getSourceFile(declarationFile(source))
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${declarationFile(source)} is missing: run npm run types`)
  return checker.getExportsOfModule(module)
}

function readEntry(name: string, source: string): Entry {
  const file = program.getSourceFile(declarationFile(source))
  const symbols = exportsOf(source).sort((a, b) => (a.name < b.name ? -1 : 1))
  const mirrored = /^export \* from '(@dagline\/core.*)';$/m.exec(file?.text ?? '')?.[1] ?? null
  return { name, mirrored, symbols }
}

function declarationFile(source: string): string {
  return join(ROOT, source.replace('/src/', '/dist/tsc/').replace(/\.ts$/, '.d.ts'))
}

function apiReport(name: string, entries: readonly Entry[]): string {
  const head = `# Public names of ${name}\n\nGenerated from the types by \`node scripts/check-api.ts --write\`.`
  return `${[head, ...entries.map(section)].join('\n\n')}\n`
}

function section({ name, mirrored, symbols }: Entry): string {
  if (mirrored !== null) return `## ${name}\n\nThe ${symbols.length} names of ${mirrored}.`
  if (name === 'dagline/json')
    return `## ${name}\n\n${symbols.length} names: the types of what docs/JSON.md lists.`
  const texts = [...symbols.filter(isValue), ...symbols.filter(symbol => !isValue(symbol))].flatMap(symbol =>
    (resolve(symbol).declarations ?? []).map(print),
  )
  return `## ${name}\n\n${symbols.length} names.\n\n\`\`\`ts\n${texts.join('\n\n')}\n\`\`\``
}

/** Functions, classes and constants come before the types that they use. */
function isValue(symbol: ts.Symbol): boolean {
  return (resolve(symbol).flags & ts.SymbolFlags.Value) !== 0
}

function resolve(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function print(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const text = printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
  return text.replace(/^export (declare )?/m, '').replaceAll(/^ {4}(#private|private .*);\n/gm, '')
}

function freshness(path: string, text: string): string[] {
  const full = join(ROOT, path)
  if (existsSync(full) && readFileSync(full, 'utf8') === text) return []
  if (!process.argv.includes('--write')) return [`${path}: stale; run node scripts/check-api.ts --write`]
  writeFileSync(full, text)
  return []
}

function undocumented({ name, mirrored, symbols }: Entry): string[] {
  if (mirrored !== null) return []
  return symbols
    .filter(symbol => resolve(symbol).getDocumentationComment(checker).length === 0)
    .map(symbol => `${name}: ${symbol.name} has no doc comment`)
}

/** Names that two entry points of a package use for different things. */
function ambiguous(entries: readonly Entry[]): string[] {
  const known = new Map<string, ts.Symbol>()
  return entries.flatMap(entry =>
    entry.symbols.flatMap(symbol => {
      const other = known.get(symbol.name) ?? resolve(symbol)
      known.set(symbol.name, other)
      return other === resolve(symbol) ? [] : [`${entry.name}: ${symbol.name} is something else elsewhere`]
    }),
  )
}

/**
 * Types that public names use and that cannot be imported. A program that returns one from a function of its own could not
 * write down its type, and gets no declaration file (TS4023).
 */
function nameless(name: string, entries: readonly Entry[]): string[] {
  const seen = new Set(entries.flatMap(({ symbols }) => symbols.map(resolve)))
  const faults: string[] = []
  const waiting = [...seen]
  for (let user = waiting.pop(); user !== undefined; user = waiting.pop())
    for (const used of typesNamedBy(user)) {
      if (seen.has(used) || INTERNAL.has(used.name)) continue
      seen.add(used)
      waiting.push(used)
      faults.push(`${name}: ${used.name}, which ${user.name} uses, has no public name`)
    }
  return faults
}

/** The types of this repository that the declarations of a symbol name. */
function typesNamedBy(symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = []
  const visit = (node: ts.Node): void => {
    const type = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : null
    const named = type === null ? undefined : checker.getSymbolAtLocation(type)
    if (named !== undefined && isOurs(resolve(named))) found.push(resolve(named))
    ts.forEachChild(node, visit)
  }
  symbol.declarations?.forEach(visit)
  return found
}

function isOurs(symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? ''
  const isParameter = (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0
  return !isParameter && file.startsWith(join(ROOT, 'packages')) && !file.includes('node_modules')
}
