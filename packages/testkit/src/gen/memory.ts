/** The conversation in memory, and what of it the next request carries (rule L3). */
import type { ApiMessage, Item, Memory, Standing, State } from './model.js'

/** The items of a memory, oldest first. */
export function itemsOf(memory: Memory | null): Item[] {
  const items: Item[] = []
  for (let at = memory; at; at = at.before) items.push(at.item)
  return items.reverse()
}

/** A memory of the items, given oldest first. */
export function memoryOf(items: readonly Item[]): Memory | null {
  return items.reduce<Memory | null>((before, item) => ({ item, before }), null)
}

/** A state without its ways back: keeping those in every point would keep the whole history alive. */
export function standingOf({ tip, memory, choices }: State): Standing {
  return { tip, memory, choices }
}

/** Parts of one message with the results of its calls, or a single entry. */
interface Group {
  readonly message: ApiMessage | null
  readonly parts: Item[]
  readonly results: Item[]
}

/** What the next request carries, in order of sending: parts by their chain, results as written. */
export function sendingOf(memory: Memory | null): Item[] {
  const remembered = itemsOf(memory)
  const turn = remembered.findLastIndex(({ kind, answers }) => kind === 'user' && answers === null)
  const isSent = ({ kind, error }: Item, at: number): boolean =>
    kind !== 'other' && (error === false || (error === 'later' && at < turn))
  const items = remembered.filter(isSent)
  const groups = groupItems(items)
  const answered = new Set(items.map(({ answers }) => answers))
  const last = groups.at(-1)
  return groups.flatMap(group => sendGroup(group, answered, group === last))
}

function groupItems(items: readonly Item[]): Group[] {
  const groups: Group[] = []
  const open = new Map<ApiMessage, Group>()
  for (const item of items) {
    const group = item.message ? open.get(item.message) : undefined
    if (group) (item.answers === null ? group.parts : group.results).push(item)
    else groups.push(openGroup(item, open))
  }
  return groups
}

function openGroup(item: Item, open: Map<ApiMessage, Group>): Group {
  const group: Group = {
    message: item.kind === 'assistant' ? item.message : null,
    parts: [item],
    results: [],
  }
  if (group.message) open.set(group.message, group)
  return group
}

/** Calls without a result and messages of thinking only are sent in the last message, never later. */
function sendGroup(group: Group, answered: ReadonlySet<string | null>, last: boolean): Item[] {
  const { message, parts, results } = group
  if (message === null || last) return [...parts, ...results]
  const sent = parts.filter(({ calls }) => calls.length === 0 || calls.some(id => answered.has(id)))
  return sent.every(({ thinking }) => thinking) ? [] : [...sent, ...results]
}

/**
 * What survives a kill: calls that never got a result are forgotten (L7), with whatever was only written
 * beside them. Null when nothing was lost.
 */
export function survivorsOf(memory: Memory | null): Item[] | null {
  const items = itemsOf(memory)
  const answered = new Set(items.map(({ answers }) => answers))
  const lost = items.filter(({ calls }) => calls.length > 0 && !calls.some(id => answered.has(id)))
  const first = lost[0]
  if (!first) return null
  return items.filter(
    item => !lost.includes(item) && (item.kind !== 'other' || item.node.place < first.node.place),
  )
}
