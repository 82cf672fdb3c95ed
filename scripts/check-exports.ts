// Keeps exports honest: every name that a file exports is imported by another one. Names of the published packages are
// used by their users; docs and API reports list them (check-api.ts).
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { COMMAND, CORE, entryPoints } from './lib/bundle.ts'
import { isPackageSource, lineOf, listFiles, parseSource, ROOT, report, visitAll } from './lib/sources.ts'

/** A name of a file; `*` stands for all of its names. */
type Name = `${string}#${string}`

interface Exported {
  readonly path: string
  readonly name: string
  readonly line: number
}

const CODE = /^(packages|scripts|bench|lab|examples)\/.*\.tsx?$|^vitest\.[\w.]+\.ts$/

const files = listFiles(path => CODE.test(path)).map(parseSource)
const used = new Set<Name>(files.flatMap(usesOf))
const exported = files.filter(file => isPackageSource(file.fileName)).flatMap(exportsOf)
const published = new Set([CORE, COMMAND].flatMap(folder => Object.values(entryPoints(folder))))
const unused = exported
  .filter(isUnused)
  .map(({ path, name, line }) => `${path}:${line}: no other file imports ${name}`)
report('check-exports', `${exported.length} names of ${files.length} files`, unused)

function isUnused({ path, name }: Exported): boolean {
  return !published.has(path) && !used.has(`${path}#${name}`) && !used.has(`${path}#*`)
}

function exportsOf(file: ts.SourceFile): Exported[] {
  return file.statements.flatMap(statement => {
    const found = (name: string, node: ts.Node = statement): Exported => ({
      path: file.fileName,
      name,
      line: lineOf(node),
    })
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) return []
      return exportClause.elements.map(({ name }) => found(name.text, name))
    }
    if (!isExported(statement)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        namesIn(name).map(text => found(text, name)),
      )
    return 'name' in statement && statement.name !== undefined
      ? [found((statement.name as ts.Identifier).text)]
      : []
  })
}

function isExported(statement: ts.Statement): boolean {
  if (!ts.canHaveModifiers(statement)) return false
  return ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

/** What a file takes from others. A name that an index file passes on counts where it is taken from the index file. */
function usesOf(file: ts.SourceFile): Name[] {
  const uses: Name[] = []
  visitAll(file, node => {
    const specifier = specifierOf(node)
    const source = specifier === undefined ? null : resolve(file.fileName, specifier)
    if (source === null) return
    for (const name of namesTaken(node, file)) uses.push(`${source}#${name}`)
  })
  return uses
}

function specifierOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return node.argument.literal as ts.Expression
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0]
  return undefined
}

function namesTaken(node: ts.Node, file: ts.SourceFile): string[] {
  if (ts.isImportDeclaration(node)) return namesImported(node, file)
  if (ts.isExportDeclaration(node)) {
    const clause = node.exportClause
    if (clause === undefined || !ts.isNamedExports(clause)) return ['*']
    return clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
  }
  if (ts.isImportTypeNode(node))
    return [node.qualifier === undefined ? '*' : (node.qualifier.getText().split('.')[0] ?? '*')]
  return namesLoaded(node)
}

function namesImported({ importClause }: ts.ImportDeclaration, file: ts.SourceFile): string[] {
  const bindings = importClause?.namedBindings
  if (bindings === undefined) return []
  if (ts.isNamedImports(bindings))
    return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
  return namesBelow(bindings.name.text, file)
}

/** `t.kinds` of `import * as t`: the names that are asked for; all where the whole module is handed on. */
function namesBelow(space: string, file: ts.SourceFile): string[] {
  const names: string[] = []
  visitAll(file, node => {
    if (!ts.isIdentifier(node) || node.text !== space || ts.isNamespaceImport(node.parent)) return
    const { parent } = node
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) names.push(parent.name.text)
    else if (ts.isQualifiedName(parent) && parent.left === node) names.push(parent.right.text)
    else if (!ts.isPropertyAccessExpression(parent) && !ts.isPropertyAssignment(parent)) names.push('*')
  })
  return names
}

/** `(await import('./x.js')).name`, `const { name } = await import('./x.js')`; all where it is used in other ways. */
function namesLoaded(call: ts.Node): string[] {
  let node = call.parent
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent
  if (ts.isPropertyAccessExpression(node) && node.name.text !== 'then') return [node.name.text]
  return ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) ? keysOf(node.name) : ['*']
}

function keysOf(pattern: ts.ObjectBindingPattern): string[] {
  return pattern.elements.map(({ name, propertyName }) => (propertyName ?? name).getText())
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap(element => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)))
}

/** The file that an import names; null for what comes from outside of the repository. */
function resolve(path: string, specifier: ts.Expression | undefined): string | null {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return null
  const own = /^@dagline\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier.text)
  if (own !== null) return ['packages', own[1], 'src', ...(own[2] ? [own[2]] : []), 'index.ts'].join('/')
  if (!specifier.text.startsWith('.')) return null
  const base = posix.join(posix.dirname(path), specifier.text)
  const candidates = [base, base.replace(/\.js$/, '.ts'), base.replace(/\.js$/, '.tsx')]
  return candidates.find(candidate => existsSync(join(ROOT, candidate))) ?? null
}
