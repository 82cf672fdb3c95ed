/** Tools that read one session. */
import type { Contents, FaceHistory, SessionGraph } from '@dagline/app'
import { actorName, type Graph, isSpoken } from '@dagline/core'
import { cleanLine, messageText } from '@dagline/core/content'
import { dayAndTime, plural, shortId } from '@dagline/core/format'
import { isLive, statusLabels } from '@dagline/core/view'
import { z } from 'zod'
import { cut } from '../tokens.js'
import { defineTool, FROM, MAX_TOKENS, REF, SESSION, type Tool, text } from '../tool.js'
import { refTo } from './find.js'

export const getConversation: Tool = defineTool({
  name: 'get_conversation',
  title: 'Read a conversation',
  description:
    'Reads a session, branch or subagent in order: prompts, answers, calls and results, each with a REF. For an entry it reads the conversation that the entry is in, around it. With "live" only what the next request of the session would carry.',
  input: z.object({
    ref: z.string().min(1).max(500).default('latest').describe(REF),
    live: z
      .boolean()
      .default(false)
      .describe('Only what the model still has, after compactions and rewinds.'),
    from: z
      .number()
      .int()
      .optional()
      .describe(
        'Number of the first entry, from 1; negative: counted from the end. Without it: the beginning, or shortly before the entry that was named.',
      ),
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { ref, live, from }) => {
    const { found, at } = await openConversation(history, ref)
    const { graph } = found
    const nodes = conversationOf(found, live)
    const place = at === null ? -1 : nodes.indexOf(at)
    const first = firstOf(from, nodes.length, place)
    // Closed with the history, when the answer is written.
    const contents = await history.contentsOf(found)
    return {
      head: [live ? 'What the next request would carry.' : 'The whole conversation.'],
      about: [titleText(found)],
      items: nodes.map(node => () => entryText(found, contents, node, graph)),
      names: ['entry', 'entries'],
      from: first,
    }
  },
})

/** Entries before the one that was named, so that it is seen in its place. */
const BEFORE = 3

function firstOf(from: number | undefined, length: number, place: number): number {
  if (from === undefined) return Math.max(1, place < 0 ? 1 : place + 1 - BEFORE)
  return Math.min(Math.max(1, from < 0 ? length + 1 + from : from), Math.max(1, length))
}

interface OpenConversation {
  readonly found: SessionGraph
  /** The entry that was named; null where a session, branch or subagent was. */
  readonly at: number | null
}

async function openConversation(history: FaceHistory, ref: string): Promise<OpenConversation> {
  const isEntry = /:[0-9a-f-]+$/i.test(ref)
  if (!isEntry) return { found: await history.graphOf(ref, { isLinkedOnly: true }), at: null }
  const { graph, node, line } = await history.entryOf(ref, { isLinkedOnly: true })
  const own = line ?? graph.lineOf(node)
  const found = await history.graphOf(own?.id ?? String(graph.node(node).session), { isLinkedOnly: true })
  return { found, at: found.graph.index(graph.id(node)) }
}

/** The entries that were said, called or returned, on a line and before it, or those that are live. */
function conversationOf({ graph, session, line }: SessionGraph, live: boolean): readonly number[] {
  const own = line ?? graph.lines().find(each => each.kind === 'trunk' && each.domain.session === session.id)
  const all = own === undefined ? [] : own.nodes
  const nodes = live ? all.filter(node => isLive(graph, node)) : all
  return nodes.filter(node => isSpoken(graph, node))
}

/** Longer prompts and answers are cut: `explain` and the command show all of them. */
const LONGEST = 6000

function entryText({ session }: SessionGraph, contents: Contents, node: number, graph: Graph): string {
  const { id, time } = graph.node(node)
  const record = contents.record(node)
  const words = (record === null ? null : messageText(record)) ?? contents.summary(node).text
  const status = statusLabels(isLive(graph, node), graph.lineOf(node)?.status ?? null)
  const head = [refTo(session.id, id), actorName(graph.actor(node)), dayAndTime(time), ...status]
  return `- REF ${head.map(part => cleanLine(part)).join(' | ')}\n${cut(words, LONGEST)}`
}

function titleText({ session, line }: SessionGraph): string {
  const title = cleanLine(session.title ?? '(no title)')
  return `Session ${shortId(session.id)}${line === null ? '' : `, ${line.kind} ${line.id}`}: ${title}.`
}

export const explain: Tool = defineTool({
  name: 'explain',
  title: 'Explain an entry',
  description:
    'Says what an entry is and why it is live or not: which line it is on, which rules applied, with what was found.',
  input: z.object({ ref: z.string().min(1).max(500).describe(REF), max_tokens: MAX_TOKENS }),
  run: async (history, { ref }) => {
    const found = await history.entryOf(ref, { isLinkedOnly: true })
    const { graph, node } = found
    const { id, file, row, kind, type, time, session } = graph.node(node)
    const contents = await history.contentsOf(found)
    const summary = contents.summary(node).text
    contents.close()
    return {
      head: [
        `${refTo(session, id)}: ${kind} (${type}), ${dayAndTime(time)}, row ${row} of its transcript.`,
        `It is ${isLive(graph, node) ? '' : 'not '}live, on line ${graph.lineOf(node)?.id ?? 'none'}.`,
      ],
      items: [
        `File: ${cleanLine(file)}`,
        `Text: ${summary}`,
        ...graph.explain(node).map(({ rule, evidence }) => `Rule ${rule}: ${cleanLine(evidence)}`),
      ],
    }
  },
})

export const beforeCompaction: Tool = defineTool({
  name: 'before_compaction',
  title: 'What the compaction dropped',
  description:
    'Lists what a compaction dropped: prompts, files, and how much else. Without arguments: the last compaction of this very session. Read entries of it with get_conversation, and find words in it with search and "before_compaction": true.',
  input: z.object({
    session: z
      .string()
      .min(1)
      .max(500)
      .default('this')
      .describe(`${SESSION} For an earlier compaction: the REF of an entry before it.`),
    about: text('Only prompts and files that contain this text.'),
    from: FROM,
    max_tokens: MAX_TOKENS,
  }),
  run: async (history, { session: word, about, from }) => {
    const { session, counts, prompts, files, epoch } = await history.dropped(word)
    const has = (words: string): boolean =>
      about === undefined || words.toLowerCase().includes(about.toLowerCase())
    const asked = prompts.filter(prompt => has(prompt.text))
    const named = files.filter(file => has(file.path))
    const { messages, calls, results } = counts
    return {
      head: [
        `Compaction of session ${shortId(session)} (${triggerOf(epoch.trigger)}): ${plural(messages, 'message')}, ${plural(calls, 'tool call')} and ${plural(results, 'result')} are no longer in context.`,
      ],
      items: [
        ...asked.map(
          ({ node, time, text: words }) =>
            `- REF ${refTo(session, node)} | prompt | ${dayAndTime(time)} | ${words}`,
        ),
        ...named.map(
          ({ path, calls: times, isKept }) =>
            `- file | ${cleanLine(path)} | ${plural(times, 'call')}${isKept ? ' | also named in what was kept' : ''}`,
        ),
      ],
      from,
    }
  },
})

/** The word of a transcript only where it is one that Claude Code writes. */
function triggerOf(trigger: string | null): string {
  return trigger === 'auto' || trigger === 'manual' ? trigger : 'unknown trigger'
}
