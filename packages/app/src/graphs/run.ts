/**
 * Work on whole projects, shared between threads. A reader is a pure function of a project that returns plain data. On more
 * than one core the projects are divided by size, and this thread takes its share.
 */
import type { Diagnostic } from '@dagline/core'
import type { ProjectLocation } from '../files/projects.js'
import { withEngine } from '../host/engine.js'
import type { Host } from '../host/host.js'
import type { Readers } from '../tasks.js'
import { startWorker, workerCount } from '../workers/pool.js'
import { type Meter, meterOf, SILENT } from './project.js'

export type ReaderName = keyof Readers
export type ReaderResult<N extends ReaderName> = ReturnType<Readers[N]>

/** Below this many bytes a second thread costs more than it brings. */
const WORTH_WORKERS = 64 * 1024 * 1024
const MOST_WORKERS = 3
/** What this thread reads while a worker is still starting, in bytes. */
const HEAD_START = 32 * 1024 * 1024
/** Runs a reader over projects; the results are in their order. What could not be read is noted on the host. */
export async function runOnProjects<N extends ReaderName>(
  name: N,
  read: Reader<N>,
  locations: readonly ProjectLocation[],
  host: Host,
): Promise<readonly ReaderResult<N>[]> {
  const shares = divide(locations)
  const run = (): Promise<readonly ReaderResult<N>[]> => runShares(name, read, { locations, shares }, host)
  // Every core has a thread of its own, and the slowest compiler of this one would run beside its work.
  return shares.length > 1 ? await withEngine('lessCompiling', run) : await run()
}

/** Which projects each thread reads, by their numbers; the first share is that of this one. */
interface Shared {
  readonly locations: readonly ProjectLocation[]
  readonly shares: readonly (readonly number[])[]
}

async function runShares<N extends ReaderName>(
  name: N,
  read: Reader<N>,
  { locations, shares: [own = [], ...shares] }: Shared,
  host: Host,
): Promise<readonly ReaderResult<N>[]> {
  const projectLocations = (share: readonly number[]): readonly ProjectLocation[] =>
    share.flatMap(index => locations[index] ?? [])
  const runs = shares.map(share => startReading(name, projectLocations(share)))
  const meter = meterOf(host)
  const results: ReaderResult<N>[] = []
  for (const index of own) {
    const location = locations[index]
    if (location !== undefined) results[index] = read(location, meter)
  }
  for (const [turn, run] of runs.entries()) {
    const { results: done, unread } = await run
    for (const [at, each] of done.entries()) results[shares[turn]?.[at] ?? -1] = each as ReaderResult<N>
    for (const [root, failures] of unread) meter.unread(root, failures)
  }
  meter.done()
  return results
}

/** The numbers of the projects for each thread: the largest first, each to the one with the least to do. */
function divide(locations: readonly ProjectLocation[]): readonly (readonly number[])[] {
  const sizes = locations.map(({ project }) => project.files.reduce((sum, file) => sum + file.bytes, 0))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const workers = total < WORTH_WORKERS ? 0 : Math.min(workerCount(MOST_WORKERS), locations.length - 1)
  const shares = Array.from({ length: workers + 1 }, (_, number) => ({
    bytes: number === 0 ? 0 : HEAD_START,
    indices: [] as number[],
  }))
  const order = locations.map((_, index) => index).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
  for (const index of order) {
    const smallest = shares.reduce((least, share) => (share.bytes < least.bytes ? share : least))
    smallest.bytes += sizes[index] ?? 0
    smallest.indices.push(index)
  }
  return shares.map(({ indices }) => indices)
}

/** Reads one project. */
export type Reader<N extends ReaderName> = (location: ProjectLocation, meter: Meter) => ReaderResult<N>

/** What a worker reads. */
export interface ProjectsInput {
  readonly name: ReaderName
  readonly locations: readonly ProjectLocation[]
}

export interface ProjectsOutput {
  /** In the order of the projects. */
  readonly results: readonly unknown[]
  readonly unread: readonly (readonly [root: string, failures: readonly Diagnostic[]])[]
}

function startReading(name: ReaderName, locations: readonly ProjectLocation[]): Promise<ProjectsOutput> {
  const endedEarly = (code: number | null): Error => new Error(`a worker ended early (${code})`)
  return startWorker('read', { isThread: true, endedEarly }).run({ name, locations }).result
}

/** The task of a worker: reads projects with a reader that is loaded by its name. */
export async function readProjects(
  { name, locations }: ProjectsInput,
  load: (name: ReaderName) => Promise<(location: ProjectLocation, meter: Meter) => unknown>,
): Promise<ProjectsOutput> {
  const unread: [string, readonly Diagnostic[]][] = []
  const meter: Meter = { ...SILENT, unread: (root, failures) => unread.push([root, failures]) }
  const read = await load(name)
  return { results: locations.map(location => read(location, meter)), unread }
}
