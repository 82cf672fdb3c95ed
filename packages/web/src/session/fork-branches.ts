/** The branches of a fork: what each is, how large, and what it cost. */

import { money, plural } from '@dagline/core/format'
import { sumCosts } from '@dagline/core/model'
import type { SheetLine } from '@dagline/core/protocol'
import { branchAt, tailKey } from '@dagline/core/view'
import { isMessage } from './facts.js'
import type { View } from './view.js'

export interface ForkBranch {
  readonly fork: number
  /** Its position among the branches of the fork. */
  readonly branch: number
  readonly status: SheetLine['status']
  /** Its first row; -1 for none. */
  readonly head: number
  /** Its key in `FoldChoice.open`. */
  readonly key: number
  readonly messages: number
  readonly cost: number | null
  /** Branches that leave it. */
  readonly inner: number
  /** The first words. */
  readonly words: string
  /** The id of its line; null for the continuation of the line that the fork is on. */
  readonly line: string | null
  readonly isTaken: boolean
}

/** All branches of a fork, in the order in which they were written. */
export function branchesAt(view: View, fork: number): readonly ForkBranch[] {
  const branches = view.sheet.forks[fork]?.branches ?? []
  return branches.map((_, branch) => branchOf(view, fork, branch))
}

/** One branch of a fork. */
export function branchOf(view: View, fork: number, branch: number): ForkBranch {
  const { sheet, facts, choice } = view
  const line = sheet.forks[fork]?.branches[branch] ?? -1
  const taken = { fork, branch, isTaken: branchAt(sheet, fork, choice) === branch }
  const known = sheet.lines[line]
  if (known === undefined) return { ...taken, ...tailOf(view, fork) }
  return {
    ...taken,
    status: facts.abandoned[line] === true && known.status === 'live' ? 'abandoned' : known.status,
    head: known.head,
    key: line,
    messages: facts.messages[line] ?? 0,
    cost: facts.costs[line] ?? null,
    inner: facts.inner[line] ?? 0,
    words: known.words ?? '',
    line: known.id,
  }
}

/** The continuation of the line that the fork is on. */
function tailOf({ sheet, facts }: View, fork: number): Omit<ForkBranch, 'fork' | 'branch' | 'isTaken'> {
  const row = sheet.forks[fork]?.row ?? -1
  const line = sheet.rows.line[row] ?? -1
  const next = sheet.lines[line]?.next ?? -1
  const costs = [facts.costs[next] ?? null]
  let [head, messages, words] = [-1, facts.messages[next] ?? 0, '']
  for (let at = row + 1; at < sheet.rows.node.length; at++) {
    if (sheet.rows.line[at] !== line) continue
    if (head < 0) head = at
    if (isMessage(sheet, at)) messages++
    if (words === '') words = facts.words.get(at) ?? ''
    costs.push(facts.turns.get(at) ?? null)
  }
  const key = tailKey(sheet, fork)
  const status = facts.abandoned[line] === true ? 'abandoned' : 'live'
  return {
    status,
    head,
    key,
    messages,
    cost: sumCosts(costs),
    inner: facts.inner[next] ?? 0,
    words,
    line: null,
  }
}

/** `12 messages · $0.34 · 2 more branches in it`. */
export function sizeOf({
  messages,
  cost,
  inner = 0,
}: Partial<ForkBranch> & Pick<ForkBranch, 'messages' | 'cost'>): string {
  const parts = [
    plural(messages, 'message'),
    cost === null ? '' : money(cost),
    inner === 0 ? '' : `${plural(inner, 'more branch', 'more branches')} in it`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** The address that compares a branch with the one that is shown; null where that is the same one. */
export function compareLink(view: View, branch: ForkBranch): string | null {
  const taken = branchesAt(view, branch.fork).find(other => other.isTaken && other.branch !== branch.branch)
  const [a, b] = [view.sheet.rows.node[branch.head], view.sheet.rows.node[taken?.head ?? -1]]
  return a === undefined || b === undefined ? null : `/compare?a=${a}&b=${b}`
}
