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
