// Ties docs/SPEC.md to the tests: every rule is named by a test, every rule that a test names exists. And to the
// sources: every diagnostic they can give is listed, every listed one can be given.
// Rules under a heading `Later` need no test yet. `--list` prints the number of tests for each rule.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import {
  isPackageSource,
  isTest,
  lineOf,
  listFiles,
  parseSource,
  ROOT,
  readText,
  report,
  visitAll,
} from './lib/sources.ts'

const SPEC = 'docs/SPEC.md'
const TEST_WORDS = new Set(['it', 'test', 'describe'])
const NOT_RUN = new Set(['skip', 'todo'])

interface Rule {
  readonly id: string
  readonly line: number
  readonly later: boolean
}

interface Citation {
  readonly id: string
  readonly at: string
}

if (existsSync(join(ROOT, SPEC))) checkSpec()
else console.log(`check-spec: skipped (no ${SPEC})`)

function checkSpec(): void {
  const rules = declaredRules(readText(SPEC))
  const citations = listFiles(isTest).flatMap(citationsOf)
  if (process.argv.includes('--list')) printCounts(rules, citations)
  const listed = listedDiagnostics(readText(SPEC))
  const given = listFiles(isPackageSource).flatMap(diagnosticsIn)
  const checked = `${rules.length} rules, ${citations.length} citations, ${listed.length} diagnostics`
  report('check-spec', checked, [
    ...repeated(rules),
    ...untested(rules, citations),
    ...unknown(rules, citations),
    ...repeated(listed),
    ...unlisted(listed, given),
    ...neverGiven(listed, given),
  ])
}

type Listed = Pick<Rule, 'id' | 'line'>

/** Diagnostics are list items that begin with their name: "- `dag/orphan` ...". */
function listedDiagnostics(text: string): Listed[] {
  return text.split('\n').flatMap((line, index) => {
    const id = /^- `((?:parse|dag|store)\/[a-z0-9-]+)`/.exec(line)?.[1]
    return id === undefined ? [] : [{ id, line: index + 1 }]
  })
}

/** Names of diagnostics among the strings of a source file. */
function diagnosticsIn(path: string): Citation[] {
  const found: Citation[] = []
  visitAll(parseSource(path), node => {
    if (!ts.isStringLiteralLike(node) || !/^(?:parse|dag|store)\/[a-z0-9-]+$/.test(node.text)) return
    found.push({ id: node.text, at: `${path}:${lineOf(node)}` })
  })
  return found
}

function unlisted(listed: readonly Listed[], given: readonly Citation[]): string[] {
  const known = new Set(listed.map(({ id }) => id))
  return given
    .filter(({ id }) => !known.has(id))
    .map(({ id, at }) => `${at}: diagnostic ${id} is not listed in ${SPEC}`)
}

function neverGiven(listed: readonly Listed[], given: readonly Citation[]): string[] {
  const known = new Set(given.map(({ id }) => id))
  return listed
    .filter(({ id }) => !known.has(id))
    .map(({ id, line }) => `${SPEC}:${line}: no source gives diagnostic ${id}`)
}

/** Rules are list items that begin with their id in bold: `- **F3** ...`. */
function declaredRules(text: string): Rule[] {
  const rules: Rule[] = []
  let later = 0
  text.split('\n').forEach((line, index) => {
    const heading = /^(#+)\s+(.*)$/.exec(line)
    if (heading !== null) later = laterDepth(later, heading[1]?.length ?? 0, heading[2] ?? '')
    const id = /^\s*[-*]\s+\*\*([A-Z]+\d+)\b/.exec(line)?.[1]
    if (id !== undefined) rules.push({ id, line: index + 1, later: later > 0 })
  })
  return rules
}

/** Depth of the heading `Later` that the text is under, 0 for none: it ends at the next heading as high. */
function laterDepth(current: number, depth: number, title: string): number {
  if (current > 0 && depth > current) return current
  return /^later\b/i.test(title) ? depth : 0
}

function repeated(rules: readonly Listed[]): string[] {
  const seen = new Set<string>()
  return rules
    .filter(rule => seen.has(rule.id) || !seen.add(rule.id))
    .map(rule => `${SPEC}:${rule.line}: ${rule.id} is declared twice`)
}

function untested(rules: readonly Rule[], citations: readonly Citation[]): string[] {
  const cited = new Set(citations.map(citation => citation.id))
  return rules
    .filter(rule => !rule.later && !cited.has(rule.id))
    .map(rule => `${SPEC}:${rule.line}: no test names rule ${rule.id}`)
}

function unknown(rules: readonly Rule[], citations: readonly Citation[]): string[] {
  const declared = new Set(rules.map(rule => rule.id))
  return citations
    .filter(citation => !declared.has(citation.id))
    .map(citation => `${citation.at}: the test names rule ${citation.id}, which ${SPEC} does not declare`)
}

function printCounts(rules: readonly Rule[], citations: readonly Citation[]): void {
  for (const rule of rules) {
    const count = citations.filter(citation => citation.id === rule.id).length
    console.log(`${rule.id.padEnd(5)} ${count}${rule.later ? ' (later)' : ''}`)
  }
}

function citationsOf(path: string): Citation[] {
  const found: Citation[] = []
  visitAll(parseSource(path), node => {
    for (const id of idsIn(testName(node))) found.push({ id, at: `${path}:${lineOf(node)}` })
  })
  return found
}

/** Ids in brackets at any place of a name: `[F3]`, `[F3, L2]`, `[F3] [L2]`. */
function idsIn(name: string): string[] {
  const groups = name.matchAll(/\[([A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)\]/g)
  return [...groups].flatMap(group => (group[1] ?? '').split(/[,\s]+/))
}

/** The name of a test or group that is run, in all its forms (`it`, `it.each(...)`, `describe.skipIf(...)`). */
function testName(node: ts.Node): string {
  if (!ts.isCallExpression(node)) return ''
  const words = calleeWords(node.expression)
  if (!TEST_WORDS.has(words[0] ?? '') || words.some(word => NOT_RUN.has(word))) return ''
  const name = node.arguments[0]
  return name === undefined ? '' : textOf(name)
}

function calleeWords(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) return [...calleeWords(callee.expression), callee.name.text]
  if (ts.isCallExpression(callee)) return calleeWords(callee.expression)
  if (ts.isTaggedTemplateExpression(callee)) return calleeWords(callee.tag)
  return []
}

function textOf(name: ts.Expression): string {
  if (ts.isStringLiteralLike(name)) return name.text
  return ts.isTemplateExpression(name) ? name.getText() : ''
}
