/** The public corpus, where it is: project by project, with what a naive reading says of each file. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TextFile } from '@dagline/testkit'
import type { Graph, ParsedRow } from '../src/index.js'
import { factsOf, graphOfFiles, rowsOf } from './support.js'

const tarball = join(import.meta.dirname, '../../../../shared/corpus/projects.tar.xz')

/** The folder of projects: `DAGLINE_CORPUS`, or the tarball beside the repository, unpacked once; else null. */
export function findCorpus(): string | null {
  const given = process.env.DAGLINE_CORPUS ?? ''
  if (given !== '') return existsSync(given) ? given : null
  return existsSync(tarball) ? join(unpack(), 'projects') : null
}

function unpack(): string {
  const { size, mtimeMs } = statSync(tarball)
  const folder = join(tmpdir(), `dagline-corpus-${size}-${Math.round(mtimeMs)}`)
  if (existsSync(folder)) return folder
  const part = mkdtempSync(`${folder}-`)
  execFileSync('tar', ['xJf', tarball, '-C', part])
  try {
    renameSync(part, folder)
  } catch {
    // Another run was faster.
    rmSync(part, { recursive: true })
  }
  return folder
}

/** A record by a plain `JSON.parse`: what the checks compare with. */
export interface Plain {
  readonly row: number
  readonly uuid: string
  readonly parent: string | null
  readonly type: string
  readonly sidechain: boolean
  readonly message: string | null
  readonly blocks: readonly string[]
  readonly calls: readonly string[]
  readonly results: readonly string[]
  readonly isMeta: boolean
  readonly apiError: boolean
  readonly synthetic: boolean
  readonly boundary: boolean
  readonly version: string
}

export interface CorpusFile extends TextFile {
  readonly kind: string
  readonly rows: readonly ParsedRow[]
  /** Entries with a uuid, each once; rows that are no JSON are left out. */
  readonly plain: readonly Plain[]
}

export interface Project {
  readonly name: string
  readonly files: readonly CorpusFile[]
  readonly graph: Graph
}

/** Reads a project and builds its graph. */
export function readProject(root: string, name: string): Project {
  const paths = readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).sort()
  const read = (ending: string): TextFile[] =>
    paths
      .filter(path => path.endsWith(ending))
      .map(path => ({ path, text: readFileSync(join(root, name, path), 'utf8') }))
  const texts = read('.jsonl')
  const files = texts.map(file => ({
    ...file,
    kind: factsOf(file.path).kind,
    rows: rowsOf(file.text),
    plain: plainEntries(file.text),
  }))
  return { name, files, graph: graphOfFiles(texts, read('.meta.json')) }
}

type Json = { readonly [key: string]: unknown }

function plainEntries(text: string): readonly Plain[] {
  const seen = new Map<string, Plain>()
  text.split('\n').forEach((line, index) => {
    const entry = plainOf(line, index + 1)
    if (entry !== null && !seen.has(entry.uuid)) seen.set(entry.uuid, entry)
  })
  return [...seen.values()]
}

function plainOf(line: string, row: number): Plain | null {
  const json = parse(line)
  if (json === null || typeof json.uuid !== 'string') return null
  const message = object(json.message)
  const content = Array.isArray(message.content) ? message.content.map(object) : []
  const ids = (type: string, key: string): string[] =>
    content.filter(block => block.type === type).map(block => String(block[key]))
  return {
    row,
    uuid: json.uuid,
    parent: typeof json.parentUuid === 'string' ? json.parentUuid : null,
    type: String(json.type),
    sidechain: json.isSidechain === true,
    message: typeof message.id === 'string' ? message.id : null,
    blocks: content.map(block => String(block.type)),
    calls: ids('tool_use', 'id'),
    results: ids('tool_result', 'tool_use_id'),
    isMeta: json.isMeta === true,
    apiError: json.isApiErrorMessage === true,
    synthetic: message.model === '<synthetic>',
    boundary: json.subtype === 'compact_boundary',
    version: String(json.version ?? ''),
  }
}

function parse(line: string): Json | null {
  try {
    return object(JSON.parse(line))
  } catch {
    return null
  }
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** The children of every entry of a file, by recorded parents alone. */
export function plainChildren({ plain }: CorpusFile): ReadonlyMap<string, readonly Plain[]> {
  const children = new Map<string, Plain[]>()
  for (const entry of plain) {
    if (entry.parent === null) continue
    const known = children.get(entry.parent)
    if (known === undefined) children.set(entry.parent, [entry])
    else known.push(entry)
  }
  return children
}
