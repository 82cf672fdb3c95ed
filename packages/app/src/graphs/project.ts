/** Reads the files of a project into its graph, and reports what could not be read. */

import {
  type Diagnostic,
  type Graph,
  type GraphBuilder,
  type ParsedRow,
  type RawRow,
  type SeeRecord,
  startGraph,
} from '@dagline/core'
import { bytes, plural } from '@dagline/core/format'
import type { Json, TranscriptRecord } from '@dagline/core/parse'
import {
  type Fingerprint,
  type FoundFile,
  isReadFailure,
  parseTranscript,
  type Reading,
} from '@dagline/store'
import type { ProjectLocation } from '../files/projects.js'
import { noteFailures } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { progressLine } from '../text/meter.js'

/** A project that was read. */
export interface LoadedProject extends ProjectLocation {
  readonly graph: Graph
  /** What the reading found; what the graph finds is asked from the graph. */
  readonly found: readonly Diagnostic[]
  /** The fingerprint of each file; null where it was not read whole, or no fingerprint was asked for. */
  readonly fingerprints: ReadonlyMap<string, Fingerprint | null>
}

/** What reading found and what the graph finds. */
export function allDiagnostics({ found, graph }: LoadedProject): readonly Diagnostic[] {
  return [...found, ...graph.diagnostics()]
}

/** How a project is read. */
export interface LoadOptions {
  /** Receives every record with its JSON, which the graph does not keep. */
  readonly see?: SeeInFile
  /** Takes fingerprints of the files: edits and exports need them. */
  readonly isHashed?: boolean
  /** I16: reads only files that are linked with what was asked for, where the index knows them; else the whole project. */
  readonly isLinkedOnly?: boolean
}

/** Receives each record with its JSON and its file. */
export type SeeInFile = (json: Json, record: TranscriptRecord, file: FoundFile, damaged?: string) => void

/** Receives the progress of reading, and what could not be read. */
export interface Meter {
  /** Receives now and then how many bytes of the present file were read. */
  readonly within: (bytes: number) => void
  /** A file was read. */
  readonly add: (file: FoundFile) => void
  /** Files and folders of a project, by their paths below the root, that could not be read whole. */
  readonly unread: (root: string, failures: readonly Diagnostic[]) => void
  readonly done: () => void
}

/** Ignores everything. */
export const SILENT: Meter = { within: () => {}, add: () => {}, unread: () => {}, done: () => {} }

/** Reads one project. */
export function loadProject(
  { root, project }: ProjectLocation,
  meter: Meter = SILENT,
  options: LoadOptions = {},
): LoadedProject {
  const builder = startGraph()
  const found: Diagnostic[] = []
  const fingerprints = new Map<string, Fingerprint | null>()
  for (const file of project.files) {
    const { diagnostics, fingerprint } = addFile(builder, root, file, { ...options, meter })
    found.push(...diagnostics)
    fingerprints.set(file.path, fingerprint)
    meter.add(file)
  }
  meter.unread(root, [...project.unread, ...found.filter(isReadFailure)])
  return { root, project, graph: builder.build(), found, fingerprints }
}

/** Reads one project, and shows how far it is when that takes longer than a moment. */
export function loadShown(location: ProjectLocation, host: Host, options: LoadOptions = {}): LoadedProject {
  const meter = meterOf(host)
  const loaded = loadProject(location, meter, options)
  meter.done()
  return loaded
}

function addFile(
  builder: GraphBuilder,
  root: string,
  file: FoundFile,
  { meter, see: seeInFile, isHashed = false }: LoadOptions & { readonly meter: Meter },
): Reading {
  const see: SeeRecord | undefined =
    seeInFile === undefined ? undefined : (json, record, damaged) => seeInFile(json, record, file, damaged)
  let told = 0
  const put = (parsed: ParsedRow, { offset }: RawRow): void => {
    builder.addRow(file, parsed)
    if (offset - told < TOLD_EVERY) return
    told = offset
    meter.within(told)
  }
  const options = see === undefined ? { isHashed } : { isHashed, see }
  const reading = parseTranscript(root, file.path, put, options)
  reading.finish()
  const { result } = reading
  builder.addFile(file, result === null ? file.bytes : result.next.offset + (result.pending?.length ?? 0))
  return reading
}

/** Bytes of a file between two reports of progress. */
const TOLD_EVERY = 1024 * 1024

/** A meter that shows itself when reading takes longer than a moment. */
export function meterOf(host: Host): Meter {
  const line = progressLine(host)
  let [files, size] = [0, 0]
  const show = (read: number): void => {
    const what = files === 0 ? '' : `${plural(files, 'file')}, `
    line.show(seconds => `reading: ${what}${bytes(read)}, ${bytes(read / seconds)}/s`)
  }
  return {
    within: read => show(size + read),
    add: file => {
      files++
      size += file.bytes
      show(size)
    },
    unread: (root, failures) => noteFailures(host, root, failures),
    done: line.done,
  }
}
