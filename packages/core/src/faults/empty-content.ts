import { cleanEntries } from '../edit/clean.js'
import { type Draft, isMarked, type Said } from '../edit/draft.js'
import { isUser } from '../graph/nodes.js'
import { BlankString, EmptyBlock, EmptyInResult, NoData, Unsigned } from '../resume/content-marks.js'
import { counted, type FaultContext, type FaultKind, type FoundFault, faultAt, markOf } from './fault.js'

/** D8: messages with nothing in them. Blocks of white space are none: every release leaves them out. */
export const emptyContent: FaultKind = {
  id: 'empty-content',
  title: 'empty messages',
  meaning: 'A message of the conversation has empty text, no content at all, or an image without data.',
  cost: 'What Claude Code sends of it the API refuses, with every further prompt (400); the rest is left out.',
  fix: 'dagline repair SESSION',
  isRefused: true,
  find: context => {
    const refused = context.loaded.nodes.filter(node => isRefused(context, node))
    return [...describeRefused(context, refused), ...leftOut(context, new Set(refused))]
  },
  repairs: [{ stage: 'content', rewrite: cleanContent }],
}

/** Whether the API refuses an entry that is sent. */
function isRefused(context: FaultContext, node: number): boolean {
  const { graph } = context
  const mark = markOf(context, node)
  const isOfUser = isUser(graph, node)
  return (mark & (EmptyInResult | NoData)) !== 0 || (isOfUser && (mark & BlankString) !== 0)
}

function describeRefused(context: FaultContext, refused: readonly number[]): readonly FoundFault[] {
  const [first] = refused
  if (first === undefined) return []
  const message = `${counted(refused.length, 'entry is', 'entries are')} sent with an empty text or an image without data.`
  return [{ ...faultAt(context, first, 'error', message), count: refused.length }]
}

/** Newer releases do not send these; with those before 2.1.197 the API refuses every further prompt. */
function leftOut(context: FaultContext, refused: ReadonlySet<number>): readonly FoundFault[] {
  const { graph, file } = context
  const empty = graph
    .live(file.facts.path)
    .filter(node => (markOf(context, node) & EmptyBlock) !== 0)
    .filter(node => !refused.has(node))
  const [first] = empty
  if (first === undefined) return []
  const message = `${counted(empty.length, 'entry', 'entries')} with empty text, which newer releases leave out.`
  return [{ ...faultAt(context, first, 'info', message), count: empty.length }]
}

function cleanContent(draft: Draft, conversation: readonly Said[]): readonly Said[] {
  const isMeant = (node: number): boolean =>
    isMarked(draft, node, EmptyBlock | NoData) && !isMarked(draft, node, Unsigned)
  const whyFor = (node: number): string =>
    isMarked(draft, node, NoData)
      ? 'The API refuses an image or document without data; a word about it takes its place.'
      : 'The API refuses an empty text.'
  return cleanEntries(draft, conversation, { kind: 'empty-content', isMeant, whyFor })
}
