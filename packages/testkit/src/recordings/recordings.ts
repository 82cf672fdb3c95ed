/** Recordings of the real CLI as fixtures: `<dir>/<version>/<scenario>/{truth.json,projects/}`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJson, type Json, parseJson } from '../base/json.js'

/** What was sent last of one file. Entries in none of the lists were written later: a reader is free about them. */
interface RecordedLive {
  /** In order of sending. */
  readonly live: readonly string[]
  /** Groups of entries with equal text, of which at least one is live. */
  readonly oneOf: readonly (readonly string[])[]
  readonly notLive: readonly string[]
}

/** What a recording is known to mean. Paths are below `projectsDir`. */
interface RecordedTruth {
  readonly live: Readonly<Record<string, RecordedLive>>
  /** The call that spawned each agent file. */
  readonly agents: Readonly<Record<string, string>>
}

/** One recording. */
export interface Recording {
  /** The CLI's version. */
  readonly version: string
  /** Unique: the version's folder and the scenario, `random-2.1.197/303`. */
  readonly name: string
  readonly dir: string
  readonly projectsDir: string
  readonly truth: RecordedTruth
}

/** All recordings below a folder, by name. None where the folder is missing; folders of another layout are left out. */
export function listRecordings(dir: string): Recording[] {
  return foldersOf(dir).flatMap(folder => {
    const version = folder.replace(/^.*-(?=\d)/, '')
    return foldersOf(join(dir, folder)).flatMap(scenario => {
      const found = readRecording(join(dir, folder, scenario))
      return found ? [{ version, name: `${folder}/${scenario}`, ...found }] : []
    })
  })
}

function foldersOf(dir: string): string[] {
  if (!existsSync(dir)) return []
  const entries = readdirSync(dir, { withFileTypes: true })
  return entries.flatMap(entry => (entry.isDirectory() ? [entry.name] : [])).sort()
}

function readRecording(dir: string): Omit<Recording, 'name' | 'version'> | null {
  const projectsDir = join(dir, 'projects')
  const path = join(dir, 'truth.json')
  if (!existsSync(projectsDir) || !existsSync(path)) return null
  const json = parseJson(readFileSync(path, 'utf8'))
  return json && { dir, projectsDir, truth: readTruth(json) }
}

function readTruth({ live, agents }: Json): RecordedTruth {
  return {
    live: mapObject(live, readLive),
    agents: mapObject(agents, agent => String(agent.tool_use)),
  }
}

function readLive(entry: Json): RecordedLive {
  return {
    live: strings(entry.live),
    oneOf: list(entry.one_of).map(strings),
    notLive: list(entry.not_in_last_request).flatMap(row => (isJson(row) ? [String(row.uuid)] : [])),
  }
}

function mapObject<T>(value: unknown, read: (entry: Json) => T): Record<string, T> {
  if (!isJson(value)) return {}
  const entries = Object.entries(value).flatMap(([key, entry]) => (isJson(entry) ? [[key, read(entry)]] : []))
  return Object.fromEntries(entries)
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function strings(value: unknown): string[] {
  return list(value).map(String)
}
