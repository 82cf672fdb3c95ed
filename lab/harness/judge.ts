/** One case against one release: what the CLI sent, what the model predicts, and what was promised. */

import { createHash } from 'node:crypto'
import { loadedBy } from '@dagline/core/resume'
import { blocksOf, objectOf, parseJson, textIn } from '@dagline/testkit'
import type { LabCase, LabSession, NoSession, Question } from '../cases/case.ts'
import type { Cli } from './cli.ts'
import { type ReadSession, readSession } from './graph.ts'
import { type MarkedEntry, type MarkedSession, markSession } from './marks.ts'
import { type Resumed, resume, type Subject } from './resume.ts'

/** How a case went. */
export interface Verdict {
  readonly asks: Question
  readonly kind: string
  readonly name: string
  readonly version: string
  /** The request is what was promised or predicted, and the API would accept it. */
  readonly isRight: boolean
  /** Why there was nothing to resume; null where there was. */
  readonly none: NoSession['why'] | null
  /** The command that the doctor named and that was followed; null where the session was resumed as it is. */
  readonly command: string | null
  /** Kinds of the faults that the doctor named. */
  readonly faults: readonly string[]
  readonly sent: number
  readonly live: number
  /** What kind of difference it is, in few words. */
  readonly why: string
  /** What differs, in rows; or why nothing was made. */
  readonly difference: string
}

/** How long to wait for a release that hangs in the model, in milliseconds. */
const HANGING = 10_000

/** Tries a case. */
export async function judge(cli: Cli, tried: LabCase): Promise<Verdict> {
  const made = await tried.make(cli.version, cli.path)
  const { asks, kind, name } = tried
  const advice = { command: made.advice?.command ?? null, faults: made.advice?.faults ?? [] }
  const judged = 'why' in made ? judgeNone(made) : await judgeSession(cli, made)
  return { asks, kind, name, version: cli.version, ...advice, ...judged }
}

type Judged = Pick<Verdict, 'isRight' | 'none' | 'sent' | 'live' | 'why' | 'difference'>

function judgeNone({ why, sentence }: NoSession): Judged {
  const isRight = why === 'nothing to do'
  return { isRight, none: why, sent: 0, live: 0, why: isRight ? '' : 'refused', difference: sentence }
}

async function judgeSession(cli: Cli, made: LabSession): Promise<Judged> {
  const marked = markSession(made.text)
  const read = readSession(made.session, marked.text)
  const { graph, path, survey } = read
  const loaded = loadedBy(graph, path, { version: cli.version, survey })
  const model = loaded.nodes.map(node => graph.id(node))
  const { session, folder, isMoved = false, age = null } = made
  const subject = { ...marked, session, folder, isMoved, age }
  const resumed = await resumeOnce(cli.path, subject, loaded.stop?.why === 'hangs' ? HANGING : undefined)
  const isAsItIs = made.advice !== undefined && made.advice.command === null
  const same = isAsItIs ? sameEntries(read) : new Map<string, string>()
  const received = { marked, resumed, free: freeEntries(marked), same, mayHaveMore: isAsItIs }
  const compared = compare(made.promise ?? model, received)
  const shortfall = made.advice?.shortfall ?? ''
  // The model says what is sent, in no order; of a promise the turns are to be kept, and the API is to take it.
  const isKept = compared.isInTurns && resumed.refused.length === 0 && resumed.error === null
  const isRight = compared.difference === '' && (made.promise === null || (isKept && shortfall === ''))
  return {
    isRight,
    none: null,
    sent: resumed.groups.length,
    live: graph.live(path).length,
    why: isRight ? '' : shortfall === '' ? whyNot(compared, resumed, marked) : 'not all is brought',
    difference: made.promise === null ? compared.difference : differences(compared, resumed, shortfall),
  }
}

/** What was resumed already: several questions are asked of one session. */
const RESUMED = new Map<string, Promise<Resumed>>()

function resumeOnce(cli: string, subject: Subject, longest: number | undefined): Promise<Resumed> {
  const { session, text, folder, isMoved, age } = subject
  const hash = createHash('sha1').update(text).digest('hex')
  const key = [cli, session, hash, folder, isMoved, age].join(' ')
  const resumed = RESUMED.get(key) ?? resume(cli, subject, longest)
  RESUMED.set(key, resumed)
  return resumed
}

/** The doctor counts an entry as reached where one that repeats it is sent. */
function sameEntries({ graph, path }: ReadSession): ReadonlyMap<string, string> {
  const nodes = graph.files().find(({ facts }) => facts.path === path)?.nodes ?? []
  return new Map(nodes.map(node => [graph.id(node), graph.id(graph.originalOf(node))]))
}

function differences({ difference, isInTurns }: Comparison, resumed: Resumed, shortfall: string): string {
  const wrongs = [...new Set(resumed.refused.map(({ what }) => what)), resumed.error ?? []].flat()
  return [shortfall, difference, isInTurns ? '' : 'sent in another order', wrongs.join(', ')]
    .filter(text => text !== '')
    .join('; ')
}

interface Received {
  readonly marked: MarkedSession
  readonly resumed: Resumed
  readonly free: ReadonlySet<string>
  /** Entries that stand for others. */
  readonly same: ReadonlyMap<string, string>
  /** The doctor says what is reached; what is sent beside that is the model's matter. */
  readonly mayHaveMore: boolean
}

/** Holds what was expected against what was sent. */
function compare(expected: readonly string[], received: Received): Comparison {
  const { marked, resumed, free, same, mayHaveMore } = received
  const standard = (uuid: string): string => same.get(uuid) ?? uuid
  const wanted = new Set(expected.filter(uuid => !free.has(uuid)).map(standard))
  const groups = resumed.groups
    .map(group => [...new Set(group.filter(uuid => !free.has(uuid)).map(standard))])
    .filter(group => group.length > 0)
  const sure = groups.flatMap(group => (group.length === 1 ? group : []))
  const possible = new Set(groups.flat())
  const rows = new Map(marked.entries.map(({ uuid, row }) => [uuid, row]))
  const more = [...sure.filter(uuid => !wanted.has(uuid)), ...openOf(groups, wanted)]
  const unexpected = mayHaveMore ? [] : more
  const missing = [...wanted].filter(uuid => !possible.has(uuid))
  const parts = [
    ...(unexpected.length > 0 ? [`sent unexpectedly: ${rowsOf(unexpected, rows)}`] : []),
    ...(missing.length > 0 ? [`not sent: ${rowsOf(missing, rows)}`] : []),
  ]
  return {
    wanted: [...wanted],
    missing,
    unexpected,
    difference: parts.join('; '),
    isInTurns: isInTurns([...wanted], sure, marked),
  }
}

const FEW = 6

function rowsOf(uuids: readonly string[], rows: ReadonlyMap<string, number>): string {
  const some = uuids.slice(0, FEW).map(uuid => rows.get(uuid) ?? '?')
  return `rows ${some.join(' ')}${uuids.length > FEW ? ` and ${uuids.length - FEW} more` : ''}`
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
    const json = row.includes('thinking') ? parseJson(row) : null
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

/** What was expected held against what was sent. */
interface Comparison {
  /** All that was expected, in order. */
  readonly wanted: readonly string[]
  readonly missing: readonly string[]
  readonly unexpected: readonly string[]
  readonly difference: string
  /** The turns come in the expected order; inside of them the order is the client's. */
  readonly isInTurns: boolean
}

/** The kind of a difference. */
function whyNot(compared: Comparison, { error, refused }: Resumed, marked: MarkedSession): string {
  const { wanted, missing, unexpected, isInTurns } = compared
  if (error !== null) return `not resumed (${error.slice(0, 40)})`
  if (missing.length === 0 && unexpected.length === 0) {
    const [first] = refused
    return first !== undefined ? `the API would refuse it: ${first.what}` : isInTurns ? '' : 'another order'
  }
  if (missing.length === 0) return 'more is sent'
  const last = wanted.at(-1)
  if (unexpected.length === 0 && missing.every(uuid => hasTools(marked, uuid)))
    return 'calls or results left out'
  if (last !== undefined && missing.includes(last)) return 'ends elsewhere'
  return missing.every((uuid, at) => wanted[at] === uuid) ? 'begins later' : 'some left out'
}

function hasTools({ entries }: MarkedSession, wanted: string): boolean {
  const entry = entries.find(({ uuid }) => uuid === wanted)
  return entry?.keys.some(isToolKey) ?? false
}

function isToolKey(key: MarkedEntry['keys'][number]): boolean {
  return key.startsWith('call:') || key.startsWith('result:')
}
