/** V27: what the requests of a session carried: over time, and one of them in detail. */
import { setImmediate } from 'node:timers/promises'
import { contextAttachments, entryId, type Graph, sessionId } from '@dagline/core'
import { summarize, summarizeGone } from '@dagline/core/content'
import {
  conversationFiles,
  drawBand,
  listConversations,
  type MeasuredContext,
  measureConversation,
  shareByEntry,
  type TokensOf,
} from '@dagline/core/measure'
import type { ContextBandPage, ContextPage } from '@dagline/core/protocol'
import {
  type ChosenContext,
  droppedBefore,
  heaviestOf,
  indexOf,
  requestAt,
  requestReport,
  type SummaryOf,
} from '../compare/contexts.js'
import { type ReadWeights, readWeights } from '../contents/weights.js'
import { UserError } from '../host/user-error.js'
import type { LiveContext, OpenSession } from '../live/context.js'
import { keepLast } from '../live/sheets.js'

/** A conversation of a session. */
interface Conversation {
  readonly session: string
  /** Null for that of the session itself. */
  readonly agent: string | null
}

/** What the page asks about requests. */
interface ContextPages {
  /** Without a subagent the first conversation: that of the session, unless only subagents are left of it. */
  readonly band: (session: string, agent: string | null) => Promise<ContextBandPage>
  /** The request behind the answer that an entry is a part of, or the first that carried the entry. */
  readonly detail: (uuid: string, session: string | null) => Promise<ContextPage>
}

type ContextSource = Pick<LiveContext, 'graphOf' | 'nodeOf' | 'reading'>

/** A conversation that was measured. Its graph is to be asked at once. */
interface Measured {
  readonly open: OpenSession
  readonly measured: readonly MeasuredContext[]
  readonly tokensOf: TokensOf
}

/** Conversations that are kept as they were measured, and file groups whose entries were weighed. */
const MOST_KEPT = 6
const MOST_GROUPS = 3

/** Answers about requests; what was measured is kept until the session changes. */
export function createContextPages(source: ContextSource): ContextPages {
  const weights = new Map<string, ReadWeights>()
  const kept = new Map<string, { readonly graph: Graph; readonly measured: readonly MeasuredContext[] }>()
  const measure = async ({ session, agent }: Conversation): Promise<Measured> => {
    const group = groupOf(source.graphOf(session))
    const known = weights.get(group) ?? readWeights()
    keepLast(weights, MOST_GROUPS, group, known)
    const key = `${group} ${session} ${agent ?? ''}`
    const now = source.graphOf(session)
    const last = kept.get(key)
    // Weighing again would ask for every entry of the session, to no end.
    if (last?.graph === now.graph)
      return { open: now, measured: last.measured, tokensOf: weighing(source, now, known) }
    for (;;) {
      const open = await weighAll(source, { session, agent }, known)
      const tokensOf = weighing(source, open, known)
      const before = kept.get(key)
      const measured =
        before?.graph === open.graph
          ? before.measured
          : await measureAll(
              source,
              open,
              measureConversation(open.graph, conversationIn(open, agent), tokensOf),
            )
      if (measured === null) continue
      keepLast(kept, MOST_KEPT, key, { graph: open.graph, measured })
      return { open, measured, tokensOf }
    }
  }
  return {
    band: async (session, asked) => {
      const agent = asked ?? conversationsOf(source.graphOf(session))[0]?.agent ?? null
      const { open, measured } = await measure({ session, agent })
      return { agent, conversations: conversationsOf(open), band: drawBand(open.graph, measured) }
    },
    detail: async (uuid, session) => {
      const conversation = conversationOf(source, uuid, session)
      return detailPage(source, await measure(conversation), uuid)
    },
  }
}

function conversationsOf({ graph, fact }: OpenSession): ContextBandPage['conversations'] {
  return listConversations(graph, sessionId(fact.session))
}

function groupOf({ root, files, fact }: OpenSession): string {
  return `${root} ${files[0]?.group ?? fact.session}`
}

function weighing({ reading }: ContextSource, open: OpenSession, weights: ReadWeights): TokensOf {
  return node => weights.weigh(open.graph.id(node), () => reading.record(open, node))
}

function conversationIn(
  { fact }: OpenSession,
  agent: string | null,
): Parameters<typeof measureConversation>[1] {
  return { session: sessionId(fact.session), agent }
}

/** Measures requests little by little; null where the session changed meanwhile, and its graph must not be asked any more. */
async function measureAll(
  source: ContextSource,
  { graph, fact }: OpenSession,
  requests: Iterator<MeasuredContext>,
): Promise<readonly MeasuredContext[] | null> {
  const measured: MeasuredContext[] = []
  for (let until = performance.now() + SLICE; ; ) {
    const next = requests.next()
    if (next.done === true) return measured
    measured.push(next.value)
    if (performance.now() < until) continue
    await setImmediate()
    if (source.graphOf(fact.session).graph !== graph) return null
    until = performance.now() + SLICE
  }
}

/** Milliseconds of work after which others have their turn. */
const SLICE = 10

/** Weighs the entries of a conversation little by little. Gives the session as it is at the end. */
async function weighAll(
  source: ContextSource,
  { session, agent }: Conversation,
  weights: ReadWeights,
): Promise<OpenSession> {
  let [version, done] = ['', 0]
  for (;;) {
    const open = source.graphOf(session)
    if (open.version !== version) [version, done] = [open.version, 0]
    const files = conversationFiles(open.graph, sessionId(open.fact.session), agent)
    const nodes = files.flatMap(({ nodes: own, carried }) => [...own, ...carried])
    const tokensOf = weighing(source, open, weights)
    const until = performance.now() + SLICE
    while (done < nodes.length && performance.now() < until) tokensOf(nodes[done++] ?? -1)
    if (done >= nodes.length) return open
    await setImmediate()
  }
}

function conversationOf(source: ContextSource, uuid: string, session: string | null): Conversation {
  const inSession = session === null ? null : source.graphOf(session)
  const own = inSession?.graph.index(entryId(uuid)) ?? null
  const found = inSession === null || own === null ? source.nodeOf(uuid) : { session: inSession, node: own }
  const { agent } = found.session.graph.node(found.node)
  return { session: found.session.fact.session, agent }
}

function detailPage(
  source: ContextSource,
  { open, measured, tokensOf }: Measured,
  uuid: string,
): ContextPage {
  const { graph } = open
  const entry = graph.index(entryId(uuid))
  const index = entry === null ? -1 : indexOf(graph, measured, entry, null)
  if (index < 0)
    throw new UserError(
      'No answer of the model carried this entry. Choose one that was answered.',
      'no-entry',
    )
  const chosen: ChosenContext = { graph, measured, tokensOf, index }
  const request = requestAt(chosen)
  const summaryOf = summaries(source, open)
  return {
    ...requestReport(chosen),
    attachments: contextAttachments(request.context).map(node => graph.id(node)),
    heaviest: heaviestOf(chosen, shareByEntry(request, tokensOf), summaryOf),
    dropped: droppedBefore(chosen, summaryOf),
  }
}

/** Entries in one line. */
function summaries({ reading }: ContextSource, open: OpenSession): SummaryOf {
  return node => {
    const json = reading.record(open, node)
    return json === null ? summarizeGone(open.graph.node(node)) : summarize(json)
  }
}
