/** One case against one release: what the CLI sent, what the model said it would, and what was promised. */
import { loadedBy } from '@dagline/core'
import type { LabCase, LabSession, NoSession } from '../cases/case.ts'
import type { Cli } from './cli.ts'
import { readSession } from './graph.ts'
import { blocksOf, objectOf, parseRowText, textIn } from './json.ts'
import { type MarkedSession, markSession } from './marks.ts'
import { type Resumed, resume } from './resume.ts'

/** How a case went. */
export interface Verdict {
  readonly kind: string
  readonly name: string
  readonly version: string
  /** Whether dagline has made the session. */
  readonly isMade: boolean
  /** The model named exactly the entries that were sent. */
  readonly agrees: boolean
  /** And in the order in which they were sent. */
  readonly isOrdered: boolean
  /** The API would take the request. */
  readonly isValid: boolean
  /** What was promised was sent, and nothing else; null where nothing was. */
  readonly keepsPromise: boolean | null
  /** Why there was nothing to resume; null where there was. */
  readonly none: NoSession['why'] | null
  /** Blocks that the client made up. */
  readonly madeUp: readonly string[]
  readonly sent: number
  readonly live: number
  /** What differs, in rows; or why nothing was made. */
  readonly difference: string
}

/** How long to wait for a release that is said to hang, in milliseconds. */
const HANGING = 10_000

/** Tries a case. */
export async function judge(cli: Cli, tried: LabCase): Promise<Verdict> {
  const made = await tried.make(cli.version, cli.path)
  const head = { kind: tried.kind, name: tried.name, version: cli.version, isMade: tried.isMade }
  return { ...head, ...('why' in made ? judgeNone(made) : await judgeSession(cli, made)) }
}

type Judged = Omit<Verdict, 'kind' | 'name' | 'version' | 'isMade'>

function judgeNone({ why, sentence }: NoSession): Judged {
  const nothing = {
    agrees: true,
    isOrdered: true,
    isValid: true,
    keepsPromise: null,
    madeUp: [],
    sent: 0,
    live: 0,
  }
  return { ...nothing, none: why, difference: sentence }
}

async function judgeSession(cli: Cli, made: LabSession): Promise<Judged> {
  const marked = markSession(made.text)
  const { graph, path, extras } = readSession(made.session, marked.text)
  const loaded = loadedBy(graph, path, { version: cli.version, extras })
  const model = loaded.nodes.map(node => graph.id(node))
  const longest = loaded.stop?.why === 'hangs' ? HANGING : undefined
  const { session, folder, isMoved = false } = made
  const resumed = await resume(cli.path, { ...marked, session, folder, isMoved }, longest)
  const scale = { marked, resumed, free: freeEntries(marked) }
  const against = compare(model, scale)
  const promised = made.promise === null ? null : compare(made.promise, scale)
  return {
    agrees: against.difference === '',
    isOrdered: against.isOrdered,
    isValid: resumed.refused.length === 0 && resumed.error === null,
    keepsPromise: promised === null ? null : promised.difference === '' && promised.isInTurns,
    none: null,
    madeUp: resumed.madeUp,
    sent: resumed.groups.length,
    live: graph.live(path).length,
    difference: promised === null ? against.difference || wrongs(resumed) : brokenIn(promised, resumed),
  }
}

function brokenIn({ difference, isInTurns }: Comparison, resumed: Resumed): string {
  return [difference, isInTurns ? '' : 'sent in another order', wrongs(resumed)]
    .filter(text => text !== '')
    .join('; ')
}

function wrongs({ refused, error }: Resumed): string {
  return [...new Set(refused.map(({ what }) => what)), ...(error === null ? [] : [error])].join(', ')
}

interface Scale {
  readonly marked: MarkedSession
  readonly resumed: Resumed
  readonly free: ReadonlySet<string>
}

interface Comparison {
  readonly difference: string
  readonly isOrdered: boolean
  /** The turns come in the expected order; inside of them the order is the client's. */
  readonly isInTurns: boolean
}

/** Holds what was expected against what was sent. */
function compare(expected: readonly string[], { marked, resumed, free }: Scale): Comparison {
  const wanted = new Set(expected.filter(uuid => !free.has(uuid)))
  const groups = resumed.groups
    .map(group => group.filter(uuid => !free.has(uuid)))
    .filter(group => group.length > 0)
  const sure = groups.flatMap(group => (group.length === 1 ? group : []))
  const possible = new Set(groups.flat())
  const rows = new Map(marked.entries.map(({ uuid, row }) => [uuid, row]))
  const say = (uuids: Iterable<string>): string =>
    [...uuids]
      .slice(0, 6)
      .map(uuid => rows.get(uuid) ?? '?')
      .join(' ')
  const unexpected = [...sure.filter(uuid => !wanted.has(uuid)), ...openOf(groups, wanted)]
  const missing = [...wanted].filter(uuid => !possible.has(uuid))
  const parts = [
    ...(unexpected.length > 0 ? [`sent unexpectedly: rows ${say(unexpected)}`] : []),
    ...(missing.length > 0 ? [`not sent: rows ${say(missing)}`] : []),
  ]
  const known = new Set(sure)
  const isOrdered = [...wanted].filter(uuid => known.has(uuid)).join() === sure.join()
  return { difference: parts.join('; '), isOrdered, isInTurns: isInTurns(expected, sure, marked) }
}

/** Whether what was sent never goes back to an earlier turn. */
function isInTurns(
  expected: readonly string[],
  sent: readonly string[],
  { entries }: MarkedSession,
): boolean {
  const types = new Map(entries.map(({ uuid, type }) => [uuid, type]))
  const turns = new Map<string, number>()
  let turn = 0
  for (const [at, uuid] of expected.entries()) {
    if (at > 0 && types.get(uuid) !== types.get(expected[at - 1] ?? '')) turn++
    turns.set(uuid, turn)
  }
  const order = sent.flatMap(uuid => turns.get(uuid) ?? [])
  return order.every((each, at) => at === 0 || each >= (order[at - 1] ?? 0))
}

/** Of entries that cannot be told apart one must be expected. */
function openOf(groups: readonly (readonly string[])[], wanted: ReadonlySet<string>): readonly string[] {
  const open = groups.filter(group => group.length > 1 && !group.some(uuid => wanted.has(uuid)))
  return open.flatMap(group => group.slice(0, 1))
}

/** What the client says by itself: the same words in the file cannot be told from it. */
const MADE_UP = 'text:assistant:No response requested.'

/**
 * Entries that are not compared: those without anything to know them by, words that the client makes up, and thinking,
 * which newer releases send only to the model that wrote it.
 */
function freeEntries({ text, entries }: MarkedSession): ReadonlySet<string> {
  const free = new Set(
    entries
      .filter(({ keys, mark }) => mark === 0 && keys.every(key => key === MADE_UP))
      .map(({ uuid }) => uuid),
  )
  for (const row of text.split('\n')) {
    const json = row.includes('thinking') ? parseRowText(row) : null
    const blocks = blocksOf(objectOf(json?.['message'])?.['content'])
    const uuid = textIn(json, 'uuid')
    if (
      uuid !== null &&
      blocks.length > 0 &&
      blocks.every(block => String(block['type']).endsWith('thinking'))
    )
      free.add(uuid)
  }
  return free
}
