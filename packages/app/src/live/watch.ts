/** Watching for changes of files below folders: by events of the system where there are any, and by polling everywhere. */
import { type FSWatcher, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBelow } from '@dagline/store'

interface Watching {
  /** Watches further folders; those that do not exist, or cannot be watched, are polled. */
  readonly add: (folders: readonly string[]) => void
  readonly stop: () => void
}

/** How a watcher looks. Times are in milliseconds. */
interface WatchOptions {
  /** Folders below are watched, too. */
  readonly isDeep: boolean
  /** A row is written in pieces, and an answer in rows: a look waits until it is quiet for so long. */
  readonly quiet: number
  /** But never longer than this. */
  readonly longest: number
  /** How long a change may go unseen where the system reports changes, and where it does not. */
  readonly slowly: number
  readonly often: number
  /** Keeps the process alive. */
  readonly isKeptAlive: boolean
}

const TREES: WatchOptions = {
  isDeep: true,
  quiet: 200,
  longest: 1000,
  slowly: 15_000,
  often: 2000,
  isKeptAlive: false,
}

/** For the records of processes: a killed process changes none, so that they are also looked at once a second. */
export const PROCESSES: WatchOptions = {
  isDeep: false,
  quiet: 100,
  longest: 500,
  slowly: 1000,
  often: 1000,
  isKeptAlive: false,
}

/** For a user who watches the terminal. */
const FOLDERS: WatchOptions = {
  isDeep: false,
  quiet: 20,
  longest: 20,
  slowly: 250,
  often: 250,
  isKeptAlive: true,
}

/** Calls `look` soon after something has changed, and once in a while anyway. */
export function watchFolders(
  folders: readonly string[],
  look: () => void,
  options: WatchOptions = TREES,
): Watching {
  const { isDeep, quiet, longest, slowly, often } = options
  let timer: NodeJS.Timeout | null = null
  let since = 0
  const fire = (): void => {
    timer = null
    look()
  }
  const change = (): void => {
    const now = performance.now()
    if (timer === null) since = now
    else clearTimeout(timer)
    timer = setTimeout(fire, Math.max(0, Math.min(quiet, since + longest - now)))
    timer.unref()
  }
  const trees = new Map<string, Tree>()
  const isEach = process.platform === 'linux' && isDeep
  const add = (more: readonly string[]): void => {
    for (const folder of more)
      if (trees.get(folder)?.isOpen() !== true)
        trees.set(folder, isEach ? watchEach(folder, change) : watchOne(folder, change, isDeep))
  }
  add(folders)
  const isTold = (): boolean => [...trees.values()].every(tree => tree.isTold())
  let ticks = 0
  const clock = setInterval(() => {
    if (!isTold() || ++ticks % (slowly / often) < 1) look()
  }, often)
  if (!options.isKeptAlive) clock.unref()
  return {
    add,
    stop: () => {
      clearInterval(clock)
      if (timer !== null) clearTimeout(timer)
      for (const tree of trees.values()) tree.stop()
    },
  }
}

/** Waits between two looks at a few folders. */
export interface Waker {
  /** Ends when something may have changed, when it is time to look again, or at once after `stop`. */
  readonly wait: () => Promise<void>
  readonly watch: Watching['add']
  readonly stop: () => void
}

/** A waker that watches nothing yet. */
export function createWaker(): Waker {
  let [isStopped, isChanged] = [false, false]
  let wake: (() => void) | null = null
  const change = (): void => {
    if (wake === null) isChanged = true
    else wake()
  }
  const watching = watchFolders([], change, FOLDERS)
  return {
    watch: watching.add,
    wait: () =>
      new Promise<void>(resolve => {
        wake = () => {
          wake = null
          resolve()
        }
        if (isStopped || isChanged) wake()
        isChanged = false
      }),
    stop: () => {
      isStopped = true
      watching.stop()
      wake?.()
    },
  }
}

interface Tree {
  /** Whether the folder itself is watched. */
  readonly isOpen: () => boolean
  /** Whether the system reports all changes. */
  readonly isTold: () => boolean
  readonly stop: () => void
}

function watchOne(root: string, change: () => void, isDeep: boolean): Tree {
  let isTold = true
  const fail = (): void => {
    isTold = false
  }
  const watcher = open(root, { recursive: isDeep }, change, fail)
  return { isOpen: () => watcher !== null && isTold, isTold: () => isTold, stop: () => watcher?.close() }
}

/** Further folders are polled: the system has a limit for all programs together. */
const MOST_FOLDERS = 8000
/** Folders that never hold transcripts. */
const PASSED_OVER = new Set(['node_modules', '.git', 'tool-results', 'file-history'])

/**
 * Linux reports changes of one folder at a time. A recursive watcher of Node watches every file there, and loses one
 * that is replaced; a watched folder reports changes of all its files.
 */
function watchEach(root: string, change: () => void): Tree {
  const watchers = new Map<string, FSWatcher>()
  let [isTold, isStopped] = [true, false]
  const fail = (): void => {
    isTold = false
  }
  const add = async (folder: string): Promise<void> => {
    if (isStopped || watchers.has(folder)) return
    if (watchers.size >= MOST_FOLDERS) return fail()
    const watcher = open(
      folder,
      {},
      event => {
        change()
        if (event === 'rename') void addBelow(folder)
      },
      () => {
        watchers.delete(folder)
        fail()
      },
    )
    if (watcher === null) return
    watchers.set(folder, watcher)
    await addBelow(folder)
  }
  const followed = new Map([[root, root]])
  const addBelow = async (folder: string): Promise<void> => {
    const inside = await foldersIn(folder, path => leadsOutside(root, path, followed))
    for (const [path, watcher] of watchers) {
      // One that comes back under the same name is another one.
      if (dirname(path) === folder && !inside.includes(path)) {
        watcher.close()
        watchers.delete(path)
      }
    }
    for (const inner of inside) await add(inner)
  }
  // What changed while the folders were being found is looked at once they are.
  void add(root).then(() => !isStopped && change())
  return {
    isOpen: () => watchers.has(root),
    isTold: () => isTold,
    stop: () => {
      isStopped = true
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** Null where it cannot be watched; then `fail` is called. */
function open(
  folder: string,
  options: { readonly recursive?: boolean },
  change: (event: string) => void,
  fail: () => void,
): FSWatcher | null {
  try {
    const watcher = watch(folder, { ...options, persistent: false }, change)
    watcher.on('error', () => {
      watcher.close()
      fail()
    })
    return watcher
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isGone) fail()
    return null
  }
}

async function foldersIn(
  folder: string,
  leads: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  try {
    const found: string[] = []
    for (const item of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, item.name)
      const isFolder = item.isDirectory() || (item.isSymbolicLink() && (await leads(path)))
      if (isFolder && !PASSED_OVER.has(item.name)) found.push(path)
    }
    return found
  } catch {
    // It has gone meanwhile.
    return []
  }
}

/** A link to a folder elsewhere is followed; one to a folder of the tree is not, since that is watched itself. */
async function leadsOutside(root: string, path: string, followed: Map<string, string>): Promise<boolean> {
  try {
    const [real, top] = [await realpath(path), await realpath(root)]
    const isOutside = real !== top && !isBelow(real, top) && !isBelow(top, real)
    if (!isOutside || !(await stat(real)).isDirectory()) return false
    if (!followed.has(real)) followed.set(real, path)
    return followed.get(real) === path
  } catch {
    return false
  }
}
