/** Messages of which something cannot be sent. */
import type { Draft } from '../edit/draft.js'
import { marksAt } from '../edit/source.js'
import { NothingToSend } from '../resume/content-marks.js'
import type { EntriesFinding } from './fault.js'

/** Takes out of entries what cannot be sent, and leaves those out of which nothing is left; `whyFor` is null for those that stay. */
export function cleanEntries(
  draft: Draft,
  found: readonly EntriesFinding[],
  whyFor: (marks: number) => string | null,
): void {
  for (const node of found.flatMap(({ nodes }) => nodes)) {
    const marks = marksAt(draft.source, node)
    const why = whyFor(marks)
    if (why === null) continue
    if ((marks & NothingToSend) !== 0) draft.drop(node, why)
    else {
      draft.note(node, why)
      draft.rewrite(node, { clean: true })
    }
  }
  draft.promise(draft.promised().filter(item => typeof item !== 'number' || !draft.isDropped(item)))
}
