/** Keeps texts from becoming markup: no source of the page uses what turns a string into elements or code. */
import ts from 'typescript'
import { type Checked, isPackageSource, lineOf, listFiles, parseSource, visitAll } from './lib/sources.ts'

/** Names that make elements or code of a text. */
const MAKERS: ReadonlySet<string> = new Set([
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'dangerouslySetInnerHTML',
  'createContextualFragment',
  'parseFromString',
  'setHTMLUnsafe',
  'srcdoc',
  'write',
  'writeln',
  'eval',
  'Function',
])
/** A stream or a clipboard is written to as well: only a document makes elements of it. */
const OF_DOCUMENT: ReadonlySet<string> = new Set(['write', 'writeln'])

export function checkMarkup(): Checked {
  const files = [...listFiles()].filter(path => isPackageSource(path) && path.startsWith('packages/web/'))
  return { checked: `${files.length} files`, faults: files.flatMap(checkFile) }
}

function checkFile(path: string): string[] {
  const found: string[] = []
  visitAll(parseSource(path), node => {
    const name = makerIn(node)
    if (name !== null) found.push(`${path}:${lineOf(node)}: ${name} makes markup or code of a text`)
  })
  return found
}

function makerIn(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) {
    const { text } = node.name
    const isOther = OF_DOCUMENT.has(text) && node.expression.getText() !== 'document'
    return MAKERS.has(text) && !isOther ? text : null
  }
  if (ts.isJsxAttribute(node)) return MAKERS.has(node.name.getText()) ? node.name.getText() : null
  const isMade = ts.isCallExpression(node) || ts.isNewExpression(node)
  if (!isMade || !ts.isIdentifier(node.expression)) return null
  return MAKERS.has(node.expression.text) ? node.expression.text : null
}
