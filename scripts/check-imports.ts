/**
 * Keeps the layers apart: no source file imports what the table of lib/import-rules.ts does not allow, no file of a folder
 * is imported past its door, no folders import each other, and no files need each other to be loaded. Every name that a
 * file exports is imported by another one; names of the published packages are for their users (check-api.ts).
 */
import { posix } from 'node:path'
import ts from 'typescript'
import { COMMAND, CORE, entryPoints } from './lib/bundle.ts'
import { IMPORT_RULES, type ImportRule, INNER_FILES, ONLY } from './lib/import-rules.ts'
import { type Import, importsOf } from './lib/imports.ts'
import { type Checked, isPackageSource, lineOf, listFiles, parseSource } from './lib/sources.ts'

const CODE = /^(packages|scripts|bench|lab|examples|test|conformance)\/.*\.tsx?$|^vitest\.[\w.]+\.ts$/

type Edge = readonly [from: string, to: string]

export function checkImports(): Checked {
  const code = [...listFiles()].filter(path => CODE.test(path))
  const imports = new Map(code.map(path => [path, importsOf(path)]))
  const sources = code.filter(isPackageSource)
  const all = sources.flatMap(path => (imports.get(path) ?? []).map(found => ({ path, ...found })))
  const folders = all
    .filter(({ name }) => name.startsWith('.'))
    .map(({ path, name }): Edge => [layerOf(path), layerOfModule(path, name)])
    .filter(([from, to]) => from !== to && from.includes('/') && to.includes('/'))
  const files = all.flatMap(({ path, target, isTypeOnly }): Edge[] =>
    target === null || isTypeOnly ? [] : [[path, target]],
  )
  const exported = sources.flatMap(exportsOf)
  return {
    checked: `${sources.length} files, ${exported.length} exported names`,
    faults: [
      ...sources.flatMap(path => forbidden(path, imports.get(path) ?? [])),
      ...cycles(folders, 'import each other'),
      ...cycles(files, 'need each other to be loaded'),
      ...unused(exported, [...imports.values()].flat()),
    ],
  }
}

/** Removes edges that begin or end a path until none is left but those of cycles and between them. */
function cycles(edges: readonly Edge[], how: string): string[] {
  let left = edges
  for (;;) {
    const [from, to] = [new Set(left.map(([start]) => start)), new Set(left.map(([, end]) => end))]
    const kept = left.filter(([start, end]) => to.has(start) && from.has(end))
    if (kept.length === 0) return []
    if (kept.length === left.length) return [`${[...from].sort().join(', ')}: ${how}`]
    left = kept
  }
}

function forbidden(path: string, imports: readonly Import[]): string[] {
  const from = layerOf(path)
  const rule = ruleFor(from)
  if (rule === undefined) return [`${path}: no rule for ${from} in scripts/lib/import-rules.ts`]
  return imports
    .filter(found => !isAllowed(path, rule, found))
    .map(({ name, line, isTypeOnly }) => {
      const what = isTypeOnly ? `types of ${name}` : name
      return `${path}:${line}: ${from} may not import ${what}`
    })
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

function isAllowed(path: string, rule: ImportRule, { name, isTypeOnly }: Import): boolean {
  const target = layerOfModule(path, name)
  if (isInner(path, name) && target !== rule.from) return false
  const only = ONLY[name]
  if (only !== undefined) return only === path
  if (isWithin(target, rule.from)) return true
  if (isTypeOnly && rule.types?.includes(target)) return true
  return rule.may.some(allowed =>
    allowed.endsWith('*') ? target.startsWith(allowed.slice(0, -1)) : target === allowed,
  )
}

/** Whether a file is behind the door of its folder. */
function isInner(path: string, name: string): boolean {
  return name.startsWith('.') && INNER_FILES.includes(posix.join(posix.dirname(path), name))
}

/** The core's own root file sees its folders by its rule, not because they lie below it. */
function isWithin(target: string, from: string): boolean {
  return target === from || (from !== 'core' && target.startsWith(`${from}/`))
}

function layerOfModule(path: string, name: string): string {
  if (name.startsWith('.')) return layerOf(posix.join(posix.dirname(path), name))
  const [scope = '', inScope = ''] = name.split('/')
  // An entry point of a package (`@dagline/core/edit`) is part of it.
  if (scope === '@dagline') return inScope
  if (name.startsWith('node:')) return name
  return name.startsWith('@') ? `${scope}/${inScope}` : scope
}

interface Exported {
  readonly path: string
  readonly name: string
  readonly line: number
}

/** Exported names that no other file imports. A name that an index file passes on is used where others import it. */
function unused(exported: readonly Exported[], imports: readonly Import[]): string[] {
  const used = new Set(imports.flatMap(({ target, names }) => names.map(name => `${target}#${name}`)))
  const published = new Set([CORE, COMMAND].flatMap(folder => Object.values(entryPoints(folder))))
  return exported
    .filter(
      ({ path, name }) => !(published.has(path) || used.has(`${path}#${name}`) || used.has(`${path}#*`)),
    )
    .map(({ path, name, line }) => `${path}:${line}: no other file imports ${name}`)
}

function exportsOf(path: string): Exported[] {
  return parseSource(path)
    .statements.flatMap(exportedNames)
    .map(name => ({ path, name: name.text, line: lineOf(name) }))
}

function exportedNames(statement: ts.Statement): readonly (ts.Identifier | ts.StringLiteral)[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return []
    return exportClause.elements.map(({ name }) => name)
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
  return 'name' in statement && statement.name !== undefined ? [statement.name as ts.Identifier] : []
}

function namesIn(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name]
  return name.elements.flatMap(element => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)))
}
