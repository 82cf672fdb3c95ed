/** From the words of an editing command to what is edited: a project that was read for edits, and a point in it. */

import { setFlagsFromString } from 'node:v8'
import type { FileRecord, Graph, Line, Session } from '@dagline/core'
import { type EditSource, endBefore, endOfFile, endOfLine } from '@dagline/core/edit'
import { NO_SURVEY, type Survey, type Surveyor, startSurvey } from '@dagline/core/resume'
import type { LoadedProject, LoadOptions, SeeInFile } from '../graphs/project.js'
import { type WholeProject, wholeProject } from '../graphs/unread.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { lineForm, namesSession, openLine, openRef, sessionWordOf } from '../locate/ref.js'
import { agentsAlone, isFile, openSession } from '../locate/session.js'

/** A project to edit. */
export interface EditedProject {
  readonly loaded: WholeProject
  readonly source: EditSource
}

/** A session to edit: the file that is its own. */
export interface EditedSession extends EditedProject {
  readonly session: string
  readonly file: FileRecord
  /** What a resume of the file asks beside the graph. */
  readonly survey: Survey
}

/** A point of a conversation. */
export interface EditedPoint extends EditedProject {
  readonly node: number
  /** The branch or agent whose end it is; null where an entry or a session was named. */
  readonly line: Line | null
}

/** A graph of a million entries is held while the plan is made: the engine would let as much garbage gather beside it. */
const TIDY = '--heap-growing-percent=30'

/** Opens something in a project, which must have been read whole, with what edits ask beside the graph. */
function openWhole<T extends { readonly loaded: LoadedProject }>(
  host: Host,
  open: (options: LoadOptions) => T,
): T & EditedProject {
  setFlagsFromString(TIDY)
  const surveyors = new Map<string, Surveyor>()
  const see: SeeInFile = (json, record, { path }, damaged) => {
    const known = surveyors.get(path) ?? startSurvey()
    surveyors.set(path, known)
    known.see(json, record, damaged)
  }
  const found = open({ see, isHashed: true })
  const loaded = wholeProject(found.loaded, host)
  const surveys = new Map([...surveyors].map(([path, surveyor]) => [path, surveyor.survey()]))
  return { ...found, loaded, source: { graph: loaded.graph, surveys } }
}

/** Finds a session and reads its project. */
export function openEditedSession(word: string, host: Host): EditedSession {
  const name = sessionWordOf(word, host)
  const found = openWhole(host, options => openSession(name, host, options))
  const { loaded, source, session, file: given } = found
  const file = given?.facts.kind === 'session' ? given : ownFile(loaded.graph, session)
  if (file === undefined) throw new UserError(agentsAlone(loaded.graph, session))
  const survey = source.surveys.get(file.facts.path) ?? NO_SURVEY
  return { loaded, source, session: session.id, file, survey }
}

/** The transcript in which the session goes on. */
function ownFile(graph: Graph, { id }: Session): FileRecord | undefined {
  const file = graph.currentFile(id)
  return file?.facts.kind === 'session' ? file : undefined
}

/**
 * Finds a point: an entry; the end of a branch or of an agent's conversation, by the id of its line; or the end of a
 * session. With a time it is the last message by then.
 */
export function openPoint(word: string, by: number | null, host: Host): EditedPoint {
  if (isFile(word)) return openSessionEnd(word, by, host)
  const line = lineForm(word, host)
  if (line !== null) {
    const found = openWhole(host, options => openLine(line.session, line.end, host, options))
    return atEnd(found, found.line, by, word)
  }
  if (word !== '' && !word.includes(':') && namesSession(word, host)) return openSessionEnd(word, by, host)
  const { loaded, source, node } = openWhole(host, options => openRef(word, host, options))
  const point = by === null ? node : endBefore(source.graph, node, by)
  return { loaded, source, node: pointed(point, word, by), line: null }
}

function atEnd({ loaded, source }: EditedProject, line: Line, by: number | null, word: string): EditedPoint {
  return { loaded, source, node: pointed(endOfLine(loaded.graph, line, by), word, by), line }
}

function openSessionEnd(word: string, by: number | null, host: Host): EditedPoint {
  const found = openWhole(host, options => openSession(word, host, options))
  const { loaded, source, session, line } = found
  if (line !== null) return atEnd(found, line, by, word)
  const file = found.file ?? ownFile(loaded.graph, session)
  if (file === undefined) throw new UserError(agentsAlone(loaded.graph, session))
  return { loaded, source, node: pointed(endOfFile(loaded.graph, file, by), word, by), line: null }
}

function pointed(node: number, word: string, by: number | null): number {
  if (node >= 0) return node
  if (by === null)
    throw new UserError(`${word} has no messages. Run \`dagline ls\` to list the sessions with their turns.`)
  throw new UserError(
    `${word} had no messages by then. Give a later date, or run \`dagline log ${word}\` to see when they came.`,
  )
}
