/** `dagline export`: a session, or all of a project, as files for others. */
import { dirname, join } from 'node:path'
import type { ExportOptions } from '@dagline/app'
import {
  bytes,
  type Chosen,
  type ChosenInTree,
  count,
  countSecrets,
  fileName,
  fileTarget,
  findOne,
  findProject,
  findTree,
  folderLinks,
  folderTarget,
  indexPage,
  inStore,
  jsonLines,
  type Links,
  type Listed,
  learnSecrets,
  linksBeside,
  listedOf,
  type Material,
  makeFolder,
  NO_LINKS,
  namesFor,
  openMaterial,
  printFile,
  printSession,
  redactorFor,
  refuseExisting,
  type SecretCount,
  type SecretPlace,
  secretWords,
  type TreeExport,
  treeName,
  treePieces,
  treeTitle,
  UserError,
  type Way,
  type Written,
  writeBeside,
  writeFile,
  writePieces,
  writeSession,
} from '@dagline/app'
import { verifySources } from '@dagline/store'
import type { Console } from '../console.js'
import { ask } from '../terminal/ask.js'

/** Exports what a word names, or a project. */
export async function exportTo(console: Console, word: string | null, options: ExportOptions): Promise<void> {
  const { project } = options
  if (project !== null && word !== null)
    throw new UserError('A session and --project do not go together: give one of them.')
  if (options.tree && options.format !== 'html' && options.format !== 'md')
    throw new UserError(
      `--tree writes html or md, and ${options.format} holds one session: give --format md.`,
    )
  await inStore(() => {
    if (options.tree) return exportTree(console, treeOf(console, word, options), options)
    return project === null
      ? exportSession(console, findOne(word ?? 'latest', console), options)
      : exportProject(console, project, options)
  })
}

function treeOf(console: Console, word: string | null, { project }: ExportOptions): TreeExport {
  if (project === null) {
    const chosen = findTree(findOne(word ?? 'latest', console))
    return { title: treeTitle(chosen), chosen }
  }
  const { name, chosen } = findProject(project, console)
  return { title: name, chosen }
}

/** S1: all sessions of a tree or project in one file. */
async function exportTree(console: Console, tree: TreeExport, options: ExportOptions): Promise<void> {
  const { chosen } = tree
  const isPrinted = options.out === '-'
  const target = fileTarget(options.out, treeName(chosen[0]?.session.id ?? '', options.format))
  if (!isPrinted) refuseExisting(target, options.force)
  const way = wayOf(options, chosen, NO_LINKS)
  await settleSecrets(console, options, () => learnAll(console, way, chosen))
  const write = async (path: string): Promise<Written> => {
    const made = await writeFile(way, treePieces(way, tree), path)
    verifyAll(chosen)
    return made
  }
  const written = isPrinted
    ? await printFile(way, treePieces(way, tree))
    : await writeBeside(target, options.force, write)
  await report(console, way, [{ ...written, path: isPrinted ? '-' : target }])
}

function verifyAll(chosen: readonly Chosen[]): void {
  for (const sources of new Set(chosen.map(({ loaded }) => loaded.sources))) verifySources(sources)
}

async function exportSession(console: Console, chosen: Chosen, given: ExportOptions): Promise<void> {
  const options = { ...given, branch: branchFor(console, chosen, given) }
  const isPrinted = options.out === '-'
  if (isPrinted && options.format === 'parquet')
    throw new UserError('Four tables do not fit into one stream: give a folder with --out.')
  const place = options.format === 'parquet' ? folderTarget : fileTarget
  const target = place(options.out, fileName(chosen.session.id, options.format))
  if (!isPrinted) refuseExisting(target, options.force)
  await withMaterial(chosen, options, async material => {
    const links = isPrinted ? NO_LINKS : linksBeside(options.format, dirname(target))
    const way = wayOf(options, [chosen], links)
    await settleSecrets(console, options, () => learnSecrets(material, way.learner, options.format))
    const write = async (path: string): Promise<Written> => {
      const made = await writeSession(way, material, path)
      verifySources(chosen.loaded.sources)
      return made
    }
    const written = isPrinted
      ? await printSession(way, material)
      : await writeBeside(target, options.force, write)
    await report(console, way, [{ ...written, path: isPrinted ? '-' : target }])
  })
}

/** The branch or agent that was named; the branch of an entry where what is live would not have the entry. */
function branchFor(console: Console, { line, left }: Chosen, { branch }: ExportOptions): string {
  if (line !== null) return line
  if (left === null || branch !== 'live') return branch
  const name = left.slice(left.lastIndexOf('@'))
  console.note(`The entry is not live: its branch ${name} is exported; --branch all has everything.`)
  return left
}

async function withMaterial<T>(
  { loaded, session }: Chosen,
  options: ExportOptions,
  use: (material: Material) => Promise<T> | T,
): Promise<T> {
  const material = openMaterial(loaded, session, options)
  try {
    const made = await use(material)
    material.refuseUnread()
    return made
  } finally {
    material.close()
  }
}

function wayOf(
  options: ExportOptions,
  chosen: readonly Chosen[],
  links: Links,
): Way & { readonly learner: ReturnType<typeof redactorFor> } {
  const names = namesFor(
    options,
    chosen.map(({ session }) => session),
  )
  const learner = redactorFor(options, names)
  return { options, names, learner, links, redactor: options.redact === null ? null : learner }
}

/** Everything is looked through before anything is written. Likely secrets that stay need a yes. */
async function settleSecrets(
  console: Console,
  { redact, allowSecrets }: ExportOptions,
  learn: () => Promise<readonly SecretPlace[]> | readonly SecretPlace[],
): Promise<void> {
  if (redact === null && allowSecrets) return
  const places = await learn()
  if (redact === null && places.length > 0) await askAbout(console, countSecrets(places))
}

/** A person is asked; without one, the command line must have said it. */
async function askAbout(console: Console, secrets: readonly SecretCount[]): Promise<void> {
  const total = secrets.reduce((sum, secret) => sum + secret.count, 0)
  const verb = total === 1 ? 'is' : 'are'
  const what = `There ${verb} ${count(total, 'likely secret')} in it: ${secrets.map(secretWords).join('; ')}`
  const isAsked = process.stdin.isTTY === true && process.stderr.isTTY === true && !console.options.quiet
  if (!isAsked)
    throw new UserError(`${what}. Give --redact to replace them, or --allow-secrets to export them.`)
  console.note(`${what}.`)
  if (!(await ask('Export it with these secrets?', 'no')))
    throw new UserError('Nothing was written: --redact replaces secrets with placeholders.')
}

async function exportProject(console: Console, project: string, options: ExportOptions): Promise<void> {
  if (options.out === '-') throw new UserError('A project is many files: give a folder with --out.')
  const { name, chosen } = findProject(project, console)
  const folder = `${name.replace(/[^\w.-]/g, '_').replace(/^[-.]+/, '') || 'project'}-export`
  const target = folderTarget(options.out, folder)
  refuseExisting(target, options.force)
  const own = new Set(chosen.map(({ session }) => session.id))
  const links = folderLinks(options.format, session => own.has(session))
  const way = wayOf(options, chosen, links)
  await settleSecrets(console, options, () => learnAll(console, way, chosen))
  const files = await writeBeside(target, options.force, async path => {
    const made = await writeProject(console, { way, name, chosen }, path)
    verifyAll(chosen)
    return made
  })
  await report(
    console,
    way,
    files.map(file => ({ ...file, path: join(target, file.path) })),
  )
}

type Learning = ReturnType<typeof wayOf>

async function learnAll(
  console: Console,
  { learner, options }: Learning,
  chosen: readonly Chosen[],
): Promise<readonly SecretPlace[]> {
  const places: SecretPlace[] = []
  for (const [at, each] of chosen.entries()) {
    console.progress(`looking for secrets: ${at + 1} of ${chosen.length} sessions`)
    places.push(
      ...(await withMaterial(each, options, material => learnSecrets(material, learner, options.format))),
    )
  }
  console.progress(null)
  return places
}

interface ProjectJob {
  readonly way: Way
  readonly name: string
  readonly chosen: readonly ChosenInTree[]
}

interface WrittenFile extends Written {
  readonly path: string
}

async function writeProject(
  console: Console,
  { way, name, chosen }: ProjectJob,
  folder: string,
): Promise<readonly WrittenFile[]> {
  makeFolder(folder)
  const files: WrittenFile[] = []
  const listed: Listed[] = []
  for (const [at, each] of chosen.entries()) {
    console.progress(`exporting: ${at + 1} of ${chosen.length} sessions`)
    const path = fileName(each.session.id, way.options.format)
    await withMaterial(each, way.options, async material => {
      const written = await writeSession(way, material, join(folder, path))
      files.push({ ...written, path })
      listed.push(listedOf(material, way.redactor, { file: path, bytes: written.bytes, depth: each.depth }))
    })
  }
  console.progress(null)
  const page = indexPage(way.redactor === null ? name : way.redactor.text(name), listed)
  const size = await writePieces(join(folder, 'index.html'), [page])
  return [{ path: 'index.html', bytes: size, placeholders: [] }, ...files]
}

/** What was written, and what stands there instead of secrets. */
async function report(
  console: Console,
  { redactor, options, names }: Way,
  files: readonly WrittenFile[],
): Promise<void> {
  const replaced = replacedBy(files.flatMap(({ placeholders }) => placeholders))
  const [first] = files
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  const isPrinted = first?.path === '-'
  if (console.options.json && !isPrinted) {
    const list = files.map(file => ({ path: file.path, bytes: file.bytes }))
    const redacted = redactor === null ? null : { list: replaced }
    await console.print(
      jsonLines([
        ['dagline', 1],
        ['files', { list }],
        ['redacted', redacted],
        ['left', redactor === null ? null : 0],
      ]),
    )
    return
  }
  if (first !== undefined && !isPrinted)
    console.note(`${first.path}: ${files.length > 1 ? `${count(files.length, 'file')}, ` : ''}${bytes(size)}`)
  if (redactor === null) return
  console.note(replacedWords(replaced))
  if (options.redact?.includes('paths') === true)
    console.note('Of paths the user names in home folders were replaced; folders and files keep their names.')
  const isUnnamed = replaced.every(({ kind }) => kind !== 'name')
  if (options.redact?.includes('names') === true && isUnnamed) console.note(noNames(names.length))
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
