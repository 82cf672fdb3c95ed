/** Projects and sessions under examination: what the doctor needs is gathered while they are read, once. */

import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { textsOf } from '@dagline/core/content'
import { examine, type SessionHealth } from '@dagline/core/faults'
import type { Json, TranscriptRecord } from '@dagline/core/parse'
import { findSecrets } from '@dagline/core/redact'
import { type DiskFacts, type Survey, type Surveyor, startSurvey } from '@dagline/core/resume'
import { type FoundFile, isReadFailure, sweepDays } from '@dagline/store'
import { findProjectsOrNote, isFolder, type ProjectLocation, projectName } from '../files/projects.js'
import { type LoadedProject, loadProject, type Meter, type SeeInFile } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { agentsAlone, isOfSession, openSession, refuseUnreadFile } from '../locate/session.js'

/** A session's health, and the project it is listed under. */
export interface Examined extends SessionHealth {
  readonly project: string
}

/** Reads a project and examines its sessions. */
export function examineProject(location: ProjectLocation, meter?: Meter): readonly Examined[] {
  const gathering = startGathering()
  return healthOf(loadProject(location, meter, { see: gathering.see }), gathering)
}

/** Finds a session, reads its project and examines the session's own file. Refuses where it was not read whole. */
function examineSession(word: string, host: Host): readonly Examined[] {
  const gathering = startGathering()
  const { loaded, session, file } = openSession(word, host, { see: gathering.see })
  refuseUnreadFile(loaded, path => path === file?.facts.path || isOfSession(path, session.id), word)
  if (file?.facts.kind === 'session') return healthOf(loaded, gathering, path => path === file.facts.path)
  const own = session.files.filter(({ facts }) => facts.kind === 'session').map(({ facts }) => facts.path)
  if (own.length === 0) throw new UserError(agentsAlone(loaded.graph, session))
  const named = own.filter(path => basename(path) === `${session.id}.jsonl`)
  const paths = new Set<string>(named.length > 0 ? named : own)
  return healthOf(loaded, gathering, path => paths.has(path))
}

interface Gathering {
  readonly see: SeeInFile
  readonly files: ReadonlyMap<string, Surveyor>
}

function startGathering(): Gathering {
  const files = new Map<string, Surveyor>()
  return {
    files,
    see: (json, record, file, damaged) => {
      if (file.kind !== 'session') return
      const surveyor = files.get(file.path) ?? startSurvey()
      files.set(file.path, surveyor)
      surveyor.see(json, record, damaged)
      lookForSecrets(json, record, surveyor)
    },
  }
}

function lookForSecrets(json: Json, record: TranscriptRecord, surveyor: Surveyor): void {
  for (const { text } of textsOf(json, record))
    for (const { kind } of findSecrets(text)) surveyor.secret({ kind, row: record.source.row })
}

function healthOf(
  loaded: LoadedProject,
  { files }: Gathering,
  only?: (path: string) => boolean,
): readonly Examined[] {
  const { graph, project, found } = loaded
  const diskOf = diskFacts(loaded, Date.now())
  const surveys = new Map<string, Survey>()
  for (const file of project.files) {
    const surveyor = files.get(file.path)
    if (surveyor !== undefined) surveys.set(file.path, surveyor.survey(diskOf(file)))
  }
  // A file that was not read whole cannot be called healthy.
  const unread = new Set<string>(found.filter(isReadFailure).map(({ file }) => file))
  const isMeant = (path: string): boolean => !unread.has(path) && (only?.(path) ?? true)
  const all = examine(graph, { surveys, found, only: isMeant })
  return all.map(health => ({ ...health, project: projectName(project, health.file) }))
}

const DAY = 24 * 60 * 60 * 1000

/** What the disk says of each file of a project. */
function diskFacts({ root, project }: LoadedProject, now: number): (file: FoundFile) => DiskFacts {
  const days = sweepDays(root)
  const outputs = new Set(project.toolResults.map(({ path }) => basename(path)))
  return ({ path, mtime }) => ({
    folder: folderOf(root, path),
    hasFolder: existsSync,
    daysLeft: days === null ? null : (mtime + days * DAY - now) / DAY,
    hasOutput: output => outputs.has(output.split(/[/\\]/).at(-1) ?? '') || existsSync(output),
  })
}

/** The folder that a transcript lies in, where its name is the code of a path. */
function folderOf(root: string, path: string): string | null {
  const folder = dirname(resolve(root, path))
  return /^(-|[A-Za-z]--)/.test(basename(folder)) ? folder : null
}

/** Examines what a path names: a session by id or path, a project, a root; all without any. */
export async function examineAt(path: string | null, host: Host): Promise<readonly Examined[]> {
  if (path !== null && !isFolder(path)) return examineSession(path, host)
  const paths = path === null ? [] : [path]
  const locations = findProjectsOrNote(paths, host)
  const found = (await runOnProjects('examineProject', examineProject, locations, host)).flat()
  if (locations.length > 0 && found.length === 0)
    host.note(
      'There is no session in it that could be resumed. Run `dagline ls --all` to list what there is.',
    )
  return found
}
