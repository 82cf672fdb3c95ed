/** What files import: from where, which names, and whether only their types. */
import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, listFiles, parseSource, visitAll } from './sources.ts'

export interface Import {
  /** The module as it is written; `(computed)` where it is only known at run time. */
  readonly name: string
  /** The file of this repository that is imported; null for a module from outside. */
  readonly target: string | null
  readonly line: number
  readonly isTypeOnly: boolean
  /** The imported names; `*` stands for all names of the module. */
  readonly names: readonly string[]
}

/** All imports of a file, also `export ... from`, `import()` and types by `import('...')`. */
export function importsOf(path: string): readonly Import[] {
  const found: Import[] = []
  visitAll(parseSource(path), node => {
    const name = moduleOf(node)
    if (name === null) return
    const names = importedNames(node)
    found.push({
      name,
      target: targetOf(path, name),
      line: lineOf(node),
      isTypeOnly: isTypeOnly(node),
      names,
    })
  })
  return found
}

function moduleOf(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier)
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : null
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return literal(node.arguments[0]) ?? '(computed)'
  return null
}

function literal(node: ts.Node | undefined): string | null {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : null
}

function targetOf(path: string, name: string): string | null {
  const own = /^@dagline\/([\w-]+)(\/[\w-]+)?$/.exec(name)
  if (own !== null) return `packages/${own[1]}/src${own[2] ?? ''}/index.ts`
  if (!name.startsWith('.')) return null
  const file = posix.join(posix.dirname(path), name)
  const candidates = [file, file.replace(/\.js$/, '.ts'), file.replace(/\.js$/, '.tsx')]
  const all = listFiles()
  return candidates.find(candidate => all.has(candidate)) ?? null
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  if (!ts.isImportDeclaration(node) || node.importClause === undefined) return false
  const { phaseModifier, namedBindings, name } = node.importClause
  if (phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  if (namedBindings === undefined || !ts.isNamedImports(namedBindings) || name !== undefined) return false
  const { elements } = namedBindings
  return elements.length > 0 && elements.every(element => element.isTypeOnly)
}

function importedNames(node: ts.Node): readonly string[] {
  if (ts.isImportDeclaration(node)) {
    const bindings = node.importClause?.namedBindings
    if (bindings === undefined) return []
    return ts.isNamedImports(bindings) ? bindings.elements.map(originalName) : namesOfSpace(bindings)
  }
  if (ts.isExportDeclaration(node)) {
    const clause = node.exportClause
    return clause !== undefined && ts.isNamedExports(clause) ? clause.elements.map(originalName) : ['*']
  }
  if (ts.isImportTypeNode(node)) return [node.qualifier?.getText().split('.')[0] ?? '*']
  return loadedNames(node)
}

function originalName({
  name,
  propertyName,
}: ts.ImportSpecifier | ts.ExportSpecifier | ts.BindingElement): string {
  return (propertyName ?? name).getText()
}

/** The `kinds` of `t.kinds`, where `t` is imported by `import * as t`; `*` where the whole module is passed on. */
function namesOfSpace(space: ts.NamespaceImport): string[] {
  const names: string[] = []
  visitAll(space.getSourceFile(), node => {
    if (!ts.isIdentifier(node) || node.text !== space.name.text || node === space.name) return
    const { parent } = node
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) names.push(parent.name.text)
    else if (ts.isQualifiedName(parent) && parent.left === node) names.push(parent.right.text)
    else if (!ts.isPropertyAccessExpression(parent) && !ts.isPropertyAssignment(parent)) names.push('*')
  })
  return names
}

/** The `name` of `(await import('./x.js')).name` and `const { name } = await import('./x.js')`; else `*`. */
function loadedNames(call: ts.Node): string[] {
  let node = call.parent
  while (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) node = node.parent
  if (ts.isPropertyAccessExpression(node) && node.name.text !== 'then') return [node.name.text]
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return ['*']
  return node.name.elements.map(originalName)
}
