/** The file groups of a root (I3), as the index has them. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '@dagline/core/model'
import { DamagedIndex, type GroupedFile, type IndexStore } from '@dagline/store'
import type { ProjectLocation } from '../files/projects.js'

/** The files of a root, and their groups. */
export interface Grouping {
  readonly root: number
  readonly files: ReadonlyMap<string, GroupedFile>
  /** The files of each group, those of the archive included. */
  readonly groups: ReadonlyMap<number | null, readonly GroupedFile[]>
}

/** The groups of a root; null where the index does not know it. */
export function groupingOf(index: IndexStore, path: string): Grouping | null {
  const root = index.findRoot(path)
  if (root === null) return null
  const files = index.grouping(root)
  return {
    root,
    files: new Map(files.map(file => [file.path, file])),
    groups: groupBy(files, ({ group }) => group),
  }
}

/** The group of a file; null where there is none, or the file is in the archive only. */
export function groupOf({ files }: Grouping, path: string): number | null {
  const file = files.get(path)
  return file === undefined || file.isArchived ? null : file.group
}

/** P11: a file that may not be read any more is not answered for: reading it says why. */
export function isReadable({ root, project }: ProjectLocation): boolean {
  try {
    for (const { path } of project.files) accessSync(join(root, path), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** I15: what a damaged index holds is read from the files; the next command makes the index again. */
export function unlessDamaged<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof DamagedIndex) return otherwise
    throw error
  }
}
