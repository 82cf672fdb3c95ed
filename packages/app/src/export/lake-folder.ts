/** Where the files of a lake are kept: a folder, or a bucket (`lake-bucket.ts`). */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeAbandoned, renameFile, takeLock } from '@dagline/store'
import { isFolder } from '../files/projects.js'
import { UserError } from '../host/user-error.js'

/** A place for files with names such as `nodes/project=shop/month=2026-01/data.parquet`. One export at a time has it open. */
export interface LakeFolder {
  /** The names of all files. */
  readonly list: () => Promise<readonly string[]>
  /** The text of a file; null where there is none. */
  readonly read: (name: string) => Promise<string | null>
  /** Gives a local file a name, whole or not at all, in place of the file that had it. The local file is gone afterwards. */
  readonly put: (name: string, file: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** A local folder for files that have no name yet. */
  readonly scratch: string
  /** Removes that folder, and lets others write. */
  readonly close: () => Promise<void>
}

const SCRATCH = /^\.dagline\.(\d+)\./
const LOCK = '.dagline'

/** A folder on this machine. Throws `UserError` for one that holds anything but a lake, or that another export writes to. */
export function openLakeFolder(folder: string, manifest: string): LakeFolder {
  if (existsSync(folder) && !isFolder(folder))
    throw new UserError(`${folder} is a file. Give a folder with --to.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const isLake = existsSync(join(folder, manifest)) || readdirSync(folder).every(isTemporary)
  if (!isLake)
    throw new UserError(
      `${folder} holds other files, and no export of tables. Give a new or an empty folder with --to.`,
    )
  const unlock = takeLock(join(folder, LOCK), 0)
  if (unlock === null)
    throw new UserError(`Another export writes to ${folder}. Wait until it ends.`, 'unavailable')
  removeAbandoned(folder, name => SCRATCH.exec(name)?.[1])
  const scratch = mkdtempSync(join(folder, `.dagline.${process.pid}.`))
  return {
    list: async () => filesBelow(folder).map(path => path.split('\\').join('/')),
    read: async name => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null),
    put: async (name, file) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
      renameFile(file, join(folder, name))
    },
    remove: async name => {
      rmSync(join(folder, name), { force: true })
      removeEmpty(folder, dirname(name))
    },
    scratch,
    close: async () => {
      rmSync(scratch, { recursive: true, force: true })
      unlock()
    },
  }
}

/** Whether a name is that of a file of an export under way. */
function isTemporary(name: string): boolean {
  return SCRATCH.test(name) || name.startsWith(`${LOCK}.lock`)
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name).slice(folder.length + 1))
}

/** Removes folders that a file has left empty. */
function removeEmpty(folder: string, name: string): void {
  for (let path = name; basename(path) !== '' && path !== '.'; path = dirname(path)) {
    try {
      rmdirSync(join(folder, path))
    } catch {
      return
    }
  }
}
