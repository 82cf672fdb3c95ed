/** What can be told of a way at a fork. */
import { type SheetLine, tailKey, wayAt } from '@dagline/core'
import { money, plural } from '../parts/format.js'
import { isMessage } from './facts.js'
import type { View } from './view.js'

export interface Way {
  readonly fork: number
  readonly way: number
  readonly status: SheetLine['status']
  /** Its first row; -1 for none. */
  readonly head: number
  /** Its number among what can be opened in place. */
  readonly key: number
  readonly messages: number
  readonly cost: number | null
  /** Branches that leave it. */
  readonly inner: number
  readonly words: string
  /** The id of its line; null for the line of the fork itself, going on. */
  readonly line: string | null
  readonly isTaken: boolean
  readonly isOpen: boolean
}

export const STATUS_WORDS: Readonly<Record<SheetLine['status'], string>> = {
  live: 'Live',
  abandoned: 'Abandoned',
  'taken-back': 'Taken back',
  retry: 'Tried again',
  copy: 'Copy',
}

/** What a way is called that one reads. */
export const READING: Readonly<Record<SheetLine['status'], string>> = {
  live: 'live',
  abandoned: 'abandoned',
  'taken-back': 'taken-back',
  retry: 'failed',
  copy: 'copied',
}

/** All ways of a fork, in the order of writing. */
export function waysAt(view: View, fork: number): readonly Way[] {
  const ways = view.sheet.forks[fork]?.ways ?? []
  return ways.map((_, way) => wayOf(view, fork, way))
}

/** One way of a fork. */
export function wayOf(view: View, fork: number, way: number): Way {
  const { sheet, facts, choice } = view
  const line = sheet.forks[fork]?.ways[way] ?? -1
  const taken = { fork, way, isTaken: wayAt(sheet, fork, choice) === way }
  const known = sheet.lines[line]
  if (known === undefined) return { ...taken, ...tailOf(view, fork) }
  return {
    ...taken,
    status: facts.left[line] === true && known.status === 'live' ? 'abandoned' : known.status,
    head: known.head,
    key: line,
    messages: facts.messages[line] ?? 0,
    cost: facts.costs[line] ?? null,
    inner: facts.inner[line] ?? 0,
    words: known.words ?? '',
    line: known.id,
    isOpen: choice.open.has(line),
  }
}

/** The line of the fork itself, going on. */
function tailOf({ sheet, facts, choice }: View, fork: number): Omit<Way, 'fork' | 'way' | 'isTaken'> {
  const row = sheet.forks[fork]?.row ?? -1
  const line = sheet.rows.line[row] ?? -1
  let [head, messages, words] = [-1, 0, '']
  for (let at = row + 1; at < sheet.rows.node.length; at++) {
    if (sheet.rows.line[at] !== line) continue
    if (head < 0) head = at
    if (isMessage(sheet, at)) messages++
    if (words === '') words = facts.words.get(at) ?? ''
  }
  const key = tailKey(sheet, fork)
  const status = facts.left[line] === true ? 'abandoned' : 'live'
  return {
    status,
    head,
    key,
    messages,
    cost: null,
    inner: 0,
    words,
    line: null,
    isOpen: choice.open.has(key),
  }
}

/** `12 messages · $0.34`, and what is in it besides. */
export function sizeOf({ messages, cost, inner = 0 }: Partial<Way> & Pick<Way, 'messages' | 'cost'>): string {
  const parts = [
    plural(messages, 'message'),
    cost === null ? '' : money(cost),
    inner === 0 ? '' : `${plural(inner, 'more branch', 'more branches')} in it`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** The address that holds a way against the one that is taken; null where there is nothing to hold it against. */
export function compareLink(view: View, way: Way): string | null {
  const taken = waysAt(view, way.fork).find(other => other.isTaken && other.way !== way.way)
  const [a, b] = [view.sheet.rows.node[way.head], view.sheet.rows.node[taken?.head ?? -1]]
  return a === undefined || b === undefined ? null : `/compare?a=${a}&b=${b}`
}
