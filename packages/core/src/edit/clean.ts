/** Entries that cannot be sent as they are. */
import { Blank, NothingToSend } from '../resume/content-marks.js'
import { type Draft, dropRow, isMarked, noteRepair, patchRow, type Said } from './draft.js'

/** Entries to clean, and why. */
interface Cleaning {
  readonly kind: string
  readonly isMeant: (node: number) => boolean
  readonly whyFor: (node: number) => string
}

/** Takes out of entries what cannot be sent; leaves those out of which nothing is left. */
export function cleanEntries(
  draft: Draft,
  conversation: readonly Said[],
  { kind, isMeant, whyFor }: Cleaning,
): readonly Said[] {
  if (!draft.wants(kind)) return conversation
  return conversation.filter(node => {
    if (typeof node !== 'number' || !isMeant(node)) return true
    if (isMarked(draft, node, NothingToSend)) {
      dropRow(draft, kind, node, whyFor(node))
      return false
    }
    noteRepair(draft, kind, node, whyFor(node))
    patchRow(draft, node, { clean: true })
    return true
  })
}

/** Texts of white space: no fault, and never sent. Where a file is written anew they are left out with all else. */
export function dropBlank(draft: Draft, talk: readonly Said[]): readonly Said[] {
  const left = talk.filter(node => {
    if (typeof node !== 'number' || !isMarked(draft, node, Blank) || !draft.wants('empty-content'))
      return true
    if (isMarked(draft, node, NothingToSend))
      dropRow(draft, 'empty-content', node, 'It is white space alone.')
    else patchRow(draft, node, { clean: true })
    return !draft.dropped.has(node)
  })
  const first = left.find(item => typeof item === 'number')
  if (draft.start !== null && first !== undefined) draft.start = { ...draft.start, node: first }
  return left
}
