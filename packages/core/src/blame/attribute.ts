/**
 * Z1: which call of a session last wrote each line of a file. The calls are replayed in the order of time. A call that
 * records the file before it says what the file was then, whatever happened since the call before: what differs was
 * changed outside of sessions, or undone. Contents are the evidence; nothing depends on which branch a call is on.
 */
import type { FileChange } from '../model/file-change.js'
import { type EditSummary, summarizeEdits } from './fates.js'
import { addChange, createReplay, reachContent } from './replay.js'
import type { LineOrigin, Version } from './version.js'

/** Something that happened to a file. */
export interface FileEvent {
  /** Which copy of the file: its path. Checkouts of a repository, and a file before it was renamed, are copies. */
  readonly track: string
  /** When it was done; events of the same time are in the order of the list. */
  readonly time: number
  readonly change: FileChange
}

/** A line of a file. */
export interface AttributedLine {
  readonly text: string
  readonly origin: LineOrigin
}

/** A file, line by line. */
export interface Attribution {
  readonly lines: readonly AttributedLine[]
  /** The calls that changed it, in the order of time. */
  readonly edits: readonly EditSummary[]
}

/** The copy of a file that is asked about, and its content; null for the one that is known last. */
export interface AskedFile {
  readonly track: string
  readonly content: string | null
}

/**
 * Attributes the lines of a file to what happened to it. Edits are numbers of events.
 *
 *   const { lines } = attributeLines(events, { track: '/home/dev/shop/app.ts', content })
 *   lines[9]?.origin   { kind: 'edit', edit: 3, evidence: 'changed' }
 */
export function attributeLines(events: readonly FileEvent[], asked: AskedFile): Attribution {
  const replay = createReplay()
  const order = [...events.entries()].sort(([, a], [, b]) => a.time - b.time)
  for (const [nth, { track, time, change }] of order) addChange(replay, { edit: nth, track, time }, change)
  const { track, content } = asked
  const last: Pick<Version, 'lines' | 'origins'> | undefined =
    content === null
      ? (replay.current.get(track) ?? replay.versions.at(-1))
      : reachContent(replay, { track, time: null }, content)
  const { lines, origins } = last ?? { lines: [], origins: [] }
  return {
    lines: lines.map((text, nth) => ({ text, origin: origins[nth] ?? NOWHERE })),
    edits: summarizeEdits(replay.written, track, origins),
  }
}

const NOWHERE: LineOrigin = { kind: 'outside', after: null, before: null }
