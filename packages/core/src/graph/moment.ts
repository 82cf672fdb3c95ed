/** The moment of a request: which entries had been written when it was sent, and by which release. */
import type { OpenFile } from './file-record.js'
import * as t from './table.js'

/** Rows of its own file stand in the order of writing; of entries in other files only their times tell. */
export interface Moment {
  /** The file of the conversation; none where all that was read counts. */
  readonly file: number
  /** The first row of the file that was written later. */
  readonly row: number
  readonly time: number
  /** The first part of the answer to it; none where it has none yet. */
  readonly answer: number
  /** The release that sends it walks parents alone when it loads a file (L13). */
  readonly walksParents: boolean
  /** It sends calls without results on (L7). */
  readonly sendsOpenCalls: boolean
  /** It writes `cost-state` where a process ends, whether or not one has done so in the file yet (L10). */
  readonly writesCosts: boolean
  /** It does not load progress rows, and loses what stands above one (L13). */
  readonly losesProgress: boolean
}

/** After everything that was read, by a release that loads files whole. */
export const atTheEnd: Moment = {
  file: t.none,
  row: 0,
  time: Number.POSITIVE_INFINITY,
  answer: t.none,
  walksParents: false,
  sendsOpenCalls: false,
  writesCosts: false,
  losesProgress: false,
}

/** Whether an entry had been written. One in another file without a time had. */
export function isWritten({ file, row, time }: t.Table, moment: Moment, node: number): boolean {
  if (moment.file === t.none) return true
  if (t.int(file, node) === moment.file) return t.int(row, node) < moment.row
  return !(t.real(time, node) > moment.time)
}

/** Whether a release that marks its end so sends the request, or had written to the file. */
export function hasCostStates({ index, costStates }: OpenFile, moment: Moment): boolean {
  if (moment.writesCosts) return true
  const first = costStates[0]
  if (first === undefined) return false
  return moment.file !== index || first < moment.row
}
