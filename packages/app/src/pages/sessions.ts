/** What is asked of sessions: all answers that need the graph of one. */
import type {
  CompareChoices,
  Comparison,
  ContextBandPage,
  ContextPage,
  ImageContent,
  NodeLocation,
  NowPage,
  RowContent,
  SheetUpdate,
  Why,
} from '@dagline/core/protocol'
import { type RowRange, rowContents } from '@dagline/core/view'
import { readerOf } from '../contents/reading.js'
import { currentPrices } from '../host/prices.js'
import type { LiveContext } from '../live/context.js'
import { comparisonChoices, comparisonPage } from './compare.js'
import { createContextPages } from './contexts.js'
import { type BlockOptions, imageOf, locationOf, rawText, textOf, whyOf } from './entry.js'
import { nowPage } from './now.js'

/** Answers about sessions. Each is plain data, made in one go. Sessions and entries are named by unique beginnings of ids. */
export interface SessionPages {
  /** The session as JSON bytes of a `Sheet`. */
  readonly sessionJson: (session: string) => Promise<Uint8Array>
  /** What changed in a session since a version that was returned before. */
  readonly sessionSince: (session: string, version: string) => Promise<SheetUpdate>
  /** The contents of some rows of a session. */
  readonly contents: (session: string, rows: RowRange) => Promise<readonly RowContent[]>
  readonly entry: (uuid: string) => Promise<NodeLocation>
  readonly explain: (uuid: string, session: string | null) => Promise<Why>
  readonly raw: (uuid: string) => Promise<string>
  readonly text: (uuid: string, options: BlockOptions) => Promise<string>
  readonly image: (uuid: string, options: BlockOptions) => Promise<ImageContent>
  /** The sessions that are running. */
  readonly now: () => Promise<NowPage>
  readonly compare: (a: string, b: string) => Promise<Comparison>
  readonly comparable: (session: string) => Promise<CompareChoices>
  /** V27: the requests of a session, or of one of its subagents, over time. */
  readonly contexts: (session: string, agent: string | null) => Promise<ContextBandPage>
  /** V27: the request behind the answer that an entry is a part of, or the first that carried it. */
  readonly context: (uuid: string, session: string | null) => Promise<ContextPage>
  /** Makes the graph of a session, or its sheet, before somebody asks for it. */
  readonly prefetch: (session: string, what: 'graph' | 'sheet') => Promise<void>
}

/** The answers from a context, in this process. */
export function createSessionPages(context: LiveContext): SessionPages {
  const { sheets, reading, graphOf, nodeOf } = context
  const contexts = createContextPages(context)
  return {
    sessionJson: async session => sheets.jsonOf(graphOf(session)),
    sessionSince: async (session, version) => sheets.since(graphOf(session), version),
    contents: async (id, rows) => {
      const session = graphOf(id)
      const messages = sheets.messagesOf(session)
      const reader = readerOf(reading, session)
      return rowContents(session.graph, sheets.of(session), rows, {
        prices: currentPrices(),
        reader,
        messages,
        addressOf: imageAddress,
      })
    },
    entry: async uuid => locationOf(nodeOf(uuid)),
    explain: async (uuid, session) => whyOf(nodeOf(uuid), session),
    raw: async uuid => rawText(reading, nodeOf(uuid)),
    text: async (uuid, block) => textOf(reading, nodeOf(uuid), block),
    image: async (uuid, block) => imageOf(reading, nodeOf(uuid), block),
    now: async () => nowPage(context),
    compare: async (a, b) => comparisonPage(context, a, b),
    comparable: async session => comparisonChoices(context, session),
    contexts: contexts.band,
    context: contexts.detail,
    prefetch: async (session, what) => {
      const open = graphOf(session)
      if (what === 'sheet') sheets.jsonOf(open)
    },
  }
}

/** Where a server has the images of an entry. */
function imageAddress(node: string, block: string | number, image?: number): string {
  const which = image === undefined ? '' : `&image=${image}`
  return `/api/nodes/${encodeURIComponent(node)}/image?block=${encodeURIComponent(block)}${which}`
}
