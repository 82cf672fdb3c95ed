// Keeps the layers apart: no source file imports what the table of lib/import-rules.ts does not allow, no file of a folder
// is imported around its door, no folders import each other, and no files need each other to be loaded.
// `--print` prints the table as Markdown.
import { posix } from 'node:path'
import ts from 'typescript'
import { cyclesIn } from './lib/cycles.ts'
import { IMPORT_DEBT, IMPORT_RULES, type ImportRule, INNER_FILES, importTable } from './lib/import-rules.ts'
import { isPackageSource, lineOf, listFiles, parseSource, report, visitAll } from './lib/sources.ts'

interface Import {
  readonly name: string
  readonly line: number
  readonly typesOnly: boolean
}

if (process.argv.includes('--print')) console.log(importTable())
else checkAll()

function checkAll(): void {
  const files = listFiles(isPackageSource)
  const imports = new Map(files.map(path => [path, importsOf(path)]))
  const problems = [...imports].flatMap(([path, found]) => checkFile(path, found))
  report('check-imports', `${files.length} files`, [
    ...problems,
    ...folderCycles(imports),
    ...fileCycles(imports),
  ])
}

type Imports = ReadonlyMap<string, readonly Import[]>

/** Folders of one package that import each other, types included. */
function folderCycles(imports: Imports): string[] {
  const edges = [...imports].flatMap(([path, found]) =>
    found.flatMap(({ name }) =>
      name.startsWith('.') ? [[layerOf(path), targetOf(path, name)] as const] : [],
    ),
  )
  const between = edges.filter(([from, to]) => from !== to && from.includes('/') && to.includes('/'))
  return describeCycles(between, 'import each other')
}

/** Files that need each other to be loaded. Types are left out: they are gone by then. */
function fileCycles(imports: Imports): string[] {
  const edges = [...imports].flatMap(([path, found]) =>
    found
      .filter(({ name, typesOnly }) => name.startsWith('.') && !typesOnly)
      .map(({ name }) => [path, fileOf(imports, path, name)] as const),
  )
  return describeCycles(edges, 'need each other to be loaded')
}

function fileOf(imports: Imports, path: string, name: string): string {
  const stem = posix.join(posix.dirname(path), name).replace(/\.jsx?$|\.tsx?$/, '')
  return [`${stem}.ts`, `${stem}.tsx`].find(file => imports.has(file)) ?? stem
}

function describeCycles(edges: readonly (readonly [string, string])[], how: string): string[] {
  return cyclesIn(edges).map(cycle => `${cycle.join(', ')}: ${how}`)
}

function checkFile(path: string, imports: readonly Import[]): string[] {
  const from = layerOf(path)
  const rule = ruleFor(from)
  if (rule === undefined) return [`${path}: no rule for ${from} in scripts/lib/import-rules.ts`]
  return imports
    .filter(found => !isAllowed(path, rule, found) && !IMPORT_DEBT.includes(`${path} -> ${found.name}`))
    .map(found => `${path}:${found.line}: ${from} may not import ${describe(found)}`)
}

/** `packages/core/src/graph/forks/ladder.ts` is in `core/graph`, `packages/core/src/index.ts` in `core`. */
function layerOf(path: string): string {
  const [, name, , ...rest] = path.split('/')
  return rest.length > 1 ? `${name}/${rest[0]}` : `${name}`
}

function ruleFor(layer: string): ImportRule | undefined {
  const inPackage = layer.split('/')[0]
  const exact = IMPORT_RULES.find(rule => rule.from === layer)
  // A folder of core without a rule of its own is a fault: core is fenced folder by folder.
  if (exact !== undefined || inPackage === 'core') return exact
  return IMPORT_RULES.find(rule => rule.from === inPackage)
}

function isAllowed(path: string, rule: ImportRule, found: Import): boolean {
  const target = targetOf(path, found.name)
  if (isInner(path, found.name) && target !== rule.from) return false
  const only = rule.only?.[found.name]
  if (only !== undefined) return only === path
  if (isWithin(target, rule.from)) return true
  if (found.typesOnly && rule.types?.includes(target)) return true
  return rule.may.some(allowed => covers(allowed, target))
}

/** Whether a file is behind the door of its folder. */
function isInner(path: string, name: string): boolean {
  return name.startsWith('.') && INNER_FILES.includes(posix.join(posix.dirname(path), name))
}

/** The core's own root file sees its folders by its rule, not because they lie below it. */
function isWithin(target: string, from: string): boolean {
  return target === from || (from !== 'core' && target.startsWith(`${from}/`))
}

function covers(allowed: string, target: string): boolean {
  return allowed.endsWith('*') ? target.startsWith(allowed.slice(0, -1)) : target === allowed
}

function targetOf(path: string, name: string): string {
  if (name.startsWith('.')) return layerOf(posix.join(posix.dirname(path), name))
  // An entry point of a package (`@dagline/core/edit`) is part of it.
  if (name.startsWith('@dagline/')) return name.split('/')[1] ?? name
  if (name.startsWith('node:')) return name
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

function describe(found: Import): string {
  return found.typesOnly ? `types of ${found.name}` : found.name
}

function importsOf(path: string): Import[] {
  const found: Import[] = []
  visitAll(parseSource(path), node => {
    const name = moduleNameOf(node)
    if (name !== null) found.push({ name, line: lineOf(node), typesOnly: isTypesOnly(node) })
  })
  return found
}

function moduleNameOf(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier)
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : null
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return literal(node.arguments[0]) ?? '(computed)'
  }
  return null
}

function literal(node: ts.Node | undefined): string | null {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : null
}

function isTypesOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return false
  if (node.importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names = node.importClause.namedBindings
  if (names === undefined || !ts.isNamedImports(names) || node.importClause.name !== undefined) return false
  return names.elements.length > 0 && names.elements.every(element => element.isTypeOnly)
}
