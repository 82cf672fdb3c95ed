/** `dagline export`: a session, or all of a project, as files for others. */
import {
  bytes,
  count,
  type ExportOptions,
  type ExportReport,
  exportSessions,
  jsonLines,
  type Pieces,
  type SecretCount,
  secretsFound,
  UserError,
} from '@dagline/app'
import type { Console } from '../console.js'
import { ask } from '../terminal/ask.js'

/** Exports what a word names, or a project. */
export async function exportTo(console: Console, word: string | null, options: ExportOptions): Promise<void> {
  const approve = (secrets: readonly SecretCount[]): Promise<void> => askAbout(console, secrets)
  await report(console, await exportSessions({ host: console, approve, print }, word, options), options)
}

/** A person is asked; without one, the command line must have said it. */
async function askAbout(console: Console, secrets: readonly SecretCount[]): Promise<void> {
  const what = secretsFound(secrets)
  const isAsked = process.stdin.isTTY === true && process.stderr.isTTY === true && !console.options.quiet
  if (!isAsked)
    throw new UserError(
      `${what} Give --redact to replace them, or --allow-secrets to export them.`,
      'secrets',
    )
  console.note(what)
  if (!(await ask('Export it with these secrets?', 'no')))
    throw new UserError('Nothing was written: --redact replaces secrets with placeholders.', 'secrets')
}

/** Prints pieces until they end or nobody reads any more. */
async function print(pieces: Pieces): Promise<void> {
  for await (const piece of pieces) if (!(await printPiece(piece))) return
}

function printPiece(piece: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(piece, error => {
      if (error == null) resolve(true)
      else if ('code' in error && error.code === 'EPIPE') resolve(false)
      else reject(error)
    })
  })
}

/** What was written, and what stands there instead of secrets. */
async function report(
  console: Console,
  { files, names }: ExportReport,
  { redact }: ExportOptions,
): Promise<void> {
  const replaced = replacedBy(files.flatMap(({ placeholders }) => placeholders))
  const [first] = files
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  const isPrinted = first?.path === '-'
  if (console.options.json && !isPrinted) {
    const list = files.map(file => ({ path: file.path, bytes: file.bytes }))
    const redacted = redact === null ? null : { list: replaced }
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['files', { list }],
        ['redacted', redacted],
        ['left', redact === null ? null : 0],
      ]),
    )
    return
  }
  if (first !== undefined && !isPrinted)
    console.note(`${first.path}: ${files.length > 1 ? `${count(files.length, 'file')}, ` : ''}${bytes(size)}`)
  if (redact === null) return
  console.note(replacedWords(replaced))
  if (redact.includes('paths'))
    console.note('Of paths the user names in home folders were replaced; folders and files keep their names.')
  const isUnnamed = replaced.every(({ kind }) => kind !== 'name')
  if (redact.includes('names') && isUnnamed) console.note(noNames(names.length))
}

function noNames(known: number): string {
  if (known === 0) return 'No name is known, so none was replaced: give them with --name.'
  return `No name was replaced: ${count(known, 'name')} ${known === 1 ? 'was' : 'were'} looked for; --name gives others.`
}

interface Replaced {
  readonly kind: string
  readonly count: number
  readonly different: number
}

/** `[redacted:github-token-2]` by its kind. */
function replacedBy(placeholders: readonly string[]): readonly Replaced[] {
  const kinds = new Map<string, string[]>()
  for (const placeholder of placeholders) {
    const kind = placeholder.replace(/^\[redacted:|-\d+\]$/g, '')
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [placeholder])
    else known.push(placeholder)
  }
  return [...kinds]
    .map(([kind, all]) => ({ kind, count: all.length, different: new Set(all).size }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1))
}

function replacedWords(replaced: readonly Replaced[]): string {
  const kinds = replaced.map(
    ({ kind, count: number, different }) =>
      `${number} ${kind}${different < number ? ` (${different} different)` : ''}`,
  )
  return `Replaced: ${kinds.length === 0 ? 'nothing' : kinds.join(', ')}. Searched again: 0 left.`
}
