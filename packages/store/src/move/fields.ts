/**
 * M3: the fields that hold paths of a project, by their place in a record. What the model was sent and answered stays as it was
 * sent: Claude Code tells the model by itself that the working directory has changed (recorded from 2.1.325).
 *
 * What is moved: where an entry was made (`cwd`), worktrees, the files that a rewind restores, where output that was too
 * large is kept, and the indexes beside transcripts. Resuming itself needs none of them, only the right folder; `ls`,
 * rewinding files and leaving a worktree do.
 */

/** Values. `[]` is a place in a list, `*` any name. */
export const PATH_FIELDS: ReadonlySet<string> = new Set([
  'cwd',
  'relocatedCwd',
  'worktreePath',
  'worktreeSession.originalCwd',
  'worktreeSession.preEnterOriginalCwd',
  'worktreeSession.worktreePath',
  'worktreeSession.extensionRoot',
  'trackingPath',
  'backup.realParentDir',
  'snapshot.trackedFileBackups.*.realParentDir',
  'toolUseResult.persistedOutputPath',
  'toolUseResult.transcriptDir',
  'toolUseResult.scriptPath',
  'scriptPath',
  'transcriptDir',
  // history.jsonl
  'project',
  // sessions-index.json
  'originalPath',
  'entries.[].fullPath',
  'entries.[].projectPath',
  // .claude.json
  'githubRepoPaths.*.[]',
])

/** Objects whose names are paths. */
export const PATH_KEYS: ReadonlySet<string> = new Set(['snapshot.trackedFileBackups', 'projects'])

/** Objects with any names: their fields are told apart by what is below. */
const ANY_NAME: ReadonlySet<string> = new Set(['snapshot.trackedFileBackups', 'githubRepoPaths'])

/** No place with a path lies deeper. */
export const DEEPEST: number = Math.max(
  ...[...PATH_FIELDS, ...PATH_KEYS].map(place => place.split('.').length),
)

/** The place of a field from the names that lead to it, outermost first; empty where it is too deep to hold a path. */
export function fieldPlace(names: readonly string[]): string {
  let place = ''
  if (names.length > DEEPEST) return place
  for (const name of names) {
    const step = ANY_NAME.has(place) ? '*' : name
    place = place === '' ? step : `${place}.${step}`
  }
  return place
}

/** Fields with what was sent to or by the model, tools and their output included. */
const MESSAGES: ReadonlySet<string> = new Set([
  'message',
  'toolUseResult',
  'attachment',
  'rendered',
  'content',
  'data',
])
/** Thinking is signed: a changed word would make it invalid. */
const SIGNED: ReadonlySet<string> = new Set(['thinking', 'signature', 'data'])

/** Whether a text is part of a message, and may be changed. */
export function isMessageText(names: readonly string[]): boolean {
  const last = names.at(-1) ?? ''
  return MESSAGES.has(names[0] ?? '') && !(names.length > 1 && SIGNED.has(last))
}
