/** Entries that cannot be sent as they are: empty ones, thoughts without a signature, a beginning that is an answer. */
import * as t from '../graph/table.js'
import { asObject } from '../parse/json.js'
import { type Bench, dropRow, isMarked, mend, patchRow, type Said } from './bench.js'
import { deriveId } from './rename.js'
import { Blank, EmptyBlock, NothingToSend, Unsigned } from './survey.js'

/** Takes out what cannot be sent, and gives the conversation as it is then sent. */
export function mendContent(bench: Bench, talk: readonly Said[]): readonly Said[] {
  return talk.filter(node => {
    if (typeof node !== 'number' || !isMarked(bench, node, EmptyBlock | Unsigned)) return true
    const isThought = isMarked(bench, node, Unsigned)
    const kind = isThought ? 'unsendable-thinking' : 'empty-content'
    if (!bench.wants(kind)) return true
    const why = isThought
      ? 'A thought without its signature is left out: the API would refuse the whole conversation.'
      : 'The API refuses an empty text.'
    if (isMarked(bench, node, NothingToSend)) dropRow(bench, kind, node, why)
    else {
      mend(bench, kind, node, why)
      patchRow(bench, node, { clean: true })
    }
    return !bench.dropped.has(node)
  })
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
  const { table } = bench.state
  if (typeof first !== 'number' || t.byte(table.kind, first) !== t.Assistant) return talk
  if (!bench.wants('answer-first') && !bench.wants('dangling-parent')) return talk
  const { id, version, time } = bench.source.graph.node(first)
  const made = deriveId(bench.session, `start ${id}`)
  const record = asObject({
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: bench.file.cwd ?? '',
    sessionId: bench.session,
    version,
    type: 'user',
    message: { role: 'user', content: 'The beginning of this conversation was not recorded.' },
    isMeta: true,
    uuid: made,
    ...(time === null ? {} : { timestamp: new Date(time).toISOString() }),
  })
  if (record === null) return talk
  mend(
    bench,
    'answer-first',
    first,
    'The conversation begins with an answer; a word about that is put before it.',
  )
  bench.start = { node: first, made: { id: made, record } }
  return [bench.start.made, ...talk]
}
