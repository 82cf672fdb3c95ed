/** Exports: a session, a tree of sessions or a project as files for others. */

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sessionId } from '@dagline/core'
import { verifySources } from '@dagline/store'
import { withEngine } from '../host/engine.js'
import type { Host } from '../host/host.js'
import { inStore, UserError } from '../host/user-error.js'
import { type ExportedSession, openExportedSession } from './exported-session.js'
import { findOne, findProject, findTree, type SelectedInTree, type SelectedSession } from './find.js'
import { indexPage, type Listed, listedOf } from './index-page.js'
import { fileName, folderLinks, type Links, linksBeside, NO_LINKS, treeName } from './links.js'
import type { ExportOptions } from './options.js'
import { createCounting } from './parquet.js'
import { type Redacted, redactedIn } from './report.js'
import {
  countSecrets,
  foldersOf,
  learnSecrets,
  namesFor,
  redactorFor,
  type SecretCount,
  type SecretLocation,
} from './secrets.js'
import {
  type ExportSettings,
  type Print,
  printFile,
  type Written,
  wholePieces,
  writeFile,
  writeSession,
} from './session.js'
import { type TreeExport, treePieces, treeTitle } from './tree.js'
import { fileTarget, folderTarget, type Pieces, refuseExisting, writeBeside, writePieces } from './write.js'

/** Who exports, beside the options. */
export interface Exporter {
  readonly host: Host
  /** Receives likely secrets that would be exported. Throws `UserError` where they must not be. */
  readonly approve: (secrets: readonly SecretCount[]) => Promise<void>
  /** Prints a file instead of writing it. */
  readonly print: Print
}

/** What was written. */
export interface ExportReport {
  /** `-` is the path of a file that was printed. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  /** The names of people that were looked for. */
  readonly names: readonly string[]
  /** What was replaced; null where nothing was to be. */
  readonly redacted: Redacted | null
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
  const write = (): Promise<ExportReport> => inStore(() => exportOne(exporter, word, options))
  // Each table is made from all of a project at once.
  return await (options.format === 'parquet' ? withEngine('steady', write) : write())
}

async function exportOne(
  exporter: Exporter,
  word: string | null,
  options: ExportOptions,
): Promise<ExportReport> {
  const { host } = exporter
  if (options.tree) return await exportTree(exporter, treeOf(host, word, options), options)
  return options.project === null
    ? await exportSession(exporter, findOne(word ?? 'latest', host), options)
    : await exportProject(exporter, options.project, options)
}

function treeOf(host: Host, word: string | null, { project }: ExportOptions): TreeExport {
  if (project === null) {
    const selected = findTree(findOne(word ?? 'latest', host))
    return { title: treeTitle(selected), selected }
  }
  const { name, selected } = findProject(project, host)
  return { title: name, selected }
}

/** S1: all sessions of a tree or project in one file. */
async function exportTree(
  exporter: Exporter,
  tree: TreeExport,
  options: ExportOptions,
): Promise<ExportReport> {
  const { selected } = tree
  const target = targetFor(options, treeName(selected[0]?.session.id ?? '', options.format))
  const settings = settingsFor(options, selected, NO_LINKS)
  await settleSecrets(exporter, options, () => learnAll(exporter.host, settings, selected))
  return await writeOrPrint(exporter, settings, target, {
    selected,
    pieces: () => treePieces(settings, tree),
    write: path => writeFile(settings, () => treePieces(settings, tree), path),
  })
}

/** The path that an export goes to; null where it is printed. Throws `UserError` where the path exists. */
function targetFor({ out, format, force }: ExportOptions, name: string): string | null {
  if (out === '-') return null
  const target = format === 'parquet' ? folderTarget(out, name) : fileTarget(out, name)
  refuseExisting(target, force)
  return target
}

interface Output {
  readonly selected: readonly SelectedSession[]
  readonly pieces: () => Pieces
  readonly write: (path: string) => Promise<Written>
}

/** Prints the pieces where there is no target; else writes them, and compares the sources with what was read. */
async function writeOrPrint(
  { print }: Exporter,
  settings: ExportSettings,
  target: string | null,
  { selected, pieces, write }: Output,
): Promise<ExportReport> {
  const written =
    target === null
      ? await printFile(settings, pieces, print)
      : await writeBeside(target, settings.options.force, async path => {
          const made = await write(path)
          verifyAll(selected)
          return made
        })
  return reportOf([{ ...written, path: target ?? '-' }], settings)
}

function verifyAll(selected: readonly SelectedSession[]): void {
  for (const sources of new Set(selected.map(({ loaded }) => loaded.sources))) verifySources(sources)
}

async function exportSession(
  exporter: Exporter,
  selected: SelectedSession,
  given: ExportOptions,
): Promise<ExportReport> {
  const options = { ...given, branch: branchFor(exporter.host, selected, given) }
  if (options.out === '-' && options.format === 'parquet')
    throw new UserError('Tables do not fit into one stream: give a folder with --out.')
  const target = targetFor(options, fileName(selected.session.id, options.format))
  return await withExportedSession(selected, options, async exported => {
    const links = target === null ? NO_LINKS : linksBeside(options.format, dirname(target))
    const settings = settingsFor(options, [selected], links)
    await settleSecrets(exporter, options, () => learnSecrets(exported, settings.learner, options.format))
    return await writeOrPrint(exporter, settings, target, {
      selected: [selected],
      pieces: () => wholePieces(settings, exported),
      write: path => writeSession(settings, exported, path),
    })
  })
}

/** The branch or agent that was named; the branch of an entry where what is live would not have the entry. */
function branchFor(host: Host, { line, left }: SelectedSession, { branch }: ExportOptions): string {
  if (line !== null) return line
  if (left === null || branch !== 'live') return branch
  const name = left.slice(left.lastIndexOf('@'))
  host.note(`The entry is not live: its branch ${name} is exported; --branch all has everything.`)
  return left
}

async function withExportedSession<T>(
  { loaded, session }: SelectedSession,
  options: ExportOptions,
  use: (exported: ExportedSession) => Promise<T> | T,
): Promise<T> {
  const exported = openExportedSession(loaded, session, options)
  try {
    const made = await use(exported)
    exported.refuseUnread()
    return made
  } finally {
    exported.close()
  }
}

function settingsFor(
  options: ExportOptions,
  selected: readonly SelectedSession[],
  links: Links,
): ExportSettings & { readonly learner: ReturnType<typeof redactorFor> } {
  const names = namesFor(
    options,
    selected.flatMap(({ session }) => foldersOf(session)),
  )
  const learner = redactorFor(options, names)
  const redactor = options.redact === null ? null : learner
  // A branch that its owner has abandoned may be live in a fork: then the fork exports it.
  const owning = options.branch === 'all' ? selected : []
  const countsFor = createCounting(new Set(owning.map(({ session }) => session.id)), selected.length)
  return { options, names, learner, links, redactor, countsFor }
}

/** Everything is looked through before anything is written. Likely secrets that stay need a yes. */
export async function settleSecrets(
  { approve }: Pick<Exporter, 'approve'>,
  { redact, allowSecrets }: Pick<ExportOptions, 'redact' | 'allowSecrets'>,
  learn: () => Promise<readonly SecretLocation[]> | readonly SecretLocation[],
): Promise<void> {
  if (redact === null && allowSecrets) return
  const locations = await learn()
  if (redact === null && locations.length > 0) await approve(countSecrets(locations))
}

async function exportProject(
  exporter: Exporter,
  project: string,
  options: ExportOptions,
): Promise<ExportReport> {
  if (options.out === '-') throw new UserError('A project is many files: give a folder with --out.')
  const { name, selected } = findProject(project, exporter.host)
  const folder = `${name.replace(/[^\w.-]/g, '_').replace(/^[-.]+/, '') || 'project'}-export`
  const target = folderTarget(options.out, folder)
  refuseExisting(target, options.force)
  const own = new Set(selected.map(({ session }) => session.id))
  const links = folderLinks(options.format, session => own.has(sessionId(session)))
  const settings = settingsFor(options, selected, links)
  await settleSecrets(exporter, options, () => learnAll(exporter.host, settings, selected))
  const files = await writeBeside(target, options.force, async path => {
    const made = await writeProject(exporter.host, { settings, name, selected }, path)
    verifyAll(selected)
    return made
  })
  return reportOf(
    files.map(file => ({ ...file, path: join(target, file.path) })),
    settings,
  )
}

type Learning = ReturnType<typeof settingsFor>

async function learnAll(
  host: Host,
  { learner, options }: Learning,
  selected: readonly SelectedSession[],
): Promise<readonly SecretLocation[]> {
  const locations: SecretLocation[] = []
  for (const [at, each] of selected.entries()) {
    host.progress(`looking for secrets: ${at + 1} of ${selected.length} sessions`)
    locations.push(
      ...(await withExportedSession(each, options, exported =>
        learnSecrets(exported, learner, options.format),
      )),
    )
  }
  host.progress(null)
  return locations
}

function reportOf(files: readonly WrittenFile[], { names, redactor }: ExportSettings): ExportReport {
  return {
    files: files.map(({ path, bytes }) => ({ path, bytes })),
    names,
    redacted: redactor === null ? null : redactedIn(files, redactor),
  }
}

interface ProjectJob {
  readonly settings: ExportSettings
  readonly name: string
  readonly selected: readonly SelectedInTree[]
}

/** A file that was written. */
interface WrittenFile extends Written {
  readonly path: string
}

async function writeProject(
  host: Host,
  { settings, name, selected }: ProjectJob,
  folder: string,
): Promise<readonly WrittenFile[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files: WrittenFile[] = []
  const listed: Listed[] = []
  for (const [at, each] of selected.entries()) {
    host.progress(`exporting: ${at + 1} of ${selected.length} sessions`)
    const path = fileName(each.session.id, settings.options.format)
    await withExportedSession(each, settings.options, async exported => {
      const written = await writeSession(settings, exported, join(folder, path))
      files.push({ ...written, path })
      listed.push(
        listedOf(exported, settings.redactor, { file: path, bytes: written.bytes, depth: each.depth }),
      )
    })
  }
  host.progress(null)
  const page = indexPage(settings.redactor === null ? name : settings.redactor.text(name), listed)
  const size = await writePieces(join(folder, 'index.html'), [page])
  return [{ path: 'index.html', bytes: size, placeholders: [], left: [] }, ...files]
}
