/** Following, row by row: in the end every entry was told, once, and what was said about it is true. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { discover } from '@dagline/store'
import { generate, listRecordings, type TextFile, withHome } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectLocations } from '../src/files/projects.js'
import { type LoadedProject, loadProject } from '../src/graphs/project.js'
import { type Follow, followSession } from '../src/live/follow.js'
import { type ReportedEvents, type SessionEvent, sessionEvents } from '../src/live/session-events.js'

const REPOSITORY = join(import.meta.dirname, '..', '..', '..')

/** One piece of news, by the uuid of its entry. */
interface Heard {
  readonly kind: SessionEvent['kind']
  readonly id: string
}

/** The rows of all files as they were written: those of one instant together. A row without a time follows the one before. */
function instantsOf(files: readonly TextFile[]): readonly (readonly TextFile[])[] {
  const instants = new Map<string, TextFile[]>()
  for (const { path, text } of files) {
    let time = ''
    for (const row of text.split(/(?<=\n)/)) {
      time = /"timestamp": ?"([^"]+)"/.exec(row)?.[1] ?? time
      instants.set(time, [...(instants.get(time) ?? []), { path, text: row }])
    }
  }
  return [...instants].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => rows)
}

function write(root: string, { path, text }: TextFile): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  appendFileSync(join(root, path), text)
}

function startIn(root: string, session: string): Follow | null {
  const locations = projectLocations(discover([root]))
  const location = locations.find(({ project }) =>
    project.files.some(file => file.kind === 'session' && file.session === session),
  )
  return location === undefined ? null : followSession(location, session)
}

/** Writes step by step, looks after each, and gives everything that was told. */
function hearSteps(root: string, steps: readonly (readonly TextFile[])[], session: string): readonly Heard[] {
  const heard: Heard[] = []
  const told: ReportedEvents = { branches: new Set(), started: new Set(), ended: new Set(), queue: new Map() }
  let follow: Follow | null = null
  for (const rows of steps) {
    for (const row of rows) write(root, row)
    follow ??= startIn(root, session)
    const batch = follow?.look() ?? null
    if (batch === null) continue
    for (const piece of sessionEvents(batch, told)) {
      heard.push({ kind: piece.kind, id: 'node' in piece ? batch.graph.id(piece.node) : piece.text })
    }
  }
  return heard
}

/** The sessions of a projects folder, each with its files; sidecars apart. */
function sessionsIn(projects: string): readonly { session: string; files: TextFile[]; metas: TextFile[] }[] {
  const paths = readdirSync(projects, { recursive: true, encoding: 'utf8' })
  const homes = paths.filter(path => /^[^/]+\/[^/]+\.jsonl$/.test(path) && !path.includes('/agent-'))
  return homes.map(home => {
    const own = paths.filter(path => path === home || path.startsWith(home.replace('.jsonl', '/')))
    const read = (ending: string): TextFile[] =>
      own
        .filter(path => path.endsWith(ending))
        .map(path => ({ path, text: readFileSync(join(projects, path), 'utf8') }))
    return { session: home.replace(/^.*\/|\.jsonl$/g, ''), files: read('.jsonl'), metas: read('.meta.json') }
  })
}

/** Everything that the files of one session come to when they are read at once. */
function readAtOnce(root: string): LoadedProject {
  const [location] = projectLocations(discover([root]))
  if (location === undefined) throw new RangeError(`nothing in ${root}`)
  return loadProject(location)
}

describe('following the recordings', () => {
  const recordings = listRecordings(join(REPOSITORY, 'fixtures', 'recordings'))

  it.each(recordings.map(({ name, projectsDir }) => [name, projectsDir]))(
    '[L5] [F12] [C3] %s: every entry is told once, forks and compactions with it',
    async (_, projects) => {
      for (const { session, files, metas } of sessionsIn(projects)) {
        await withHome([], home => {
          for (const meta of metas) write(home.projects, meta)
          const heard = hearSteps(home.projects, instantsOf(files), session)
          const entries = heard.filter(({ kind }) => kind === 'entry' || kind === 'compaction')
          const { graph } = readAtOnce(home.projects)
          const all = [...graph.nodes()].map(node => graph.id(node))
          expect(entries.map(({ id }) => id).sort()).toEqual(all.sort())
          const count = (kind: SessionEvent['kind']): number =>
            heard.filter(piece => piece.kind === kind).length
          expect(count('agent-start')).toBe(
            graph.agents().filter(({ domain }) => domain.roots.length > 0).length,
          )
          expect(count('compaction')).toBe(graph.epochs().length)
          expect(count('lost')).toBe(0)
          // A fork may be told later than it began, or as a rewind before the second writer shows; never without one.
          const forks = graph.operations().filter(({ kind }) => kind === 'rewind' || kind === 'two-writers')
          expect(count('rewind') + count('two-writers')).toBeLessThanOrEqual(forks.length)
          if (forks.length > 0) expect(count('rewind') + count('two-writers')).toBeGreaterThan(0)
        })
      }
    },
  )
})

describe('following random sessions', () => {
  const seeds = fc.integer({ min: 1, max: 1_000_000 })

  it('[L5] [P5] tells every entry once, however the bytes come', async () => {
    const check = async (seed: number, sizes: readonly number[]): Promise<void> => {
      const { files, metas } = generate(seed, { actions: 8, oneSession: true })
      const session = files[0]?.path.replace(/^.*\/|\.jsonl$/g, '') ?? ''
      await withHome(metas, home => {
        const heard = hearSteps(
          home.projects,
          torn(files, sizes).map(piece => [piece]),
          session,
        )
        const { graph } = readAtOnce(home.projects)
        const told = heard.filter(({ kind }) => kind === 'entry' || kind === 'compaction').map(({ id }) => id)
        expect(told.sort()).toEqual([...graph.nodes()].map(node => String(graph.id(node))).sort())
      })
    }
    const sizes = fc.array(fc.integer({ min: 50, max: 2000 }), { minLength: 1, maxLength: 8 })
    await fc.assert(fc.asyncProperty(seeds, sizes, check), {
      numRuns: Number(process.env.DAGLINE_RUNS ?? 10),
    })
  }, 300_000)
})

/** Files in pieces of these sizes, with no regard to rows. */
function torn(files: readonly TextFile[], sizes: readonly number[]): readonly TextFile[] {
  return files.flatMap(({ path, text }) => {
    const pieces: TextFile[] = []
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const end = at + (sizes[turn % sizes.length] ?? 1)
      pieces.push({ path, text: text.slice(at, end) })
      at = end
    }
    return pieces
  })
}
