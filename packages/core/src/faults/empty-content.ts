import type { Draft } from '../edit/draft.js'
import { marksAt } from '../edit/source.js'
import { isUser } from '../graph/nodes.js'
import {
  BlankString,
  EmptyBlock,
  EmptyInResult,
  NoData,
  NothingToSend,
  Unsigned,
} from '../resume/content-marks.js'
import {
  counted,
  type EntriesFinding,
  type FaultContext,
  type FaultKind,
  findingFor,
  markOf,
} from './fault.js'

/** D8: messages with nothing in them. Blocks of white space are none: every release leaves them out. */
export const emptyContent: FaultKind<EntriesFinding> = {
  id: 'empty-content',
  rule: 'D8',
  title: 'empty messages',
  meaning: 'A message of the conversation has empty text, no content at all, or an image without data.',
  cost: 'The API rejects what Claude Code sends of it, and every further prompt (400). The rest is left out.',
  remedy: 'The repair leaves the empty message or block out.',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: context => {
    const refused = context.loaded.nodes.filter(node => isRefused(context, node))
    const isFound = new Set(refused)
    const isEmpty = (node: number): boolean =>
      (markOf(context, node) & EmptyBlock) !== 0 && !isFound.has(node)
    const empty = [...context.live].filter(isEmpty)
    const sent = `${counted(refused.length, 'entry is', 'entries are')} sent with an empty text or an image without data.`
    // With releases before 2.1.197 the API refuses every further prompt.
    const unsent = `${counted(empty.length, 'entry', 'entries')} with empty text, which newer releases leave out.`
    return [...findingFor(context, refused, 'error', sent), ...findingFor(context, empty, 'info', unsent)]
  },
  stages: ['content'],
  repair: (draft, found) =>
    cleanEntries(draft, found, marks => {
      // Thinking without a signature is another fault, and its repair takes out what is empty, too.
      if ((marks & Unsigned) !== 0) return null
      return (marks & NoData) !== 0
        ? 'The API refuses an image or document without data; a note takes its place.'
        : 'The API refuses an empty text.'
    }),
}

/** Whether the API refuses an entry that is sent. */
function isRefused(context: FaultContext, node: number): boolean {
  const mark = markOf(context, node)
  return (
    (mark & (EmptyInResult | NoData)) !== 0 || (isUser(context.graph, node) && (mark & BlankString) !== 0)
  )
}

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
