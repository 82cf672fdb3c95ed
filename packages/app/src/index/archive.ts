/** Opening the archive: its failures become messages for the user. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Archive,
  type ArchivedPart,
  allPresent,
  archivedOnly,
  archivedRoots,
  archivePath,
  type ByteSource,
  type FoundRoot,
  hasArchive,
  isWithin,
  openArchive,
  type PresentFile,
  StoreError,
} from '@dagline/store'
import { UserError } from '../host/user-error.js'

/** Does something with an archive, and closes it whatever happens. Throws `UserError` where the archive fails. */
export async function withArchive<Opened extends { readonly close: () => void }, T>(
  open: () => Opened,
  use: (archive: Opened) => Promise<T> | T,
): Promise<T> {
  try {
    const archive = open()
    try {
      return await use(archive)
    } finally {
      archive.close()
    }
  } catch (error) {
    throw error instanceof StoreError ? new UserError(error.message) : error
  }
}

/** The archive; null where there is none that can be read, and `note` receives why. */
export function openArchiveIfAny(
  path: string = archivePath(),
  note: (message: string) => void = () => {},
): Archive | null {
  if (!hasArchive(path)) return null
  try {
    return openArchive(path)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    note(error.message)
    return null
  }
}

/** Finds the archived sessions that were found under a root, which the archive knows with links resolved. */
export function archivedParts(
  found: readonly FoundRoot[],
  archive: Archive | null,
): (root: FoundRoot) => ArchivedPart | undefined {
  if (archive === null) return () => undefined
  const roots = archivedRoots(archive, archivedOnly(archive, found))
  return ({ root }) => {
    const part = roots.find(each => each.root === realpathSync(root))
    return part === undefined ? undefined : { archive: archive.path, found: part }
  }
}

/** A root, and all files of it: those that are in the archive only included. */
export interface PresentRoot {
  readonly root: string
  readonly files: readonly PresentFile[]
}

/** The files of each root. */
export function presentRoots(found: readonly FoundRoot[], archive: Archive | null): readonly PresentRoot[] {
  const archived = archivedParts(found, archive)
  return found.map(root => ({ root: root.root, files: allPresent(root, archived(root)) }))
}

/** Files that are in the archive only. It may come into being while the viewer runs. */
export function openArchivedFiles(roots: readonly string[]): {
  readonly at: (path: string) => ByteSource | null
  readonly close: () => void
} {
  let archive: Archive | null = null
  return {
    at: path => {
      archive ??= openArchiveIfAny()
      return archive?.at(realPath(path, roots)) ?? null
    },
    close: () => archive?.close(),
  }
}

/** The archive knows folders with links resolved. */
function realPath(path: string, roots: readonly string[]): string {
  const root = roots.find(each => isWithin(path, each))
  return root === undefined ? path : join(realpathSync(root), path.slice(root.length))
}
