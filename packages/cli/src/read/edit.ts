/** From the words of an editing command to what is edited: a project that was read with an eye on edits, and a point in it. */
import { setFlagsFromString } from 'node:v8'
import {
  type EditSource,
  endBefore,
  endOfFile,
  endOfLine,
  type FileRecord,
  type Line,
  type Surveyor,
  startSurvey,
} from '@dagline/core'
import type { FoundFile } from '@dagline/store'
import { type Console, Refusal } from '../console.js'
import type { Loaded, SeeInFile } from './project.js'
import { findLine, openRef } from './ref.js'
import { findSession, openSession } from './session.js'

/** A project to edit. */
export interface EditedProject {
  readonly loaded: Loaded
  readonly source: EditSource
}

/** A session to edit: the file that is its own. */
export interface EditedSession extends EditedProject {
  readonly session: string
  readonly file: FileRecord
}

/** A point of a conversation. */
export interface EditedPoint extends EditedProject {
  readonly node: number
}

/** Gathers what edits need while files are read. */
interface Surveying {
  readonly see: SeeInFile
  readonly sourceOf: (loaded: Loaded) => EditSource
}

/** A graph of a million entries is held while the plan is made: the engine would let as much garbage gather beside it. */
const TIDY = '--heap-growing-percent=30'

function openSurvey(): Surveying {
  setFlagsFromString(TIDY)
  const surveyors = new Map<FoundFile, Surveyor>()
  return {
    see: (json, record, file) => {
      const known = surveyors.get(file) ?? startSurvey()
      surveyors.set(file, known)
      known.see(json, record)
    },
    sourceOf: ({ graph, project }) => ({
      graph,
      surveys: new Map(
        project.files.flatMap(file => {
          const surveyor = surveyors.get(file)
          return surveyor === undefined ? [] : [[file.path, surveyor.survey] as const]
        }),
      ),
    }),
  }
}

/** Finds a session and reads its project. */
export function openEditedSession(word: string, console: Console): EditedSession {
  const survey = openSurvey()
  const { loaded, session } = openSession(word, console, survey.see)
  const own = session.files.filter(({ facts }) => facts.kind === 'session')
  const file = own.find(({ facts }) => facts.session === session.id) ?? own[0]
  if (file === undefined)
    throw new Refusal(
      `${word} has no transcript of its own: \`dagline ls --all\` lists the sessions that have.`,
    )
  return { loaded, source: survey.sourceOf(loaded), session: session.id, file }
}

/**
 * Finds a point: an entry; the end of a branch or of an agent's conversation, by the id of its line; or the end of a
 * session. With a time it is the last thing said by then.
 */
export function openPoint(word: string, by: number | null, console: Console): EditedPoint {
  const line = /^(.+?)(#agent-.*|@[^@]+)$/.exec(word)
  if (line?.[1] !== undefined) return openLineEnd(word, line[1], by, console)
  if (isSession(word, console)) return openSessionEnd(word, by, console)
  const survey = openSurvey()
  const { loaded, node } = openRef(word, console, survey.see)
  const source = survey.sourceOf(loaded)
  const point = by === null ? node : endBefore(source.graph, node, by)
  return { loaded, source, node: pointed(point, word) }
}

function openLineEnd(word: string, session: string, by: number | null, console: Console): EditedPoint {
  const survey = openSurvey()
  const { loaded, session: found } = openSession(session, console, survey.see)
  const line = findLine(loaded.graph, `${found.id}${word.slice(session.length)}`)
  return atEnd(loaded, survey.sourceOf(loaded), line, { by, word })
}

function atEnd(
  loaded: Loaded,
  source: EditSource,
  line: Line,
  { by, word }: { readonly by: number | null; readonly word: string },
): EditedPoint {
  return { loaded, source, node: pointed(endOfLine(loaded.graph, line, by), word) }
}

function openSessionEnd(word: string, by: number | null, console: Console): EditedPoint {
  const survey = openSurvey()
  const { loaded, session, line } = openSession(word, console, survey.see)
  const source = survey.sourceOf(loaded)
  if (line !== null) return atEnd(loaded, source, line, { by, word })
  const own = session.files.find(({ facts }) => facts.session === session.id && facts.kind === 'session')
  const file = own ?? session.files[0]
  const node = file === undefined ? -1 : endOfFile(loaded.graph, file, by)
  return { loaded, source, node: pointed(node, word) }
}

/** Whether a word names a session; an entry is looked for where it does not. */
function isSession(word: string, console: Console): boolean {
  if (word === '' || word.includes(':')) return false
  try {
    findSession(word, console)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function pointed(node: number, word: string): number {
  if (node >= 0) return node
  throw new Refusal(
    `Nothing had been said in ${word} by then: give a later date, or \`dagline log ${word}\` to see it.`,
  )
}
