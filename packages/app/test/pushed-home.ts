/** Homes whose files were pushed: tests ask their history as a hub does. */
import { join } from 'node:path'
import { type ByteSource, discover, openIndex, syncRoot } from '@dagline/store'
import { expandShape, inProject, type TextFile, withHome } from '@dagline/testkit'
import { openPushed, type PushedHistory } from '../src/live-history.js'

/** A history of pushed files, whose index and files lie in a home of their own. */
interface Pushed {
  readonly history: PushedHistory
  readonly root: string
  readonly files: readonly TextFile[]
  /** Paths whose bytes were asked for. */
  readonly read: string[]
  readonly sync: () => Promise<void>
}

/** Opens the history of some files, or of those of a shape in one project. */
export async function withPushed(
  given: string | readonly TextFile[],
  use: (pushed: Pushed) => Promise<void>,
  now: () => number = Date.now,
  isCut: (path: string) => boolean = () => false,
): Promise<void> {
  const files = typeof given === 'string' ? inProject(expandShape(given).files) : given
  await withHome(files, async home => {
    const path = join(home.dir, 'index.db')
    const root = home.projects
    const sync = async (): Promise<void> => {
      const index = openIndex(path)
      for (const each of discover([root])) await syncRoot(index, each)
      index.close()
    }
    await sync()
    const bytes = new Map(files.map(file => [join(root, file.path), Buffer.from(file.text)]))
    const read: string[] = []
    let round = 0
    let index = openIndex(path, { readOnly: true })
    let isClosed = false
    const closeIndex = (): void => {
      if (!isClosed) index.close()
      isClosed = true
    }
    const history = openPushed({
      source: { index: () => index, stamp: () => `${round++}`, close: closeIndex },
      roots: [root],
      now,
      elsewhere: file => {
        read.push(file)
        const source = sourceOf(bytes.get(file))
        return source !== null && isCut(file) ? { ...source, size: source.size + 1 } : source
      },
    })
    try {
      await use({
        ...{ history, root, files, read },
        sync: async () => {
          index.close()
          await sync()
          index = openIndex(path, { readOnly: true })
        },
      })
    } finally {
      history.close()
    }
  })
}

function sourceOf(bytes: Buffer | undefined): ByteSource | null {
  if (bytes === undefined) return null
  return {
    size: bytes.length,
    mtime: 0,
    inode: 0,
    read: (into, offset, length, from) => bytes.copy(into, offset, from, from + length),
    close: () => {},
  }
}
