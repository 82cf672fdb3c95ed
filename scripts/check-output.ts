/** Keeps control characters from the terminal: one file of the command cleans what is printed, and no other prints. */
import ts from 'typescript'
import { type Checked, isPackageSource, lineOf, listFiles, parseSource, visitAll } from './lib/sources.ts'

const WRITER = 'packages/cli/src/output.ts'
/** What others may ask of a stream. */
const ASKED: ReadonlySet<string> = new Set(['isTTY', 'columns', 'on', 'once'])
/** Methods of the global console that print; commands have a console of their own, with other methods. */
const PRINTING: ReadonlySet<string> = new Set(
  'assert count debug dir dirxml error group info log table timeEnd timeLog trace warn'.split(' '),
)

const STREAM = /\bstd(?:out|err)\b/

export function checkOutput(): Checked {
  const files = [...listFiles()].filter(
    path => isPackageSource(path) && !/^packages\/(?:web|testkit)\//.test(path) && path !== WRITER,
  )
  return { checked: `${files.length} files`, faults: files.flatMap(checkFile) }
}

function checkFile(path: string): string[] {
  const found: string[] = []
  visitAll(parseSource(path), node => {
    if (isPrinting(node))
      found.push(`${path}:${lineOf(node)}: ${node.getText()} prints, which only ${WRITER} may do`)
  })
  return found
}

/** `process.stdout` other than to ask it something, `process` as a whole, or a method such as `console.log`. */
function isPrinting(node: ts.Node): boolean {
  if (ts.isIdentifier(node) && node.text === 'process') return !isMember(node)
  if (!ts.isPropertyAccessExpression(node)) return false
  const { expression, name, parent } = node
  if (expression.getText() === 'console') return PRINTING.has(name.text)
  if (expression.getText() !== 'process' || !STREAM.test(name.text)) return false
  return !(ts.isPropertyAccessExpression(parent) && parent.expression === node && ASKED.has(parent.name.text))
}

/** `process.x`, or some members by their names that are not streams. */
function isMember({ parent }: ts.Identifier): boolean {
  if (ts.isVariableDeclaration(parent))
    return /^\{[^.]*\}$/.test(parent.name.getText()) && !STREAM.test(parent.name.getText())
  return ts.isPropertyAccessExpression(parent) || ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)
}
