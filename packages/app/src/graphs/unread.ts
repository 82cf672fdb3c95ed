/** P11: what cannot be read: an answer without it says so, and nothing is written from it. */

import { dirname, join } from 'node:path'
import { cleanLine } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import { isBelow, isReadFailure, StoreError, type WholeSources, wholeSources } from '@dagline/store'
import type { ProjectLocation } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import type { LoadedProject } from './project.js'

/** Ends the command with exit code 1 where a file could not be read that was asked for. */
export function failUnread(
  host: Host,
  { found, project }: Pick<LoadedProject, 'found' | 'project'>,
  isAskedFor: (path: string) => boolean,
): void {
  const failures = [...project.unread, ...found.filter(isReadFailure)]
  if (failures.some(({ file }) => isAskedFor(file))) host.fail()
}

/** Nothing is written where something that it might come from, in its project or above, could not be read. */
export function refuseUnread(host: Host, { root, project }: ProjectLocation): void {
  const folders = new Set([project.path, ...project.files.map(({ path }) => dirname(path))])
  const isNear = (path: string): boolean =>
    [...folders].some(folder => isBelow(path, join(root, folder)) || isBelow(join(root, folder), path))
  const failures = [...host.unread.values()].filter(({ isInTheWay, path }) => isInTheWay || isNear(path))
  const [first] = failures
  if (first === undefined) return
  const others = failures.length > 1 ? ` (and ${plural(failures.length - 1, 'other file')})` : ''
  throw new UserError(
    cleanLine(
      `Nothing was written, because ${first.path}${others} could not be read whole: ${first.message} Make it readable or move it out of the project, then try again.`,
    ),
  )
}

/** E12: a project of which every file was read to its end. `sources` can be had from `wholeProject` only. */
export interface WholeProject extends LoadedProject {
  readonly sources: WholeSources
}

/** A project that was read with `isHashed`. Throws `UserError` where anything in it or above it could not be read. */
export function wholeProject(loaded: LoadedProject, host: Host): WholeProject {
  refuseUnread(host, loaded)
  try {
    return { ...loaded, sources: wholeSources(loaded.root, loaded.fingerprints) }
  } catch (error) {
    throw error instanceof StoreError ? new UserError(error.message) : error
  }
}
