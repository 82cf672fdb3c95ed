/** What the viewer shows: the user's sessions, those under given paths, or the samples where there are none. */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Archive,
  archivePath,
  type ByteSource,
  cacheFolder,
  INDEX_VERSION,
  openArchive,
  StoreError,
} from '@dagline/store'
import { findRoots, lookedIn, nothingFound, rootsOf, samplesRoot } from '../files/projects.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { usualIndex } from '../index/open.js'
import type { SyncInput } from '../index/sync.js'

/** What is shown, and from where. */
export interface ViewerSource {
  readonly order: SyncInput
  /** Absolute paths of the folders, as the index knows them. */
  readonly roots: readonly string[]
  readonly isSample: boolean
  /** Where sessions were looked for. */
  readonly looked: readonly string[]
  /** The folder with the built page. */
  readonly page: string
  readonly elsewhere: (location: string) => ByteSource | null
  readonly close: () => void
}

/** Finds what to show. `index` is another index than the usual one. */
export function findViewerSource(host: Host, paths: readonly string[], index: string | null): ViewerSource {
  const found = findRoots(paths, host)
  const isEmpty = found.every(({ projects }) => projects.length === 0)
  const samples = isEmpty && paths.length === 0 && !existsSync(archivePath()) ? samplesRoot() : null
  const roots = samples === null ? found.map(({ root }) => root) : [samples]
  if (roots.length === 0) throw new UserError(nothingFound(paths, host))
  // A file or folder within a root is indexed by itself: what lies beside it must not seem to be gone.
  const chosen = samples === null ? paths.map(path => resolve(path)) : [samples]
  const kept = chosen.length === 0 ? usualIndex() : indexFor(chosen)
  const { file, remove } = index === null ? writable(kept) : { file: resolve(index), remove: () => {} }
  const archive = openKept()
  return {
    order: { index: file, paths: chosen, roots: rootsOf(host.roots) },
    roots,
    isSample: samples !== null,
    looked: samples === null ? roots : lookedIn(paths, host),
    page: pageFolder(),
    elsewhere: location => archive()?.at(realPlace(location, roots)) ?? null,
    close: () => {
      archive()?.close()
      remove()
    },
  }
}

function indexFor(paths: readonly string[]): string {
  const name = createHash('sha256').update(JSON.stringify(paths)).digest('hex').slice(0, 16)
  return join(cacheFolder(), `view-${INDEX_VERSION}-${name}.db`)
}

/** The index where it belongs, or for this once in a folder of its own. */
function writable(index: string): { readonly file: string; readonly remove: () => void } {
  try {
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 })
    accessSync(cacheFolder(), constants.W_OK)
    return { file: index, remove: () => {} }
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
    return { file: join(folder, 'index.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
  }
}

/** Beside the bundled command; in a checkout where the bundle puts it. */
function pageFolder(): string {
  const locations = ['page', '../../../cli/dist/page'].map(location =>
    fileURLToPath(new URL(location, import.meta.url)),
  )
  return locations.find(existsSync) ?? locations[0] ?? ''
}

/** The archive, opened when it is needed and there. One that cannot be read has nothing. */
function openKept(): () => Archive | null {
  let archive: Archive | null = null
  return () => {
    if (archive !== null || !existsSync(archivePath())) return archive
    try {
      archive = openArchive()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
    return archive
  }
}

/** The archive knows folders with links resolved. */
function realPlace(location: string, roots: readonly string[]): string {
  const root = roots.find(each => location.startsWith(each + sep))
  return root === undefined ? location : join(realpathSync(root), location.slice(root.length))
}
