import { isInFile, none, parentOf, rowOf } from '../graph/nodes.js'
import { counted, type FaultKind, type Finding, findingAt, findingsOf, type Patient } from './fault.js'

/** D9: compactions that are not whole, or that a resume takes wrongly. */
export const brokenCompaction: FaultKind = {
  id: 'broken-compaction',
  title: 'broken compaction',
  meaning:
    'A compaction has no summary, or names entries that were never written, or a rewind went behind it.',
  cost: 'A resume loads nothing before it, or forgets what it kept, or gives the summary instead of the branch.',
  fix: 'dagline repair SESSION',
  find: patient => [
    ...findingsOf(patient, ['dag/broken-compaction', 'dag/unfinished-compaction'], () =>
      patient.lost.length > 0 ? 'error' : 'warning',
    ),
    ...rewoundBehind(patient),
  ],
}

/** The conversation goes on before the newest compaction, and some kept entries: newer releases load the summary instead. */
function rewoundBehind(patient: Patient): readonly Finding[] {
  const { graph, file, lost } = patient
  const newest = file.compactions.at(-1)
  const hasLists = file.compactions.some(({ preserved }) => preserved.length > 0)
  if (newest === undefined || !hasLists || lost.length === 0 || isBrokenOff(patient)) return []
  const row = rowOf(graph, newest.boundary)
  const before = lost.filter(node => rowOf(graph, node) < row)
  if (before.length === 0 || patient.live.has(newest.summary)) return []
  const message = `The conversation went back behind it: a resume loads its summary instead of ${counted(before.length, 'message')}.`
  return [findingAt(patient, newest.boundary, 'error', message)]
}

/** Whether the loader stops for want of a parent: one that stands in the file was dropped because of the compaction. */
function isBrokenOff({ graph, file, loaded }: Patient): boolean {
  if (loaded.stop === null) return false
  const parent = parentOf(graph, loaded.stop.node)
  return loaded.stop.why !== 'missing' || parent === none || !isInFile(graph, parent, file)
}
