import { mainNodes } from '../edit/draft.js'
import {
  entryBefore,
  holdsConversation,
  isConversation,
  isResult,
  isSummary,
  none,
  parentIdOf,
  rowOf,
  timeOf,
} from '../graph/nodes.js'
import { type BrokenLink, brokenLinkAt, type LinkFinding, relinkFound } from './broken-links.js'
import { counted, type FaultContext, type FaultKind, type Finding, findingAt } from './fault.js'

/** D3: the parent of an entry is missing from the file. */
export const danglingParent: FaultKind<LinkFinding> = {
  id: 'dangling-parent',
  rule: 'D3',
  title: 'missing parent',
  meaning: 'The parent of an entry is missing from the file, so the conversation is cut in two.',
  cost: 'A resume loads only what comes after the cut, unless the entry before is less than five seconds older.',
  remedy: 'The repair links the entry to the one that was written before it.',
  fix: 'dagline repair SESSION',
  find: context =>
    mainNodes(context).flatMap(node => {
      const link = brokenLinkAt(context, node)
      if (link === null || link.why === 'cycle') return []
      return [{ ...describe(context, node, link), at: node, ...repairOf(context, node, link) }]
    }),
  stages: ['links'],
  repair: relinkFound,
}

function describe(context: FaultContext, node: number, { why }: BrokenLink): Finding {
  const { graph, loaded, lost, live } = context
  const say = `Its parent ${parentIdOf(graph, node)?.slice(0, 8)} is not in the file`
  // What a resume loses at such an entry is told by `unreached`.
  if (why === 'absent') return findingAt(context, node, null, 'It names no parent.')
  if (loaded.stop?.node === node && lost.length > 0)
    return findingAt(
      context,
      node,
      'error',
      `${say}: a resume loses ${counted(lost.length, 'message')} before it.`,
    )
  const isFar = !isNear(context, node)
  if (isFar && live.has(node)) return findingAt(context, node, 'warning', `${say}: a resume can end here.`)
  const harmless = isFar ? 'it is on no live branch' : 'the entry before it makes it good'
  const found = findingAt(context, node, 'info', `${say}; ${harmless}.`)
  return isRepaired(context, node) ? found : { ...found, fix: null }
}

/** A repair links what the conversation hangs on; notes beside it stay as they are. */
function isRepaired({ graph }: FaultContext, node: number): boolean {
  return isConversation(graph, node) || holdsConversation(graph, node)
}

/** Newer releases go on at the entry before, where that is less than five seconds older. */
function isNear({ graph }: FaultContext, node: number): boolean {
  const age = timeOf(graph, node) - timeOf(graph, entryBefore(graph, node))
  return age >= 0 && age < 5000
}

/** The entry that it goes on from after a repair, and why. */
function repairOf(
  context: FaultContext,
  node: number,
  { why, above }: BrokenLink,
): Pick<LinkFinding, 'above' | 'why'> {
  const { graph } = context
  if (why !== 'absent' && isSummary(graph, node)) return repairOfSummary(context, node, above)
  const row = rowOf(graph, above)
  if (why === 'absent') {
    const what = isResult(graph, node) ? 'A result' : 'An answer'
    return { above, why: `${what} without a parent; it goes on from the entry on row ${row}.` }
  }
  const where = why === 'missing' ? 'was never written' : 'stands in another file'
  const target = `the entry written before it, on row ${row}`
  return { above, why: `Its parent ${parentIdOf(graph, node)} ${where}; it goes on from ${target}.` }
}

/**
 * C4: a summary whose boundary was never written: the conversation begins with it, as it does behind a boundary. Where a resume
 * loads entries before it today, it goes on from them: nothing that is loaded may go.
 */
function repairOfSummary(
  { loaded }: FaultContext,
  node: number,
  before: number,
): Pick<LinkFinding, 'above' | 'why'> {
  const isBehind = loaded.nodes.some(each => each < node)
  const how = isBehind ? 'goes on from the entry written before it' : 'begins the conversation'
  const why = `The boundary of its compaction was never written; it ${how}.`
  return { above: isBehind ? before : none, why }
}
