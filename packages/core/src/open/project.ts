/** Projects from files that are given: the graph, and the contents of its entries, read as they are asked for. */
import { readMessageUsage } from '../content/usage.js'
import { damageOf } from '../files/damage.js'
import { splitRows } from '../files/split.js'
import { type Graph, type GraphBuilder, startGraph } from '../graph/graph.js'
import { addUsage } from '../measure/usage-messages.js'
import type { MessageUsage } from '../model/billing.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { fileId } from '../model/ids.js'
import { withCarried } from '../parse/row.js'
import { startRows } from '../parse/rows.js'
import { type EntryContents, openEntries } from './contents.js'
import { findProjects, type GivenProject, type GivenTranscript } from './discover.js'
import { type GivenFile, type OpenFile, openGiven } from './source.js'

/** A project that was opened from files. */
export interface OpenedProject extends EntryContents {
  /** Its folder in the paths of the files; empty where they have none. */
  readonly path: string
  readonly graph: Graph
  /** What was odd in the files and in the graph; the first ones are about files that could not be read. */
  readonly diagnostics: readonly Diagnostic[]
  /** What each message of the API used, by its id. */
  readonly usage: ReadonlyMap<string, MessageUsage>
}

/** How files are opened. */
export interface OpenOptions {
  /** Receives now and then how many bytes were read, and how many there are. */
  readonly onProgress?: (read: number, total: number) => void
}

/**
 * Opens transcripts that a program has at hand, such as those that a visitor of a page dropped or chose. Works without Node
 * and without a server. Files are read in parts, and contents are read again when they are asked for.
 *
 * Returns one project for each project folder in the paths, in their order; folders that hold files of the same session are
 * one. A file that cannot be read, or whose rows are damaged, is reported in `diagnostics`; nothing is thrown for it.
 *
 *   const [project] = await openFiles(input.files)
 */
export async function openFiles(
  files: Iterable<GivenFile>,
  options: OpenOptions = {},
): Promise<readonly OpenedProject[]> {
  const opened: OpenFile[] = []
  for (const file of files) opened.push(await openGiven(file))
  const found = await findProjects(opened)
  const total = found.flatMap(({ transcripts }) => transcripts).reduce((sum, { file }) => sum + file.size, 0)
  let read = 0
  const onRead = (bytes: number): void => {
    read += bytes
    options.onProgress?.(read, total)
  }
  const byPath = new Map(opened.map(file => [file.path, file]))
  const projects: OpenedProject[] = []
  for (const project of found) projects.push(await readProject(project, byPath, onRead))
  return projects
}

async function readProject(
  { path, transcripts }: GivenProject,
  files: ReadonlyMap<string, OpenFile>,
  onRead: (bytes: number) => void,
): Promise<OpenedProject> {
  const builder = startGraph()
  const usage = new Map<string, MessageUsage>()
  const found: Diagnostic[] = []
  for (const transcript of transcripts)
    found.push(...(await readTranscript(transcript, { builder, usage, onRead })))
  const graph = builder.build()
  const diagnostics = [...found, ...graph.diagnostics()]
  const entries = openEntries({ path, graph, files, usage, diagnostics })
  return { path, graph, diagnostics, usage, ...entries }
}

/** What rows are added to. */
interface Target {
  readonly builder: GraphBuilder
  readonly usage: Map<string, MessageUsage>
  readonly onRead: (bytes: number) => void
}

/** Bytes that are read at a time. */
const CHUNK = 4 * 1024 * 1024

async function readTranscript(
  { file, facts }: GivenTranscript,
  { builder, usage, onRead }: Target,
): Promise<readonly Diagnostic[]> {
  const see = withCarried(json => addUsage(usage, readMessageUsage(json)))
  const rows = startRows(parsed => builder.addRow(facts, parsed), see)
  const splitter = splitRows(rows.take)
  const failure = await readChunks(file, bytes => {
    splitter.write(bytes)
    onRead(bytes.length)
  })
  const { pending, bytes, ...damage } = splitter.end()
  rows.end(pending)
  builder.addFile(facts, bytes)
  return [...failure, ...damageOf(facts.path, damage)]
}

/** Reads a file from its start. Where that fails, the rows before stay read. */
async function readChunks(file: OpenFile, take: (bytes: Uint8Array) => void): Promise<readonly Diagnostic[]> {
  for (let at = 0; at < file.size; at += CHUNK) {
    let bytes: Uint8Array
    try {
      bytes = await file.read(at, Math.min(at + CHUNK, file.size))
    } catch (error) {
      return [unreadable(file.path, error)]
    }
    take(bytes)
  }
  return []
}

function unreadable(path: string, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.name : 'unknown reason'
  return {
    rule: 'store/unreadable',
    severity: 'error',
    file: fileId(path),
    row: null,
    node: null,
    message: `The file could not be read: ${reason}.`,
  }
}
