/** Entries of the conversation, and in which transcripts they stand. */
import { actorName } from '../graph/actors.js'
import { entriesIn, type FileRecord } from '../graph/file-record.js'
import type { GraphNode } from '../graph/graph.js'
import type { Line } from '../graph/lines.js'
import {
  copiedFrom,
  isRepeated,
  knownTimeOf,
  messageIdOf,
  messageOf,
  none,
  ownerOf,
  parentIdOf,
  placedNode,
  rowOf,
} from '../graph/nodes.js'
import type { TableContext } from './context.js'
import { boolean, defineTable, integer, type Table, text, time } from './table.js'

interface NodeItem {
  readonly node: number
  readonly facts: GraphNode
  readonly line: Line | null
}

/** Y2: one row for each uuid, however many transcripts repeat it. */
export const NODES: Table = defineTable<NodeItem>('nodes', {
  about: 'An entry of the conversation: each uuid once, as the transcript has it that owns it.',
  *items({ graph, nodes }) {
    for (const node of nodes()) yield { node, facts: graph.node(node), line: graph.lineOf(node) }
  },
  projectOf: ({ node }, { projectOf }) => projectOf(node),
  timeOf: ({ facts }) => facts.time,
  columns: {
    node: text('The uuid of the entry.', ({ facts }) => facts.id),
    session: text('The session whose conversation it is part of.', ({ node, line }, { sessionOf }) =>
      sessionOf(line, node),
    ),
    line: text('The trunk, branch or subagent that it is on: `branches.line`.', ({ line }) => line?.id),
    status: text(
      'What became of that line: `live`, `abandoned`, `taken-back`, `retry` or `copy`.',
      ({ line }) => line?.status,
    ),
    agent: text('The id of the subagent; null in the main conversation.', ({ line }) => line?.domain.agent),
    agent_name: text(
      'The type of the subagent, such as `Explore`.',
      ({ line }, { agentOf }) => agentOf(line)?.name,
    ),
    kind: text('The kind of entry: `user`, `assistant`, `system` and others.', ({ facts }) => facts.kind),
    type: text(
      'What a user entry is (`prompt`, `result` and others), or the subtype of another one.',
      ({ facts }) => facts.type,
    ),
    actor: text(
      'Who speaks: `Human`, `Claude`, `Tool`, `System` or the type of a subagent.',
      (item, { graph }) => actorName(graph.actor(item.node)),
    ),
    parent: text('The uuid that it names as its parent.', ({ node }, { graph }) => parentIdOf(graph, node)),
    turn: text('The entry that begins its turn; null outside of turns.', ({ node }, { graph, turnOf }) =>
      idOrNull(graph.id(turnOf(node))),
    ),
    copy_of: text(
      'The entry that it repeats under a uuid of its own; null for most.',
      ({ node }, { graph }) => (copiedFrom(graph, node) === none ? null : graph.id(placedNode(graph, node))),
    ),
    message: text('The id of the API message that it is a part of.', ({ facts }) => facts.message),
    live: boolean(
      'Whether the next request of some session carries it.',
      ({ node }, { labels }) => labels().live[node] === 1,
    ),
    compactions_after: integer(
      'How many compactions of its line came after it.',
      ({ node }, { labels }) => labels().compacted[node],
    ),
    time: time('When it was written.', ({ facts }) => facts.time),
    version: text('The release of Claude Code that wrote it.', ({ facts }) => idOrNull(facts.version)),
    transcript: text('The path of the transcript that owns it, below the root.', ({ facts }) => facts.file),
    row: integer('The number of its row there, from 1.', ({ facts }) => facts.row),
    row_offset: integer('Where the row begins, in bytes.', ({ facts }) => facts.offset),
    bytes: integer('The length of the row in bytes.', ({ facts }) => facts.length),
  },
})

function idOrNull(id: string): string | null {
  return id === '' ? null : id
}

interface Member {
  readonly file: FileRecord
  /** The entry as it stands in the file. */
  readonly entry: number
  readonly live: ReadonlySet<number>
}

function* membersOf({ graph, transcripts }: TableContext): Generator<Member> {
  for (const file of transcripts()) {
    const live = new Set(graph.live(file.facts.path))
    for (const entry of entriesIn(file)) if (!isRepeated(graph, entry)) yield { file, entry, live }
  }
}

/** Y3: which entries stand in which transcripts: what forks, resumes and copies share. */
export const MEMBERSHIP: Table = defineTable<Member>('membership', {
  about:
    'An entry in a transcript. An entry that forked or resumed sessions share has a row for each transcript that holds it, and one of them owns it.',
  items: membersOf,
  projectOf: ({ file }, { files }) => files.get(file.facts.path)?.project ?? '',
  timeOf: ({ entry }, { graph }) => knownTimeOf(graph, entry),
  columns: {
    node: text(
      'The entry that stands for it in `nodes`: its own, or the one it copies.',
      (member, { graph }) => graph.id(placedNode(graph, ownerOf(graph, member.entry))),
    ),
    entry: text('The uuid in the transcript.', ({ entry }, { graph }) => graph.id(entry)),
    message: text('The id of the API message that it is a part of.', ({ entry }, { graph }) => {
      const message = messageOf(graph, entry)
      return message === none ? null : messageIdOf(graph, message)
    }),
    session: text(
      'The session of the transcript.',
      ({ file, entry }, { graph }) => file.facts.session ?? graph.node(entry).session,
    ),
    agent: text('The subagent of the transcript; null for a session.', ({ file }) => file.facts.agent),
    transcript: text('The path of the transcript below the root.', ({ file }) => file.facts.path),
    row: integer('The number of its row there, from 1.', ({ entry }, { graph }) => rowOf(graph, entry)),
    owned: boolean(
      'Whether the entry is counted here: in no other transcript, and not as a copy.',
      ({ entry }, { graph }) => placedNode(graph, ownerOf(graph, entry)) === entry,
    ),
    live: boolean(
      'Whether the next request of this transcript carries it.',
      ({ entry, live }, { graph }) => live.has(entry) || live.has(ownerOf(graph, entry)),
    ),
    time: time('When it was written.', ({ entry }, { graph }) => knownTimeOf(graph, entry)),
  },
})
