/** Entries that cannot be sent as they are: empty ones, thoughts without a signature, a beginning that is an answer. */
import { isAssistant, none, timeOf } from '../graph/nodes.js'
import { Blank, EmptyBlock, NoData, NothingToSend, Unsigned, WrongRole } from '../resume/content-marks.js'
import { unknownBeginning } from './beginning.js'
import { type Bench, dropRow, isMarked, mainNodes, mend, patchRow, type Said } from './bench.js'
import { isoTimeOf } from './source.js'

/** Takes out what cannot be sent, and gives the conversation as it is then sent. */
export function mendContent(bench: Bench, talk: readonly Said[]): readonly Said[] {
  return talk.filter(node => {
    if (typeof node !== 'number' || !isMarked(bench, node, EmptyBlock | Unsigned | NoData)) return true
    const isThought = isMarked(bench, node, Unsigned)
    const kind = isThought ? 'unsendable-thinking' : 'empty-content'
    if (!bench.wants(kind)) return true
    const why = isThought
      ? 'A thought without its signature is left out: the API would refuse the whole conversation.'
      : isMarked(bench, node, NoData)
        ? 'The API refuses an image or document without data; a word about it takes its place.'
        : 'The API refuses an empty text.'
    if (isMarked(bench, node, NothingToSend)) dropRow(bench, kind, node, why)
    else {
      mend(bench, kind, node, why)
      patchRow(bench, node, { clean: true })
    }
    return !bench.dropped.has(node)
  })
}

/** Messages whose role is not that of their entry: the API takes no call by the user, and no result by the model. */
export function mendRoles(bench: Bench): void {
  if (!bench.wants('wrong-role')) return
  for (const node of mainNodes(bench)) {
    if (!isMarked(bench, node, WrongRole) || bench.dropped.has(node)) continue
    mend(
      bench,
      'wrong-role',
      node,
      'Its message names another role than the entry; it gets that of the entry.',
    )
    patchRow(bench, node, { role: true })
  }
}

/** Entries without a time: newer releases find no end in a file without times. Each gets that of the entry before it. */
export function mendTimes(bench: Bench, now: number): void {
  if (!bench.wants('no-time')) return
  const nodes = bench.file.nodes.filter(node => !bench.dropped.has(node))
  const isDated = (node: number): boolean => isoTimeOf(timeOf(bench.graph, node)) !== null
  const bare = nodes.filter(node => !isDated(node))
  const [first] = bare
  if (first === undefined) return
  let last = isoTimeOf(timeOf(bench.graph, nodes.find(isDated) ?? none)) ?? new Date(now).toISOString()
  for (const node of nodes) {
    const own = isoTimeOf(timeOf(bench.graph, node))
    if (own === null) patchRow(bench, node, { time: last })
    else last = own
  }
  mend(
    bench,
    'no-time',
    first,
    `${bare.length} entries have no valid time; each gets that of the entry before it.`,
  )
}

/** Texts of white space: no fault, and never sent. Where a file is written anew they are left out with all else. */
export function dropBlank(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const left = talk.filter(node => {
    if (typeof node !== 'number' || !isMarked(bench, node, Blank) || !bench.wants('empty-content'))
      return true
    if (isMarked(bench, node, NothingToSend))
      dropRow(bench, 'empty-content', node, 'It is white space alone.')
    else patchRow(bench, node, { clean: true })
    return !bench.dropped.has(node)
  })
  const first = left.find(item => typeof item === 'number')
  if (bench.start !== null && first !== undefined) bench.start = { ...bench.start, node: first }
  return left
}

/** A conversation begins with the user: where the file begins with an answer, a word about that is put before it. */
export function mendStart(bench: Bench, talk: readonly Said[]): readonly Said[] {
  const [first] = talk
  if (typeof first !== 'number' || !isAssistant(bench.graph, first)) return talk
  if (!bench.wants('answer-first') && !bench.wants('dangling-parent')) return talk
  const made = unknownBeginning(bench.source, first, bench.session)
  mend(
    bench,
    'answer-first',
    first,
    'The conversation begins with an answer; a word about that is put before it.',
  )
  bench.start = { node: first, made }
  return [bench.start.made, ...talk]
}
