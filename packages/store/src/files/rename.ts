/** Renaming, which Windows refuses for a moment while another program has the file open. */
import { renameSync } from 'node:fs'
import { renamePause } from '@dagline/core/platform'
import { codeOf } from './failures.js'

/** How a rename is done; another one for tests. */
interface RenameSystem {
  readonly platform: string
  readonly rename: (from: string, to: string) => void
  readonly wait: (milliseconds: number) => void
}

const HERE: RenameSystem = {
  platform: process.platform,
  rename: renameSync,
  wait: milliseconds => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  },
}

/** Renames a file or folder; a file of the new name is replaced. Throws what the file system throws in the end. */
export function renameFile(from: string, to: string, { platform, rename, wait }: RenameSystem = HERE): void {
  for (let retries = 0; ; retries++) {
    try {
      rename(from, to)
      return
    } catch (error) {
      const pause = renamePause(codeOf(error), retries, platform)
      if (pause === null) throw error
      wait(pause)
    }
  }
}
