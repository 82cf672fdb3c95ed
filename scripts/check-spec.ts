/**
 * Ties docs/SPEC.md to the tests and the sources. Every rule is named by a test and by a comment of a source file, and
 * every rule that these name exists. Every document that a comment names is in the repository. Every diagnostic that the
 * sources can give is listed, and every listed one can be given. A rule has at most 150 words.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import {
  type Checked,
  isPackageSource,
  isTest,
  lineOf,
  listFiles,
  parseSource,
  ROOT,
  readText,
  visitAll,
} from './lib/sources.ts'

const SPEC = 'docs/SPEC.md'
const TEST_WORDS = new Set(['it', 'test', 'describe'])
const NOT_RUN = new Set(['skip', 'todo'])
const MOST_WORDS = 150
/** Rules are list items that begin with their id in bold: `- **F3** ...`. */
const RULE = /^\s*[-*]\s+\*\*([A-Z]+\d+)\b/
/** Diagnostics are list items that begin with their name: "- `dag/orphan` ...". */
const DIAGNOSTIC = /^- `((?:parse|dag|store)\/[a-z0-9-]+)`/

/** A rule or a diagnostic, where it is declared or named. */
interface Named {
  readonly id: string
  readonly at: string
}

/** A comment of a source file, with the line it begins on. */
interface Comment {
  readonly text: string
  readonly at: string
}

export function checkSpec(): Checked {
  const text = readText(SPEC)
  const rules = listItems(text, RULE)
  // Rules under the heading "Later" are not built yet.
  const required = listItems(text.split('\n## Later\n')[0] ?? '', RULE)
  const listed = listItems(text, DIAGNOSTIC)
  const files = [...listFiles()]
  const tested = files.filter(isTest).flatMap(rulesInTests)
  const comments = files.filter(isSource).flatMap(commentsIn)
  const letters = new Set(rules.map(({ id }) => id.replace(/\d+$/, '')))
  const commented = comments.flatMap(comment => rulesIn(comment, letters))
  const given = files.filter(isPackageSource).flatMap(diagnosticsIn)
  return {
    checked: `${rules.length} rules, ${tested.length} citations, ${listed.length} diagnostics`,
    faults: [
      ...repeated([...rules, ...listed]),
      ...tooLong(text),
      ...missing(required, tested, id => `no test names rule ${id}`),
      ...missing(tested, rules, id => `the test names rule ${id}, which ${SPEC} does not declare`),
      ...missing(required, commented, id => `no comment of a source file names rule ${id}`),
      ...missing(commented, rules, id => `the comment names rule ${id}, which ${SPEC} does not declare`),
      ...missing(given, listed, id => `diagnostic ${id} is not listed in ${SPEC}`),
      ...missing(listed, given, id => `no source gives diagnostic ${id}`),
      ...missingDocuments(comments),
    ],
  }
}

function listItems(text: string, pattern: RegExp): Named[] {
  return text.split('\n').flatMap((line, index) => {
    const id = pattern.exec(line)?.[1]
    return id === undefined ? [] : [{ id, at: `${SPEC}:${index + 1}` }]
  })
}

function repeated(declared: readonly Named[]): string[] {
  const seen = new Set<string>()
  return declared
    .filter(({ id }) => seen.has(id) || !seen.add(id))
    .map(({ id, at }) => `${at}: ${id} is declared twice`)
}

/** A sentence for each name of the one list that is not in the other. */
function missing(named: readonly Named[], others: readonly Named[], say: (id: string) => string): string[] {
  const known = new Set(others.map(({ id }) => id))
  return named.filter(({ id }) => !known.has(id)).map(({ id, at }) => `${at}: ${say(id)}`)
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

/** Ids of rules in a comment: the letters that rules begin with, and a number. */
function rulesIn({ text, at }: Comment, letters: ReadonlySet<string>): Named[] {
  const ids = [...text.matchAll(/\b([A-Z]{1,2})\d{1,2}\b/g)].filter(([, start = '']) => letters.has(start))
  return ids.map(([id]) => ({ id, at }))
}

/** Documents that a reader of the repository does not have. */
function missingDocuments(comments: readonly Comment[]): string[] {
  return comments.flatMap(({ text, at }) =>
    [...text.matchAll(/\b(?:[\w-]+\/)*[A-Z][\w-]*\.md\b/g)]
      .filter(([name]) => !['', 'docs'].some(folder => existsSync(join(ROOT, folder, name))))
      .map(([name]) => `${at}: the comment names ${name}, which is not in the repository`),
  )
}

/** Names of diagnostics among the strings of a source file. */
function diagnosticsIn(path: string): Named[] {
  const found: Named[] = []
  visitAll(parseSource(path), node => {
    if (ts.isStringLiteralLike(node) && /^(?:parse|dag|store)\/[a-z0-9-]+$/.test(node.text))
      found.push({ id: node.text, at: `${path}:${lineOf(node)}` })
  })
  return found
}

function rulesInTests(path: string): Named[] {
  const found: Named[] = []
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
  const [name] = node.arguments
  if (name === undefined) return ''
  if (ts.isStringLiteralLike(name)) return name.text
  return ts.isTemplateExpression(name) ? name.getText() : ''
}

function calleeWords(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) return [...calleeWords(callee.expression), callee.name.text]
  if (ts.isCallExpression(callee)) return calleeWords(callee.expression)
  return ts.isTaggedTemplateExpression(callee) ? calleeWords(callee.tag) : []
}
