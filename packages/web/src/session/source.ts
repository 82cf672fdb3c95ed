/** Where a session comes from: the server, or the file the page stands in. */
import type { GivenLabel, NodePlace, RowContent, Sheet, SheetUpdate, Why } from '@dagline/core'
import type { WholeText } from '../text/cut.js'

export interface SessionSource {
  /** Whether a server stands behind it: then there are other pages to go to. */
  readonly isServed: boolean
  /** Rows that are asked for at once. */
  readonly chunkRows: number
  readonly sheet: () => Promise<Sheet>
  /** What has changed since a version. */
  readonly update: (known: string) => Promise<SheetUpdate>
  /** The contents of rows, `to` not included. */
  readonly contents: (from: number, to: number) => Promise<readonly RowContent[]>
  /** Null where the source cannot tell. */
  readonly why: ((node: string) => Promise<Why>) | null
  readonly raw: ((node: string) => Promise<string>) | null
  /** The address of another session, at an entry where one is given; null where it has no page. */
  readonly hrefOf: (session: string, node?: string) => string | null
  /** What stands behind the # of an address that leads to an entry of this session. */
  readonly hashOf: (node: string) => string
  /** Which session has an entry. */
  readonly placeOf: ((node: string) => Promise<NodePlace>) | null
  /** What people call the session and what is in it. */
  readonly labels: (() => Promise<readonly GivenLabel[]>) | null
  readonly wholeText: WholeText
  /** The uuids of the rows that hold all of the words, in no order. */
  readonly search: (words: string) => Promise<readonly string[]>
  /** Calls back when there is something new; returns what ends it. */
  readonly onChange: (listener: () => void) => () => void
}

/** The sheet after an update: the rows that stay, and those that came. */
export function applyUpdate(before: Sheet, { keep, keepWords, keepLive, sheet }: SheetUpdate): Sheet {
  const joined = <T>(column: (rows: Sheet['rows']) => readonly T[]): readonly T[] =>
    column(before.rows).slice(0, keep).concat(column(sheet.rows))
  return {
    ...sheet,
    words: before.words.slice(0, keepWords).concat(sheet.words),
    live: before.live.slice(0, keepLive).concat(sheet.live),
    rows: {
      node: joined(rows => rows.node),
      line: joined(rows => rows.line),
      kind: joined(rows => rows.kind),
      marks: joined(rows => rows.marks),
      time: joined(rows => rows.time),
      actor: joined(rows => rows.actor),
      name: joined(rows => rows.name),
      up: joined(rows => rows.up),
      edge: joined(rows => rows.edge),
      joins: joined(rows => rows.joins),
      size: joined(rows => rows.size),
    },
  }
}
