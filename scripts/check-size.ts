// Keeps files, functions and parameter lists small. `--list` prints the longest functions.
import ts from 'typescript'
import { isPackageSource, isTest, lineOf, listFiles, parseSource, report, visitAll } from './lib/sources.ts'

const CORE_FILE_LINES = 600
const CORE_FUNCTION_LINES = 60
const FUNCTION_LINES = 80
const COMPONENT_LINES = 150
const PARAMETERS = 4

interface Sized {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly lines: number
  readonly parameters: number
}

const paths = listFiles(
  path => isPackageSource(path) || (/^(scripts|bench)\/.*\.ts$/.test(path) && !isTest(path)),
)
const functions = paths.flatMap(functionsOf)
if (process.argv.includes('--list')) printLongest()
report('check-size', `${paths.length} files, ${functions.length} functions`, [
  ...paths.flatMap(checkFile),
  ...functions.flatMap(checkFunction),
])

function checkFile(path: string): string[] {
  const lines = parseSource(path).getLineStarts().length - 1
  return isCore(path) && lines > CORE_FILE_LINES
    ? [`${path}: ${lines} lines, at most ${CORE_FILE_LINES}`]
    : []
}

function checkFunction(found: Sized): string[] {
  const limit = functionLimit(found.path)
  const at = `${found.path}:${found.line}: ${found.name}`
  const faults: string[] = []
  if (found.lines > limit) faults.push(`${at} has ${found.lines} lines, at most ${limit}`)
  if (found.parameters > PARAMETERS) {
    faults.push(`${at} has ${found.parameters} parameters, at most ${PARAMETERS}: take an options object`)
  }
  return faults
}

function functionLimit(path: string): number {
  if (isCore(path)) return CORE_FUNCTION_LINES
  return path.endsWith('.tsx') ? COMPONENT_LINES : FUNCTION_LINES
}

function isCore(path: string): boolean {
  return path.startsWith('packages/core/')
}

function functionsOf(path: string): Sized[] {
  const found: Sized[] = []
  visitAll(parseSource(path), node => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) found.push(measure(path, node))
  })
  return found
}

function measure(path: string, node: ts.SignatureDeclaration): Sized {
  const file = node.getSourceFile()
  const last = file.getLineAndCharacterOfPosition(node.end).line + 1
  const line = lineOf(node)
  // A `this` type is written like a parameter and is none.
  const parameters = node.parameters.filter(parameter => parameter.name.getText() !== 'this').length
  return { path, name: nameOf(node), line, lines: last - line + 1, parameters }
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText()
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : 'a function'
}

function printLongest(): void {
  const longest = [...functions].sort((a, b) => b.lines - a.lines).slice(0, 20)
  for (const { lines, path, line, name } of longest) console.log(`${lines}\t${path}:${line}\t${name}`)
}
