/** Where the files of a lake are kept. A bucket can take the place of a folder: it needs no more than this. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeAbandoned, renameFile } from '@dagline/store'
import { isFolder } from '../files/projects.js'
import { UserError } from '../host/user-error.js'

/** A place for files with names such as `nodes/project=shop/month=2026-01/data.parquet`. */
export interface LakeFolder {
  /** The names of all files. */
  readonly list: () => readonly string[]
  /** The text of a file; null where there is none. */
  readonly read: (name: string) => string | null
  /** Gives a local file a name, whole or not at all, in place of the file that had it. The local file is gone afterwards. */
  readonly put: (name: string, file: string) => void | Promise<void>
  readonly remove: (name: string) => void | Promise<void>
  /** A local folder for files that have no name yet. */
  readonly scratch: string
  /** Removes that folder. */
  readonly close: () => void
}

const SCRATCH = /^\.dagline\.(\d+)\./

/** A folder on this machine. Throws `UserError` for one that holds anything but a lake. */
export function openLakeFolder(folder: string, manifest: string): LakeFolder {
  if (existsSync(folder) && !isFolder(folder))
    throw new UserError(`${folder} is a file. Give a folder with --to.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeAbandoned(folder, name => SCRATCH.exec(name)?.[1])
  const isLake = existsSync(join(folder, manifest)) || readdirSync(folder).every(name => SCRATCH.test(name))
  if (!isLake)
    throw new UserError(
      `${folder} holds other files, and no export of tables. Give a new or an empty folder with --to.`,
    )
  const scratch = mkdtempSync(join(folder, `.dagline.${process.pid}.`))
  return {
    list: () => filesBelow(folder).map(path => path.split('\\').join('/')),
    read: name => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null),
    put: (name, file) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
      renameFile(file, join(folder, name))
    },
    remove: name => {
      rmSync(join(folder, name), { force: true })
      removeEmpty(folder, dirname(name))
    },
    scratch,
    close: () => rmSync(scratch, { recursive: true, force: true }),
  }
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
