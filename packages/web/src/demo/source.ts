/** Sessions of opened files, as the session page reads them: sheet and contents are made in the browser. */
import { entryId, sessionId, walkTree } from '@dagline/core'
import type { OpenedProject } from '@dagline/core/open'
import { FILE_CHUNK_ROWS, type FileSession, type Sheet } from '@dagline/core/protocol'
import { signal } from '@preact/signals'
import type { SessionSource } from '../session/contents.js'
import { fragmentAddress, searchRows } from '../session/file-source.js'

/** A session of the list, and the project that has it. */
export interface OpenedSession extends FileSession {
  readonly project: OpenedProject
}

/** The sessions of all projects: trees of sessions depth first, the tree that was begun last before the others. */
export function sessionsOf(projects: readonly OpenedProject[]): readonly OpenedSession[] {
  const trees: OpenedSession[][] = []
  for (const project of projects) {
    for (const step of walkTree(project.graph)) {
      if (step.kind !== 'session') continue
      const { id, first } = step.session
      const session = { session: id, name: project.titleOf(id) ?? id, depth: step.depth, first, project }
      if (step.depth === 0) trees.push([session])
      else trees.at(-1)?.push(session)
    }
  }
  return trees.sort((a, b) => (b[0]?.first ?? 0) - (a[0]?.first ?? 0)).flat()
}

/** Texts are whole up to this many characters. */
const LONGEST_TEXT = 400_000

/** One of the sessions. */
export function openedSource(sessions: readonly OpenedSession[], number: number): SessionSource {
  const own = sessions[number]
  if (own === undefined) throw new RangeError(`session ${number} of ${sessions.length}`)
  const { project } = own
  let sheet: Sheet | null = null
  const drawn = (): Sheet => {
    sheet ??= project.sheet(sessionId(own.session))
    return sheet
  }
  const contents: SessionSource['contents'] = (from, to) =>
    project.contents(drawn(), { from, to }, LONGEST_TEXT)
  return {
    isServed: false,
    ask: signal(null),
    chunkRows: FILE_CHUNK_ROWS,
    sheet: async () => drawn(),
    contents,
    hrefOf: (session, node) => {
      const isHere = sessions.some(each => each.session === session)
      return isHere ? `#${node === undefined ? session : `${session}:${node}`}` : null
    },
    addressOf: place => fragmentAddress(own.session, place),
    update: () => Promise.reject(new Error('Dropped files are read once.')),
    why: null,
    contexts: null,
    raw: async node => (await project.raw(project.graph.index(entryId(node)) ?? -1)) ?? '',
    locate: null,
    labels: null,
    wholeText: null,
    search: words => {
      const rows = drawn().rows.node.length
      const chunk = (at: number): ReturnType<typeof contents> =>
        contents(at * FILE_CHUNK_ROWS, Math.min(rows, (at + 1) * FILE_CHUNK_ROWS))
      return searchRows(words, Math.ceil(rows / FILE_CHUNK_ROWS), chunk)
    },
    onChange: () => () => {},
  }
}
