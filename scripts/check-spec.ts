// Ties docs/SPEC.md to the tests: every rule is named by a test, every rule that a test names exists. And to the
// sources: every rule is named by a comment, every rule that a comment names exists, every document that a comment names
// is in the repository, every diagnostic they can give is listed, and every listed one can be given. A rule has at most
// 150 words.
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
const MOST_WORDS = 150

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
  const sources = listFiles(isSource)
  const comments = sources.flatMap(commentsIn)
  if (process.argv.includes('--list')) printCounts(rules, citations)
  const listed = listedDiagnostics(readText(SPEC))
  const given = listFiles(isPackageSource).flatMap(diagnosticsIn)
  const checked = `${rules.length} rules, ${citations.length} citations, ${listed.length} diagnostics`
  report('check-spec', checked, [
    ...repeated(rules),
    ...untested(rules, citations),
    ...unknown(rules, citations),
    ...tooLong(readText(SPEC)),
    ...unnamed(rules, comments),
    ...unknownInComments(rules, comments),
    ...missingDocuments(comments),
    ...repeated(listed),
    ...unlisted(listed, given),
    ...neverGiven(listed, given),
  ])
}

/** A comment of a source file, with the line it begins on. */
interface Comment {
  readonly text: string
  readonly at: string
}

/** A rule that is longer says several things: it is split. */
function tooLong(text: string): string[] {
  const parts = text.split(/^(?=- \*\*[A-Z]+\d+\*\*)/m).slice(1)
  return parts.flatMap(part => {
    const [rule = ''] = part.split(/^(?=#|- `|\|)/m)
    const [, id = ''] = /^- \*\*([A-Z]+\d+)/.exec(rule) ?? []
    const words = rule.split(/\s+/).filter(word => /\w/.test(word)).length - 1
    return words <= MOST_WORDS ? [] : [`${SPEC}: rule ${id} has ${words} words: split it`]
  })
}

function isSource(path: string): boolean {
  return (isPackageSource(path) || /^(?:lab|bench)\/.*\.ts$/.test(path)) && !isTest(path)
}

function commentsIn(path: string): Comment[] {
  const text = readText(path)
  const found = text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/gm)
  return [...found].map(match => {
    const line = text.slice(0, match.index).split('\n').length
    return { text: match[0], at: `${path}:${line}` }
  })
}

/** Ids of rules in a comment: a letter that rules begin with, and a number. */
function rulesIn({ text, at }: Comment, letters: ReadonlySet<string>): Citation[] {
  const ids = [...text.matchAll(/\b([A-Z])\d{1,2}\b/g)].filter(([, letter = '']) => letters.has(letter))
  return ids.map(([id]) => ({ id, at }))
}

function lettersOf(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.map(({ id }) => id.charAt(0)))
}

function unnamed(rules: readonly Rule[], comments: readonly Comment[]): string[] {
  const letters = lettersOf(rules)
  const named = new Set(comments.flatMap(comment => rulesIn(comment, letters).map(({ id }) => id)))
  return rules
    .filter(rule => !rule.later && !named.has(rule.id))
    .map(rule => `${SPEC}:${rule.line}: no comment of a source file names rule ${rule.id}`)
}

function unknownInComments(rules: readonly Rule[], comments: readonly Comment[]): string[] {
  const letters = lettersOf(rules)
  const declared = new Set(rules.map(({ id }) => id))
  return comments
    .flatMap(comment => rulesIn(comment, letters))
    .filter(({ id }) => !declared.has(id))
    .map(({ id, at }) => `${at}: the comment names rule ${id}, which ${SPEC} does not declare`)
}

/** Documents that a reader of the repository does not have. */
function missingDocuments(comments: readonly Comment[]): string[] {
  return comments.flatMap(({ text, at }) =>
    [...text.matchAll(/\b(?:[\w-]+\/)*[A-Z][\w-]*\.md\b/g)]
      .filter(([name]) => !['', 'docs'].some(folder => existsSync(join(ROOT, folder, name))))
      .map(([name]) => `${at}: the comment names ${name}, which is not in the repository`),
  )
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
