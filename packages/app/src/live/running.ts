/** J1: watching the records of processes. */
import { listProcesses, processFolder } from '@dagline/store'
import { PROCESSES, watchFolders } from './watch.js'

/** Calls back when a process of Claude Code begins, ends or does something else. Returns a function that stops it. */
export function watchProcesses(roots: readonly string[], changed: () => void): () => void {
  const folders = roots.map(processFolder)
  const look = (): string => JSON.stringify(roots.map(listProcesses))
  let before = look()
  const watching = watchFolders(
    folders,
    () => {
      // Claude Code may have made the folder only now.
      watching.add(folders)
      const now = look()
      if (now === before) return
      before = now
      changed()
    },
    PROCESSES,
  )
  return watching.stop
}
