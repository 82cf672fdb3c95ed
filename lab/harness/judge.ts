/** One case against one release: what the CLI sent, what the model said it would, and what was promised. */
import { loadedBy } from '@dagline/core'
import type { LabCase } from '../cases/case.ts'
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
  /** The model named exactly the entries that were sent. */
  readonly agrees: boolean
  /** And in the order in which they were sent. */
  readonly isOrdered: boolean
  /** The API would take the request. */
  readonly isValid: boolean
  /** What was promised was sent, and nothing else; null where nothing was. */
  readonly keepsPromise: boolean | null
  readonly sent: number
  readonly live: number
  /** What differs, in rows. */
  readonly difference: string
}

/** How long to wait for a release that is said to hang, in milliseconds. */
const HANGING = 10_000

/** Tries a case. */
export async function judge(cli: Cli, made: LabCase): Promise<Verdict> {
  const marked = markSession(made.text)
  const { graph, path, extras } = readSession(made.session, marked.text)
  const loaded = loadedBy(graph, path, { version: cli.version, extras })
  const model = loaded.nodes.map(node => graph.id(node))
  const longest = loaded.stop?.why === 'hangs' ? HANGING : undefined
  const resumed = await resume(cli.path, { ...marked, session: made.session, folder: made.folder }, longest)
  const scale = { marked, resumed, free: freeEntries(marked) }
  const against = compare(model, scale)
  const promised = made.promise === null ? null : compare(made.promise, scale)
  return {
    kind: made.kind,
    name: made.name,
    version: cli.version,
    agrees: against.difference === '',
    isOrdered: against.isOrdered,
    isValid: resumed.refused.length === 0 && resumed.error === null,
    keepsPromise: promised === null ? null : promised.difference === '',
    sent: resumed.groups.length,
    live: graph.live(path).length,
    difference: promised?.difference || against.difference || wrongs(resumed),
  }
}

function wrongs({ refused, error }: Resumed): string {
  return [...new Set(refused.map(({ what }) => what)), ...(error === null ? [] : [error])].join(', ')
}

interface Scale {
  readonly marked: MarkedSession
  readonly resumed: Resumed
  readonly free: ReadonlySet<string>
}

/** Holds what was expected against what was sent. */
function compare(
  expected: readonly string[],
  { marked, resumed, free }: Scale,
): { difference: string; isOrdered: boolean } {
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
  return { difference: parts.join('; '), isOrdered }
}

/** Of entries that cannot be told apart one must be expected. */
function openOf(groups: readonly (readonly string[])[], wanted: ReadonlySet<string>): readonly string[] {
  const open = groups.filter(group => group.length > 1 && !group.some(uuid => wanted.has(uuid)))
  return open.flatMap(group => group.slice(0, 1))
}

/**
 * Entries that are not compared: those without anything to know them by, and thinking, which newer releases send only to
 * the model that wrote it.
 */
function freeEntries({ text, entries }: MarkedSession): ReadonlySet<string> {
  const free = new Set(
    entries.filter(({ keys, mark }) => keys.length === 0 && mark === 0).map(({ uuid }) => uuid),
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
