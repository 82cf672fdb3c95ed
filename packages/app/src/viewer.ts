/** What the viewer shows: the user's sessions, those under given paths, or the samples where there are none. */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { archivePath, cacheFolder, discover, INDEX_VERSION, labelsPath, viewerToken } from '@dagline/store'
import { actInWorker } from './act.js'
import { exportInWorker, findInWorker } from './export/worker.js'
import { lookedIn, nothingFound, peekRoots, rootsOf, samplesRoot } from './files/projects.js'
import { noteUnread } from './files/unread.js'
import { createExaminer } from './health/examiner.js'
import type { Host } from './host/host.js'
import { UserError } from './host/user-error.js'
import { openArchivedFiles } from './index/archive.js'
import { usualIndex } from './index/path.js'
import { createSyncer } from './index/sync.js'
import { type LiveHistory, openLive } from './live-history.js'
import { knownSessions, type SessionFigures } from './measure/sessions.js'
import { createSearcher } from './pages/search-workers.js'
import { createSessionWorkers } from './pages/session-workers.js'
import { endWorkers } from './workers/pool.js'

/** A live history, and what else a server of it needs. */
export interface Viewer {
  /** To be started and closed by the server. */
  readonly history: LiveHistory
  /** The folder with the built page. */
  readonly page: string
  /** Absolute paths of the folders that are shown. */
  readonly roots: readonly string[]
  readonly isSample: boolean
  /** Where sessions were looked for. */
  readonly looked: readonly string[]
  /** Resolves after the first sync, whether it succeeded or not. */
  readonly upToDate: Promise<void>
  /** The sessions that the index holds by now. */
  readonly sessions: () => readonly SessionFigures[]
  /** V2: the token of this installation, or a new one in its place, and whether the next start has it, too. */
  readonly token: typeof viewerToken
  /** Ends what the viewer started beside the history. */
  readonly close: () => void
}

/** Opens what is under some paths, or under the roots, for a server. `index` is another index than the usual one. */
export function openViewer(host: Host, paths: readonly string[], index: string | null): Viewer {
  const viewer = openShown(host, paths, index)
  return viewer.isSample ? untilOwn(viewer, host, () => openShown(host, paths, index)) : viewer
}

/** Milliseconds between two looks for the user's own sessions. */
const LOOK_EVERY = 1000

/** V25: the samples until there are sessions of the user's own; from then on these, in the pages that are open. */
function untilOwn(samples: Viewer, host: Host, openOwn: () => Viewer): Viewer {
  let current = samples
  // Pages listen to the events of the first history.
  const { events } = samples.history
  const timer = setInterval(() => {
    if (discover(rootsOf(host.roots)).every(({ projects }) => projects.length === 0)) return
    clearInterval(timer)
    const own = openOwn()
    samples.close()
    samples.history.close()
    current = own
    own.history.events.listen(events.tell)
    own.history.start()
    events.tell({ kind: 'changed', sessions: [] })
  }, LOOK_EVERY)
  timer.unref()
  return {
    ...samples,
    history: new Proxy(samples.history, {
      get: (first, name) => Reflect.get(name === 'events' ? first : current.history, name),
    }),
    sessions: () => current.sessions(),
    close: () => {
      clearInterval(timer)
      current.close()
    },
  }
}

function openShown(host: Host, paths: readonly string[], index: string | null): Viewer {
  const syncer = createSyncer(host.note)
  try {
    return openWith(syncer, host, paths, index)
  } catch (error) {
    syncer.close()
    throw error
  }
}

function openWith(
  syncer: ReturnType<typeof createSyncer>,
  host: Host,
  paths: readonly string[],
  index: string | null,
): Viewer {
  // The process that syncs looks at all files: here that would only keep the page waiting.
  const { roots: found, isEmpty } = peekRoots(paths, host)
  const samples = isEmpty && paths.length === 0 && !existsSync(archivePath()) ? samplesRoot() : null
  const roots = samples === null ? found : [samples]
  if (roots.length === 0) throw new UserError(nothingFound(paths, host))
  const shown = {
    roots,
    isSample: samples !== null,
    looked: samples === null ? roots : lookedIn(paths, host),
  }
  // A file or folder within a root is indexed by itself: what lies beside it must not seem to be gone.
  const chosen = samples === null ? paths.map(path => resolve(path)) : [samples]
  const usual = chosen.length === 0 ? usualIndex() : indexFor(chosen)
  const { file, remove } = index === null ? writable(usual) : { file: resolve(index), remove: () => {} }
  const input = { index: file, paths: chosen, roots: rootsOf(host.roots) }
  const archived = openArchivedFiles(roots)
  const searcher = createSearcher({ index: file, roots }, host.note)
  const sessionWorkers = createSessionWorkers({ index: file, roots, isSample: shown.isSample }, host.note)
  let isUpToDate: () => void = () => {}
  const upToDate = new Promise<void>(done => {
    isUpToDate = done
  })
  const history = openLive({
    ...shown,
    index: file,
    elsewhere: archived.at,
    labels: labelsPath(),
    sync: async tell => {
      try {
        const unread = await syncer.sync(input, tell)
        noteUnread(
          host,
          unread.map(each => ({ ...each, isInTheWay: false })),
        )
        return unread
      } finally {
        isUpToDate()
      }
    },
    search: searcher.search,
    sessionWorkers,
    exportHtml: exportInWorker,
    findPersonal: findInWorker,
    examine: createExaminer(input),
    noteDamage: host.note,
    // Samples come with the package.
    act: shown.isSample ? null : (request, dryRun) => actInWorker({ roots, request, dryRun }),
  })
  return {
    ...shown,
    history,
    page: pageFolder(),
    upToDate,
    sessions: () => knownSessions(file, roots),
    token: viewerToken,
    close: () => {
      syncer.close()
      searcher.close()
      sessionWorkers?.close()
      archived.close()
      // What a page had asked for last may take many seconds.
      endWorkers()
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
  const paths = ['page', '../../cli/dist/page'].map(path => fileURLToPath(new URL(path, import.meta.url)))
  return paths.find(existsSync) ?? paths[0] ?? ''
}
