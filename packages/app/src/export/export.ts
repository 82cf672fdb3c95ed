/** Exports: a session, a tree of sessions or a project as files for others. */

import { dirname, join } from 'node:path'
import { sessionId } from '@dagline/core'
import { verifySources } from '@dagline/store'
import type { Host } from '../host/host.js'
import { inStore } from '../host/store-errors.js'
import { UserError } from '../host/user-error.js'
import { fileName, treeName } from './file-name.js'
import { type Chosen, type ChosenInTree, findOne, findProject, findTree } from './find.js'
import { indexPage, type Listed, listedOf } from './index-page.js'
import { folderLinks, type Links, linksBeside, NO_LINKS } from './links.js'
import { type Material, openMaterial } from './material.js'
import type { ExportOptions } from './options.js'
import {
  countSecrets,
  learnSecrets,
  namesFor,
  redactorFor,
  type SecretCount,
  type SecretPlace,
} from './secrets.js'
import { printFile, printSession, type Way, type Written, writeFile, writeSession } from './session.js'
import { type TreeExport, treePieces, treeTitle } from './tree.js'
import {
  fileTarget,
  folderTarget,
  makeFolder,
  type Pieces,
  refuseExisting,
  writeBeside,
  writePieces,
} from './write.js'

/** Who exports, beside the options. */
export interface Exporter {
  readonly host: Host
  /** Receives likely secrets that would be exported. Throws `UserError` where they must not be. */
  readonly approve: (secrets: readonly SecretCount[]) => Promise<void>
  /** Prints a file instead of writing it. */
  readonly print: (pieces: Pieces) => Promise<void>
}

/** What was written. */
export interface ExportReport {
  /** `-` is the path of a file that was printed. */
  readonly files: readonly WrittenFile[]
  /** The names of people that were looked for. */
  readonly names: readonly string[]
}

/** Exports what a word names, or a project. */
export async function exportSessions(
  exporter: Exporter,
  word: string | null,
  options: ExportOptions,
): Promise<ExportReport> {
  const { project } = options
  if (project !== null && word !== null)
    throw new UserError('A session and --project do not go together: give one of them.')
  if (options.tree && options.format !== 'html' && options.format !== 'md')
    throw new UserError(
      `--tree writes html or md, and ${options.format} holds one session: give --format md.`,
    )
  const { host } = exporter
  return await inStore(() => {
    if (options.tree) return exportTree(exporter, treeOf(host, word, options), options)
    return project === null
      ? exportSession(exporter, findOne(word ?? 'latest', host), options)
      : exportProject(exporter, project, options)
  })
}

function treeOf(host: Host, word: string | null, { project }: ExportOptions): TreeExport {
  if (project === null) {
    const chosen = findTree(findOne(word ?? 'latest', host))
    return { title: treeTitle(chosen), chosen }
  }
  const { name, chosen } = findProject(project, host)
  return { title: name, chosen }
}

/** S1: all sessions of a tree or project in one file. */
async function exportTree(
  exporter: Exporter,
  tree: TreeExport,
  options: ExportOptions,
): Promise<ExportReport> {
  const { chosen } = tree
  const isPrinted = options.out === '-'
  const target = fileTarget(options.out, treeName(chosen[0]?.session.id ?? '', options.format))
  if (!isPrinted) refuseExisting(target, options.force)
  const way = wayOf(options, chosen, NO_LINKS)
  await settleSecrets(exporter, options, () => learnAll(exporter.host, way, chosen))
  const write = async (path: string): Promise<Written> => {
    const made = await writeFile(way, treePieces(way, tree), path)
    verifyAll(chosen)
    return made
  }
  const written = isPrinted
    ? await printFile(way, treePieces(way, tree), exporter.print)
    : await writeBeside(target, options.force, write)
  return { files: [{ ...written, path: isPrinted ? '-' : target }], names: way.names }
}

function verifyAll(chosen: readonly Chosen[]): void {
  for (const sources of new Set(chosen.map(({ loaded }) => loaded.sources))) verifySources(sources)
}

async function exportSession(
  exporter: Exporter,
  chosen: Chosen,
  given: ExportOptions,
): Promise<ExportReport> {
  const options = { ...given, branch: branchFor(exporter.host, chosen, given) }
  const isPrinted = options.out === '-'
  if (isPrinted && options.format === 'parquet')
    throw new UserError('Four tables do not fit into one stream: give a folder with --out.')
  const place = options.format === 'parquet' ? folderTarget : fileTarget
  const target = place(options.out, fileName(chosen.session.id, options.format))
  if (!isPrinted) refuseExisting(target, options.force)
  return await withMaterial(chosen, options, async material => {
    const links = isPrinted ? NO_LINKS : linksBeside(options.format, dirname(target))
    const way = wayOf(options, [chosen], links)
    await settleSecrets(exporter, options, () => learnSecrets(material, way.learner, options.format))
    const write = async (path: string): Promise<Written> => {
      const made = await writeSession(way, material, path)
      verifySources(chosen.loaded.sources)
      return made
    }
    const written = isPrinted
      ? await printSession(way, material, exporter.print)
      : await writeBeside(target, options.force, write)
    return { files: [{ ...written, path: isPrinted ? '-' : target }], names: way.names }
  })
}

/** The branch or agent that was named; the branch of an entry where what is live would not have the entry. */
function branchFor(host: Host, { line, left }: Chosen, { branch }: ExportOptions): string {
  if (line !== null) return line
  if (left === null || branch !== 'live') return branch
  const name = left.slice(left.lastIndexOf('@'))
  host.note(`The entry is not live: its branch ${name} is exported; --branch all has everything.`)
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
  { approve }: Exporter,
  { redact, allowSecrets }: ExportOptions,
  learn: () => Promise<readonly SecretPlace[]> | readonly SecretPlace[],
): Promise<void> {
  if (redact === null && allowSecrets) return
  const places = await learn()
  if (redact === null && places.length > 0) await approve(countSecrets(places))
}

async function exportProject(
  exporter: Exporter,
  project: string,
  options: ExportOptions,
): Promise<ExportReport> {
  if (options.out === '-') throw new UserError('A project is many files: give a folder with --out.')
  const { name, chosen } = findProject(project, exporter.host)
  const folder = `${name.replace(/[^\w.-]/g, '_').replace(/^[-.]+/, '') || 'project'}-export`
  const target = folderTarget(options.out, folder)
  refuseExisting(target, options.force)
  const own = new Set(chosen.map(({ session }) => session.id))
  const links = folderLinks(options.format, session => own.has(sessionId(session)))
  const way = wayOf(options, chosen, links)
  await settleSecrets(exporter, options, () => learnAll(exporter.host, way, chosen))
  const files = await writeBeside(target, options.force, async path => {
    const made = await writeProject(exporter.host, { way, name, chosen }, path)
    verifyAll(chosen)
    return made
  })
  return { files: files.map(file => ({ ...file, path: join(target, file.path) })), names: way.names }
}

type Learning = ReturnType<typeof wayOf>

async function learnAll(
  host: Host,
  { learner, options }: Learning,
  chosen: readonly Chosen[],
): Promise<readonly SecretPlace[]> {
  const places: SecretPlace[] = []
  for (const [at, each] of chosen.entries()) {
    host.progress(`looking for secrets: ${at + 1} of ${chosen.length} sessions`)
    places.push(
      ...(await withMaterial(each, options, material => learnSecrets(material, learner, options.format))),
    )
  }
  host.progress(null)
  return places
}

interface ProjectJob {
  readonly way: Way
  readonly name: string
  readonly chosen: readonly ChosenInTree[]
}

/** A file that was written. */
interface WrittenFile extends Written {
  readonly path: string
}

async function writeProject(
  host: Host,
  { way, name, chosen }: ProjectJob,
  folder: string,
): Promise<readonly WrittenFile[]> {
  makeFolder(folder)
  const files: WrittenFile[] = []
  const listed: Listed[] = []
  for (const [at, each] of chosen.entries()) {
    host.progress(`exporting: ${at + 1} of ${chosen.length} sessions`)
    const path = fileName(each.session.id, way.options.format)
    await withMaterial(each, way.options, async material => {
      const written = await writeSession(way, material, join(folder, path))
      files.push({ ...written, path })
      listed.push(listedOf(material, way.redactor, { file: path, bytes: written.bytes, depth: each.depth }))
    })
  }
  host.progress(null)
  const page = indexPage(way.redactor === null ? name : way.redactor.text(name), listed)
  const size = await writePieces(join(folder, 'index.html'), [page])
  return [{ path: 'index.html', bytes: size, placeholders: [] }, ...files]
}
