import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'

/** The repository's root folder. */
export const ROOT: string = join(import.meta.dirname, '..', '..')

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'fixtures', '.git'])

/** What `npm pack` leaves in the packages: copies of files of the root. */
const COPIED = /^packages\/\w+\/(?:LICENSE|CHANGELOG\.md|NOTICES\.txt|samples)$/

let allFiles: ReadonlySet<string> | undefined

/** Paths of all files below the root, relative to it, with `/`, sorted. They are listed once for all checks of a process. */
export function listFiles(): ReadonlySet<string> {
  allFiles ??= new Set(walk().sort())
  return allFiles
}

function walk(): string[] {
  const found: string[] = []
  const folders = [ROOT]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      const full = join(folder, item.name)
      const path = relative(ROOT, full).split(sep).join('/')
      if (COPIED.test(path)) continue
      if (!item.isDirectory()) found.push(path)
      else if (!SKIPPED.has(item.name)) folders.push(full)
    }
  }
  return found
}

/** Whether a path is a source file of a package, tests left out. */
export function isPackageSource(path: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !isTest(path)
}

/** Whether a path is a test file. */
export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path)
}

/** The text of a file, by its path relative to the root. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

const parsed = new Map<string, ts.SourceFile>()

/** The syntax tree of a TypeScript file, by its path relative to the root. Several checks of a process share it. */
export function parseSource(path: string): ts.SourceFile {
  const file = parsed.get(path) ?? ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true)
  parsed.set(path, file)
  return file
}

/** Line number, from 1, of a node in its file. */
export function lineOf(node: ts.Node): number {
  const file = node.getSourceFile()
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
}

/** Calls `see` for a node and everything below it, in order of the text. */
export function visitAll(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  node.forEachChild(child => visitAll(child, see))
}

/** What a check has looked at, and what it found wrong: one sentence each, with file and line. */
export interface Checked {
  readonly checked: string
  readonly faults: readonly string[]
}

/** Prints the faults, and one line that says what was checked. With faults, the exit code of the process is 1. */
export function report(name: string, { checked, faults }: Checked): void {
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
  const verdict = faults.length === 0 ? 'ok' : `${faults.length} fault${faults.length === 1 ? '' : 's'}`
  console.log(`${name}: ${verdict} (${checked})`)
}
