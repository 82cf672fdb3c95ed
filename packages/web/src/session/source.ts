/** Where a session comes from: the server, or the file that contains the page. */
import type { GivenLabel, NodePlace, RowContent, Sheet, SheetUpdate, Why } from '@dagline/core/protocol'
import type { WholeText } from '../text/cut.js'

export interface SessionSource {
  /** Whether a server provides it, and thus other pages. */
  readonly isServed: boolean
  /** Rows per request for contents. */
  readonly chunkRows: number
  readonly sheet: () => Promise<Sheet>
  /** The changes since a version. */
  readonly update: (known: string) => Promise<SheetUpdate>
  /** The contents of rows, `to` not included. */
  readonly contents: (from: number, to: number) => Promise<readonly RowContent[]>
  /** Null where the source cannot answer. */
  readonly why: ((node: string) => Promise<Why>) | null
  readonly raw: ((node: string) => Promise<string>) | null
  /** The address of another session, or of an entry in it; null where it has no page. */
  readonly hrefOf: (session: string, node?: string) => string | null
  /** The fragment of an address that leads to an entry of this session. */
  readonly hashOf: (node: string) => string
  /** Finds the session that has an entry. */
  readonly locate: ((node: string) => Promise<NodePlace>) | null
  /** Names, tags and notes of the session and its parts. */
  readonly labels: (() => Promise<readonly GivenLabel[]>) | null
  readonly wholeText: WholeText
  /** The uuids of the rows that contain all of the words, in any order. */
  readonly search: (words: string) => Promise<readonly string[]>
  /** Calls back after changes. Returns a function that stops it. */
  readonly onChange: (listener: () => void) => () => void
}
