/** Files and the processes that write them. */

import type { Process, State, TranscriptFile, World } from './model.js'
import type { Style } from './styles.js'

/** Where every conversation begins. */
export const EMPTY_STATE: State = { tip: null, memory: null, choices: null, points: [], answered: null }

/** Opens a new transcript file. */
export function openFile(world: World, path: string, session: string, marked = false): TranscriptFile {
  const file: TranscriptFile = {
    path,
    session,
    nodes: world.keepFiles ? [] : null,
    marked: marked ? [] : null,
    entries: 0,
    owner: null,
    rootBranch: null,
    held: null,
  }
  world.files.push(file)
  return file
}

/** Opens the file of a new session. */
export function openSession(world: World, marked = false): TranscriptFile {
  const session = world.rng.uuid()
  return openFile(world, `${world.project}/${session}.jsonl`, session, marked)
}

/** A process on a file, standing where `state` says. */
export function startProcess(world: World, style: Style, file: TranscriptFile, state: State): Process {
  return {
    world,
    style,
    file,
    agent: null,
    headless: world.rng.chance(0.5),
    hooks: style.hooks !== 'none' && world.rng.chance(0.5),
    state,
    promptId: world.rng.uuid(),
    notices: [],
    compacted: false,
    revived: false,
  }
}
