/** Sessions, their transcripts, and what is odd in them. */
import type { FileRecord } from '../graph/file-record.js'
import { knownTimeOf, none } from '../graph/nodes.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { TableContext, TabulatedSession } from './context.js'
import { boolean, defineTable, integer, type Table, text, time } from './table.js'

/** X12: one row for each session. */
export const SESSIONS: Table = defineTable<TabulatedSession>('sessions', {
  about: 'A session, with the figures of `dagline ls`.',
  items: ({ sessions }) => sessions,
  projectOf: ({ project }) => project,
  timeOf: ({ first }) => first,
  columns: {
    session: text('The id of the session.', ({ session }) => session),
    title: text('Its title; null where it has none.', ({ title }) => title),
    prompt: text('The first words that were typed.', ({ prompt }) => prompt),
    cwd: text('The working directory of its last entry.', ({ cwd }) => cwd),
    root: text('The folder that its transcript is below.', (_, { root }) => root),
    transcript: text('The path of the transcript in which it goes on.', ({ file }) => file),
    first: time('When its first entry was written.', ({ first }) => first),
    last: time('When its last entry was written.', ({ last }) => last),
    turns: integer('How many turns the main conversation has, on all branches.', ({ turns }) => turns),
    branches: integer('How many branches were abandoned.', ({ branches }) => branches),
    subagents: integer('How many subagents left a conversation, without warm-ups.', ({ agents }) => agents),
    lost_subagents: integer('How many calls for a subagent left none.', ({ called }) => called),
    compactions: integer('How many compactions there were.', ({ compactions }) => compactions),
    bytes: integer('The size of its transcripts.', ({ bytes }) => bytes),
    problems: integer('How many warnings and errors its transcripts have.', ({ problems }) => problems),
    idle: boolean(
      'Whether it is empty or only warmed the cache; `stats` counts it apart.',
      row => row.isIdle,
    ),
    cleared: boolean('Whether it was ended by `/clear`.', ({ isCleared }) => isCleared),
    archived_only: boolean(
      'Whether Claude Code has deleted its transcripts: they are in the archive alone.',
      ({ archivedOnly }) => archivedOnly,
    ),
    parent_session: text('The session that it goes on from.', ({ parent }) => parent?.session),
    parent_node: text('The entry that it goes on from.', ({ parent }) => parent?.at),
    parent_how: text(
      'How: `resume`, `fork`, `branch`, `background` and others.',
      ({ parent }) => parent?.how,
    ),
  },
})

/** P1: one row for each transcript. `rows + joined = entries + blank + damaged + continuation`. */
export const TRANSCRIPTS: Table = defineTable<FileRecord>('transcripts', {
  about: 'A transcript, with what was read of it.',
  items: ({ transcripts }) => transcripts(),
  projectOf: ({ facts }, { files }) => files.get(facts.path)?.project ?? '',
  timeOf: (file, context) => timeOfFile(file, context),
  columns: {
    transcript: text('Its path below the root.', ({ facts }) => facts.path),
    root: text('The folder that it is below.', (_, { root }) => root),
    kind: text('`session`, `agent`, `journal` (of a workflow) or `other`.', ({ facts }) => facts.kind),
    session: text('The session of the transcript.', ({ facts }) => facts.session),
    agent: text('The subagent of the transcript; null for a session.', ({ facts }) => facts.agent),
    archived: boolean(
      'Whether it is in the archive alone.',
      ({ facts }, { files }) => files.get(facts.path)?.isArchived,
    ),
    bytes: integer('Its size.', ({ bytes }) => bytes),
    rows: integer('How many rows it has.', ({ rows }) => rows),
    entries: integer('How many records were read.', ({ entries }) => entries),
    blank: integer('How many rows are blank.', ({ blank }) => blank),
    damaged: integer('How many rows are damaged.', ({ damaged }) => damaged),
    continuation: integer('How many rows only continue a record.', ({ continuation }) => continuation),
    joined: integer('How many records share a row with another one before.', ({ joined }) => joined),
    pieces: integer('How many damaged pieces share a row with records.', ({ pieces }) => pieces),
  },
})

/** Of its first entry. */
function timeOfFile({ nodes }: FileRecord, { graph }: TableContext): number | null {
  return knownTimeOf(graph, nodes[0] ?? none)
}

/** One row for each diagnostic. */
export const DIAGNOSTICS: Table = defineTable<Diagnostic>('diagnostics', {
  about: 'Something odd in a transcript, with the rule of docs/SPEC.md that says so.',
  items: ({ diagnostics }) => diagnostics,
  projectOf: ({ file }, { files }) => files.get(file)?.project ?? '',
  timeOf: ({ node }, { graph, nodeNamed }) => (node === null ? null : knownTimeOf(graph, nodeNamed(node))),
  columns: {
    rule: text('What it is, such as `dag/orphan`.', ({ rule }) => rule),
    severity: text('`error`, `warning` or `info`.', ({ severity }) => severity),
    transcript: text('The path of the transcript below the root.', ({ file }) => file),
    row: integer('The row that it is about; null for the whole file.', ({ row }) => row),
    node: text('The entry that it is about.', ({ node }) => node),
    text: text('One sentence that says what to make of it.', ({ message }) => message),
  },
})
