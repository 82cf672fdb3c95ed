/** H12: search in the files that are not indexed yet: the bytes of each, and then the texts of those that have all words. */
import { setImmediate } from 'node:timers/promises'
import {
  findsParts,
  type PresentFile,
  parseQuery,
  type ScannedText,
  scanFile,
  snippetOf,
  type TextFilter,
} from '@dagline/store'
import type { Host } from '../host/host.js'
import { workMeter } from '../text/meter.js'

/** A text of a file that is not indexed: what the graph says of it is not known. */
export interface ScannedHit extends Omit<ScannedText, 'file' | 'text'> {
  readonly path: string
  readonly project: string
  readonly session: string | null
  readonly snippet: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** What was found without the index. */
export interface ScanResult {
  /** Files that were searched, and files that are not indexed. */
  readonly files: number
  readonly of: number
  readonly hits: readonly ScannedHit[]
}

/** Whether the filter asks for nothing that only the graph knows. */
export function canScan(text: string, filter: TextFilter): boolean {
  const { touched, agent, branch, live, beforeCompaction, nodes } = filter
  const isOfGraph = [touched, agent, branch, live, beforeCompaction, nodes].some(part => part !== undefined)
  return !isOfGraph && parseQuery(text).some(({ words }) => words.length > 0)
}

/** What to look for. */
interface ScanOptions {
  readonly text: string
  readonly filter: TextFilter
  /** Ends the scan. */
  readonly limit: number
  /** Entries that were found already. */
  readonly known: ReadonlySet<string | null>
}

/** How a scan goes on. */
interface ScanControl {
  readonly onProgress?: (done: number, bytes: number) => void
  readonly isStopped?: () => boolean
}

/** Searches files in their order until there are enough hits, or it is stopped. */
export async function scanFiles(
  files: readonly PresentFile[],
  options: ScanOptions,
  { onProgress, isStopped }: ScanControl = {},
): Promise<ScanResult> {
  const scan = startScan(options)
  let [done, bytes] = [0, 0]
  for (const file of files) {
    if (scan.hits.length >= options.limit || isStopped?.() === true) break
    scan.look(file)
    bytes += file.bytes
    done++
    onProgress?.(done, bytes)
    // Interrupts and other requests are handled between files.
    await setImmediate()
  }
  return { files: done, of: files.length, hits: scan.hits.slice(0, options.limit) }
}

/** The same, with a line that says how far it is. */
export async function scanWithMeter(
  host: Host,
  files: readonly PresentFile[],
  options: ScanOptions,
): Promise<ScanResult> {
  const meter = workMeter(host, 'searching what is not indexed', 'files')
  const ofBytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const onProgress = (done: number, bytes: number): void =>
    meter.show({ done, of: files.length, bytes, ofBytes })
  try {
    return await scanFiles(files, options, { onProgress })
  } finally {
    meter.done()
  }
}

function startScan({ text, filter, known }: ScanOptions): {
  readonly hits: readonly ScannedHit[]
  readonly look: (file: PresentFile) => void
} {
  const parts = parseQuery(text)
  // Bytes are compared without decoding them; other words are looked for in the texts.
  const words = parts.flatMap(part => part.words).filter(word => /^[a-z0-9]+$/i.test(word))
  const seen = new Set(known)
  const hits: ScannedHit[] = []
  const look = (file: PresentFile): void => {
    if (!mayHold(file, filter)) return
    for (const found of scanFile(file, words)) {
      const isNew = found.node === null || !seen.has(found.node)
      if (!isNew || !isWanted(found, filter) || !findsParts(found.text, parts)) continue
      // A copy of an entry in another file is the same entry.
      if (found.node !== null) seen.add(found.node)
      hits.push(
        hitOf(
          found,
          parts.map(part => part.text),
        ),
      )
    }
  }
  return { hits, look }
}

function mayHold({ project, facts }: PresentFile, filter: TextFilter): boolean {
  const isOfProject = filter.projects === undefined || filter.projects.includes(project)
  return isOfProject && (filter.session === undefined || (facts.session ?? '').startsWith(filter.session))
}

function isWanted({ time, field, tool, failed }: ScannedText, filter: TextFilter): boolean {
  // Queued text is found where it arrived.
  if (field === 'queued') return false
  const { since, until, fields, tool: wanted } = filter
  if (since !== undefined && (time ?? 0) < since) return false
  if (until !== undefined && (time ?? Number.POSITIVE_INFINITY) > until) return false
  if (fields !== undefined && !fields.includes(field)) return false
  if (wanted !== undefined && tool?.toLowerCase() !== wanted.toLowerCase()) return false
  return filter.failed !== true || failed
}

function hitOf({ file, text, ...found }: ScannedText, parts: readonly string[]): ScannedHit {
  const { text: snippet, marks } = snippetOf(text, parts)
  return { ...found, path: file.path, project: file.project, session: file.facts.session, snippet, marks }
}
