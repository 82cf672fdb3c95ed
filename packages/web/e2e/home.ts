/** A home with sessions, its index and the real server, for tests of the page. */
import { execFile, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type HealthResult, type LiveHistory, openLive, type Sync } from '@dagline/app'
import { type RunningServer, startServer } from '@dagline/server'
import { discover, openIndex, syncRoot } from '@dagline/store'
import type { TextFile } from '@dagline/testkit'
import { act } from '../../app/src/act.js'
import { findingsIn } from '../../app/src/export/findings.js'
import { exportPage } from '../../app/src/export/worker.js'

const REPOSITORY = join(import.meta.dirname, '..', '..', '..')

/** A projects root with recordings of Claude Code. */
export const RECORDED: string = join(REPOSITORY, 'fixtures', 'recorded', 'projects')

/** The samples that come with the command. */
export const SAMPLES: string = join(REPOSITORY, 'fixtures', 'samples', 'projects')

/** The built page; another one can be named by DAGLINE_PAGE. */
const PAGE: string = join(REPOSITORY, 'packages', 'cli', 'dist', 'page')

export interface HomeOptions {
  /** Files below the projects root: `-home-dev-proj/<session>.jsonl`. */
  readonly files?: Iterable<TextFile>
  /** Also copies the recorded projects. The default without files and root. */
  readonly recorded?: boolean
  /** Whether the page says that these are samples. */
  readonly isSample?: boolean
  /** The index is built after this promise; until then it reports 45 %. */
  readonly until?: Promise<unknown>
  /** The file with names, tags and notes. */
  readonly labels?: string
  /** Serves an existing projects root instead of a home of its own. */
  readonly root?: string
}

/** A served home. */
export interface ServedHome {
  readonly server: RunningServer
  /** The projects root. */
  readonly projects: string
  /** Writes a file below the projects root. */
  readonly write: (path: string, text: string) => void
  /** Appends to a file, as a session that continues. */
  readonly append: (path: string, text: string) => void
  /** Writes the file with names, tags and notes. */
  readonly name: (labels: string) => void
  /** The report of `dagline doctor --json`. */
  readonly doctor: () => Promise<readonly HealthResult[]>
  /** Exports a transcript below the projects root with the real command. Returns the path of the file. */
  readonly exportFile: (path: string, ...words: string[]) => string
  /** Exports a project and returns the path of its index page. */
  readonly exportProject: (name: string) => string
  /** Starts the server again at its port, with its token or another one. */
  readonly restart: (token?: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** The folder with the built page, which is built again where its sources are newer. */
export async function builtPage(): Promise<string> {
  const page = process.env['DAGLINE_PAGE'] ?? PAGE
  if (page === PAGE) await freshPage()
  return page
}

/** Creates a home, builds its index and serves it. */
export async function serveHome(options: HomeOptions = {}): Promise<ServedHome> {
  const page = await builtPage()
  const dir = mkdtempSync(join(tmpdir(), 'dagline-page-'))
  const projects = options.root ?? join(dir, '.claude', 'projects')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(projects, path)), { recursive: true })
    writeFileSync(join(projects, path), text)
  }
  mkdirSync(projects, { recursive: true })
  if (options.recorded ?? (options.files === undefined && options.root === undefined))
    cpSync(RECORDED, projects, { recursive: true })
  for (const { path, text } of options.files ?? []) write(path, text)
  const index = join(dir, 'index.db')
  const sync = syncOf(index, projects, options.until ?? null)
  if (options.until === undefined) await sync(() => {})
  const isSample = options.isSample ?? false
  const labels = join(dir, 'names.json')
  if (options.labels !== undefined) writeFileSync(labels, options.labels)
  const open = (): LiveHistory =>
    openLive({
      index,
      roots: [projects],
      isSample,
      labels,
      examine: () => examine(projects),
      exportHtml: exportPage,
      findPersonal: findingsIn,
      act: isSample ? null : (request, dryRun) => act({ roots: [projects], request, dryRun }),
      sync,
    })
  const server = await startServer({ history: open(), page, report: console.error })
  const { port } = server
  let running = server
  return {
    server,
    projects,
    write,
    append: (path, text) => appendFileSync(join(projects, path), text),
    name: text => writeFileSync(labels, text),
    doctor: () => examine(projects),
    exportFile: (path, ...words) => {
      const name = [basename(path, '.jsonl'), ...words.map(word => word.replace(/^-+/, ''))].join('-')
      return exportTo(join(dir, `${name}.html`), [join(projects, path), ...words])
    },
    exportProject: name => {
      const out = join(dir, `pages-${name}`)
      exportTo(out, ['--project', name, '--root', projects])
      return join(out, 'index.html')
    },
    restart: async (token = server.token) => {
      await running.close()
      running = await startServer({ history: open(), page, port, token, report: console.error })
    },
    close: async () => {
      await running.close()
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const COMMAND: string = join(REPOSITORY, 'packages', 'cli', 'dist', 'dagline.js')

function exportTo(out: string, what: readonly string[]): string {
  const words = ['export', ...what, '--out', out, '--allow-secrets', '--force']
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`It cannot be exported: ${stderr}`)
  return out
}

/** Examines the sessions with the real command. */
function examine(root: string): Promise<readonly HealthResult[]> {
  const words = [COMMAND, 'doctor', '--all', '--json', '--quiet', '--root', root]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { maxBuffer: 2 ** 28 }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout).sessions.map(resultOf))
      else reject(error)
    })
  })
}

/** What the command prints of a session, under the names of the library. */
function resultOf({
  reach,
  ...rest
}: Omit<HealthResult, 'coverage'> & { reach: HealthResult['coverage'] }): HealthResult {
  return { ...rest, coverage: reach }
}

function syncOf(path: string, root: string, until: Promise<unknown> | null): Sync {
  return async tell => {
    if (until !== null) tell({ files: 0, totalFiles: 1, bytes: 45, totalBytes: 100, hasNewest: false })
    await until
    const index = openIndex(path)
    try {
      for (const found of discover([root])) await syncRoot(index, found, { onProgress: tell })
      return []
    } finally {
      index.close()
    }
  }
}

const SOURCES = ['packages/web/src', 'packages/core/src']

/** Builds the page if its sources are newer. Concurrent callers wait for one another. */
async function freshPage(): Promise<void> {
  const lock = join(REPOSITORY, 'node_modules', '.dagline-page-lock')
  while (!isFresh()) {
    if (!isTaken(lock)) {
      try {
        build()
      } finally {
        rmSync(lock, { recursive: true, force: true })
      }
      return
    }
    await setTimeout(100)
  }
}

function build(): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bundle.ts'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The page cannot be built: ${stderr}`)
}

/** Whether another process holds the lock; takes it if not. A lock that is a minute old is stale. */
function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock)
    return false
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > 60_000) rmSync(lock, { recursive: true, force: true })
    return true
  }
}

function isFresh(): boolean {
  const built = statSync(join(PAGE, 'app.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return SOURCES.every(source => newest(join(REPOSITORY, source)) <= built)
}

function newest(folder: string): number {
  const times = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(tsx?|css|html)$/.test(name) && !name.includes('.test.'))
    .map(name => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return Math.max(0, ...times)
}
