/** What stands in files: rows by their locations, and results that Claude Code put beside the transcript. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Graph } from '@dagline/core'
import { createRecordFinder, type Json } from '@dagline/core/parse'
import type { RecordReader } from '@dagline/core/view'
import { type ByteSource, type RangeReader, rememberingLast } from '@dagline/store'

/** A graph, and where its files are. */
export interface ReadGraph {
  /** To be asked at once: when its files have grown, the next call of `graphOf` takes its storage over. */
  readonly graph: Graph
  /** Absolute path of the folder that the paths of files are relative to. */
  readonly root: string
}

/** Reads rows and files of a session. */
export interface Reading {
  /** The record of a node; null where its file has changed or gone. */
  readonly record: (session: ReadGraph, node: number) => Json | null
  /** The bytes of its row as text. */
  readonly raw: (session: ReadGraph, node: number) => string | null
  /** A whole file below the session's root, as text; null where it is not a file, lies elsewhere or is too large. */
  readonly file: (session: ReadGraph, path: string) => string | null
}

/** A result larger than this is not shown. */
const LARGEST = 32 * 1024 * 1024

/** Reads what sessions name, and only below the roots. `fail` receives files that exist and cannot be read. */
export function openReading(
  ranges: RangeReader,
  roots: readonly string[],
  fail: (path: string, error: unknown) => void = () => {},
): Reading {
  return readingOf(ranges, roots, (root, path) => readBelow(root, path, fail))
}

/** The same for files that are not on this machine, whatever lies at their paths. */
export function openPushedReading(
  ranges: RangeReader,
  roots: readonly string[],
  open: (path: string) => ByteSource | null,
): Reading {
  return readingOf(ranges, roots, (root, path) => readPushed(root, path, open))
}

function readingOf(
  ranges: RangeReader,
  roots: readonly string[],
  fileIn: (root: string, path: string) => string | null,
): Reading {
  const find = createRecordFinder()
  const isInside = rememberingLast(
    (root, file) => roots.includes(root) && isBelow(resolve(root, file), resolve(root)),
  )
  const raw = ({ graph, root }: ReadGraph, node: number): string | null => {
    const { file, offset, length } = graph.node(node)
    return isInside(root, file) ? ranges.read(root, file, { offset, length }) : null
  }
  return {
    raw,
    record: (session, node) => {
      const { graph } = session
      const { file, offset } = graph.node(node)
      return find({ within: graph, file, offset, id: graph.id(node) }, () => raw(session, node))
    },
    file: ({ root }, path) => (roots.includes(root) ? fileIn(root, path) : null),
  }
}

/** The reader of one graph's records. */
export function readerOf(reading: Reading, session: ReadGraph): RecordReader {
  return {
    record: node => reading.record(session, node),
    file: path => reading.file(session, path),
  }
}

/** Reads a whole file below a root. The path is from a transcript and may name any file: links are resolved first. */
function readBelow(root: string, path: string, fail: (path: string, error: unknown) => void): string | null {
  try {
    const real = realpathSync(isAbsolute(path) ? path : join(root, path))
    const stats = statSync(real)
    if (!isBelow(real, realpathSync(root)) || !stats.isFile() || stats.size > LARGEST) return null
    return readFileSync(real, 'utf8')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isGone) fail(path, error)
    return null
  }
}

/** The path is from a transcript and may name any file: one of another root is not read. */
function readPushed(root: string, path: string, open: (path: string) => ByteSource | null): string | null {
  const full = resolve(root, path)
  if (!isBelow(full, resolve(root))) return null
  const file = open(full)
  if (file === null) return null
  try {
    if (file.size > LARGEST) return null
    const bytes = Buffer.alloc(file.size)
    let got = 0
    for (let more = -1; more !== 0; got += more) more = file.read(bytes, got, file.size - got, got)
    return bytes.toString('utf8', 0, got)
  } finally {
    file.close()
  }
}

/** Whether a path lies below a folder; both are absolute. */
function isBelow(path: string, folder: string): boolean {
  const below = relative(folder, path)
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}
