/** Sheets of sessions, each made once; and what differs between two of them. */

import { type Graph, sessionId } from '@dagline/core'
import { createPricer, type MessageUsage, mergeUsage } from '@dagline/core/measure'
import type { Sheet, SheetRows, SheetUpdate } from '@dagline/core/protocol'
import { makeSheet } from '@dagline/core/view'
import type { Growth } from '../graphs/indexed.js'
import { currentPrices } from '../host/prices.js'
import type { LiveIndex } from '../index/live-index.js'
import type { OpenSession } from './context.js'

export interface Sheets {
  readonly of: (session: OpenSession) => Sheet
  /** The sheet as bytes of JSON. */
  readonly jsonOf: (session: OpenSession) => Uint8Array
  /** What the messages of a session's files cost, by their ids. */
  readonly messagesOf: (session: OpenSession) => ReadonlyMap<string, MessageUsage>
  /** The sheet as a difference to one that was given before; whole where that is no longer known. */
  readonly since: (session: OpenSession, version: string) => SheetUpdate
}

/** How many sheets are kept: those that are looked at, and for each the one before. */
const MOST_SHEETS = 8
/** How many of them are kept as bytes, too. */
const MOST_TEXTS = 3

/** Sheets, none of which is made yet. */
export function createSheets(live: LiveIndex): Sheets {
  const cache = new Map<string, Sheet>()
  const texts = new Map<Sheet, Uint8Array>()
  const messages = new WeakMap<Graph, Map<string, MessageUsage>>()
  const messagesOf = (session: OpenSession): ReadonlyMap<string, MessageUsage> => {
    const { graph, grown } = session
    const before = grown === null ? undefined : messages.get(grown.from)
    const known = messages.get(graph) ?? (before && addMessages(before, grown)) ?? readMessages(live, session)
    messages.set(graph, known)
    return known
  }
  const of = (session: OpenSession): Sheet => {
    const key = keyOf(session.fact.session, session.version)
    const sheet = cache.get(key) ?? drawSheet(live, session, messagesOf(session))
    keepLast(cache, MOST_SHEETS, key, sheet)
    return sheet
  }
  const jsonOf = (session: OpenSession): Uint8Array => {
    const sheet = of(session)
    const bytes = texts.get(sheet) ?? Buffer.from(JSON.stringify(sheet), 'utf8')
    keepLast(texts, MOST_TEXTS, sheet, bytes)
    return bytes
  }
  return {
    of,
    jsonOf,
    messagesOf,
    since: (session, version) => {
      const before = cache.get(keyOf(session.fact.session, version))
      const sheet = of(session)
      return updateOf(before, sheet)
    },
  }
}

/** What was used last stands last, and goes last. */
export function keepLast<K, V>(cache: Map<K, V>, most: number, key: K, value: V): void {
  cache.delete(key)
  cache.set(key, value)
  for (const oldest of cache.keys()) if (cache.size > most) cache.delete(oldest)
}

function keyOf(session: string, version: string): string {
  return `${session} ${version}`
}

function drawSheet(
  live: LiveIndex,
  session: OpenSession,
  messages: ReadonlyMap<string, MessageUsage>,
): Sheet {
  const { graph, fact, files, version } = session
  const titles = new Map(live.sessions().map(({ session: id, title }) => [id, title]))
  return makeSheet(graph, sessionId(fact.session), {
    project: fact.project,
    title: fact.title,
    archivedOnly: fact.archivedOnly,
    version,
    usageOf: message => messages.get(message) ?? null,
    costOf: createPricer(currentPrices()),
    titleOf: id => titles.get(id) ?? null,
    diagnostics: [...files.flatMap(({ diagnostics }) => diagnostics), ...graph.diagnostics()],
  })
}

/** The graph before has handed its storage over; so it is with what its messages cost. */
function addMessages(known: Map<string, MessageUsage>, grown: Growth | null): Map<string, MessageUsage> {
  for (const usage of grown?.usages ?? []) {
    const before = known.get(usage.message)
    known.set(usage.message, before === undefined ? usage : mergeUsage(before, usage))
  }
  return known
}

function readMessages(live: LiveIndex, { files }: OpenSession): Map<string, MessageUsage> {
  const messages = live.index().messages(files.map(({ id }) => id))
  return new Map(messages.map(message => [message.message, message]))
}

function updateOf(before: Sheet | undefined, sheet: Sheet): SheetUpdate {
  if (before === undefined) return { keep: 0, keepWords: 0, keepLive: 0, sheet }
  const keep = firstDifference(before.rows, sheet.rows)
  const keepWords = sameBeginning(before.words, sheet.words, (a, b) => a[0] === b[0] && a[1] === b[1])
  const keepLive = sameBeginning(before.live, sheet.live, Object.is)
  const rest = {
    rows: rowsFrom(sheet.rows, keep),
    words: sheet.words.slice(keepWords),
    live: sheet.live.slice(keepLive),
  }
  return { keep, keepWords, keepLive, sheet: { ...sheet, ...rest } }
}

function sameBeginning<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): number {
  const at = b.findIndex((item, index) => {
    const other = a[index]
    return other === undefined || !isSame(other, item)
  })
  return at < 0 ? b.length : at
}

const COLUMNS = [
  'node',
  'line',
  'kind',
  'marks',
  'time',
  'actor',
  'name',
  'up',
  'edge',
  'joins',
  'size',
] as const satisfies readonly (keyof SheetRows)[]

/** The first row that is not the same in both. */
function firstDifference(a: SheetRows, b: SheetRows): number {
  let first = Math.min(a.node.length, b.node.length)
  for (const name of COLUMNS) {
    const [left, right] = [a[name], b[name]]
    let at = 0
    while (at < first && left[at] === right[at]) at++
    first = at
  }
  return first
}

function rowsFrom(rows: SheetRows, keep: number): SheetRows {
  const columns = Object.fromEntries(COLUMNS.map(name => [name, rows[name].slice(keep)]))
  return { ...rows, ...columns }
}
