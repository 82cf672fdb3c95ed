/** X10: usage without an index: a pass of its own over the rows that carry usage. */
import { join } from 'node:path'
import type { UsageRow } from '@dagline/core/measure'
import { type Archive, createUsageScanner, type PresentFile, type UsageScanner } from '@dagline/store'
import { noteFailures } from '../files/unread.js'
import type { Host } from '../host/host.js'
import { workMeter } from '../text/meter.js'

/** Whose a message is beside its project, only the graph says: such questions are not asked of the pass. */
const NOT_ASKED = {
  session: '',
  agent: null,
  agentId: null,
  line: '',
  status: 'live',
  version: null,
} as const

/** The parts of all messages in some files, with the project of the file. What could not be read is noted. */
export function* readUsageParts(
  host: Host,
  files: readonly PresentFile[],
  archive: Archive | null,
): Generator<UsageRow> {
  const scan = createUsageScanner()
  const meter = workMeter(host, 'reading usage', 'files')
  const ofBytes = files.reduce((sum, file) => sum + file.bytes, 0)
  let bytes = 0
  for (const [done, file] of files.entries()) {
    meter.show({ done, of: files.length, bytes, ofBytes })
    const { parts, diagnostics } = scanFile(scan, file, archive)
    noteFailures(host, file.root, diagnostics)
    for (const part of parts) yield { ...part, ...NOT_ASKED, project: file.project }
    bytes += file.bytes
  }
  meter.done()
}

function scanFile(scan: UsageScanner, file: PresentFile, archive: Archive | null): ReturnType<UsageScanner> {
  const { root, path } = file
  const kept = file.archive === null ? null : (archive?.at(join(root, ...path.split('/'))) ?? null)
  return scan(kept ?? root, path)
}
