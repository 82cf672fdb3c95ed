/** Recordings of the real CLI, with the truth of what it sent: `<release>/<scenario>/{truth.json,projects/}`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTranscript } from './transcript.js'

const LIMITS = JSON.parse(readFileSync(new URL('../limits.json', import.meta.url), 'utf8'))

/**
 * The recordings below some folders, by name. Folders of another layout are left out.
 * @param {readonly string[]} folders
 */
export function listRecordings(folders) {
  const found = folders.flatMap(folder =>
    foldersIn(folder).flatMap(release =>
      foldersIn(join(folder, release)).map(scenario => ({
        name: `${release}/${scenario}`,
        dir: join(folder, release, scenario),
        release: release.replace(/^.*-(?=\d)/, ''),
        shape: shapeOf(release, scenario),
      })),
    ),
  )
  return found
    .filter(({ name, dir }) => existsSync(join(dir, 'truth.json')) && !(name in LIMITS.unreadable))
    .sort((a, b) => compareNames(a.name, b.name))
}

/** By release as numbers, then by name. */
function compareNames(a, b) {
  return a.localeCompare(b, 'en', { numeric: true })
}

function foldersIn(dir) {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { withFileTypes: true })
    .filter(item => item.isDirectory())
    .map(({ name }) => name)
}

/** Scenarios by what they show; SHAPES.md explains each. */
const SHAPES = [
  ['random walk', /^random-/],
  ['rewind', /^s13(?:_|c|e)/],
  ['summarized rewind', /^s13[df]/],
  ['parallel tools', /^s03/],
  ['compaction', /^s(?:09|10)/],
  ['resume', /^s11(?:_|$)|^s12b/],
  ['two writers', /^s11c/],
  ['fork', /^s12_|^s24e/],
  ['subagents', /^s0[5-8]|^s24(?:c|g)/],
  ['teammates and workflows', /^s24[dh]/],
  ['queue', /^s16/],
  ['hooks', /^s15/],
  ['interrupts and errors', /^s1[78]/],
  ['worktrees and clear', /^s14|^s24(?:b|f)/],
]

function shapeOf(release, scenario) {
  const shape = SHAPES.find(([, pattern]) => pattern.test(release) || pattern.test(scenario))
  return shape === undefined ? 'straight' : shape[0]
}

/**
 * What is known of each transcript of a recording. `free` are entries about which a reader may say what it likes: they
 * were written after the last request, or the release itself forgot them.
 */
export function readTruth({ name, dir }) {
  const { live, agents } = JSON.parse(readFileSync(join(dir, 'truth.json'), 'utf8'))
  const files = Object.entries(live).map(([path, told]) => {
    const entries = readTranscript(join(dir, 'projects', path))
    const lastRow = Math.max(...told.live.map(uuid => entries.get(uuid)?.row ?? 0))
    const forgotten = new Set(LIMITS.forgotten[name]?.[path])
    const unsent = told.not_in_last_request.map(({ uuid }) => uuid)
    const isFree = uuid => forgotten.has(uuid) || (entries.get(uuid)?.row ?? 0) > lastRow
    return {
      path,
      isAgent: /(?:^|\/)agent-[^/]*\.jsonl$/.test(path),
      entries,
      live: told.live,
      oneOf: told.one_of,
      unsent: unsent.filter(uuid => !isFree(uuid)),
      all: [...told.live, ...told.one_of.flat(), ...unsent],
    }
  })
  const spawned = Object.entries(agents).filter(([, { tool_use: call }]) => call?.startsWith('toolu_'))
  return { files, calls: new Map(spawned.map(([path, { tool_use: call }]) => [path, call])) }
}
