/** What stands in files: rows by their places, and results that Claude Code put beside the transcript. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { createRecordFinder } from '@dagline/core'
import type { Spans } from '@dagline/store'
import type { ReadGraph, Reading } from './context.js'

/** A result larger than this is not shown. */
const LARGEST = 32 * 1024 * 1024

/** Reads what sessions name, and only below the roots. `fail` hears of files that are there and cannot be read. */
export function openReading(
  spans: Spans,
  roots: readonly string[],
  fail: (path: string, error: unknown) => void = () => {},
): Reading {
  const find = createRecordFinder()
  const raw = ({ graph, root }: ReadGraph, node: number): string | null => {
    const { file, offset, length } = graph.node(node)
    const isInside = roots.includes(root) && isBelow(resolve(root, file), resolve(root))
    return isInside ? spans.read(root, file, { offset, length }) : null
  }
  return {
    raw,
    record: (session, node) => {
      const { graph } = session
      const { file, offset } = graph.node(node)
      return find({ within: graph, file, offset, id: graph.id(node) }, () => raw(session, node))
    },
    file: ({ root }, path) => (roots.includes(root) ? readBelow(root, path, fail) : null),
  }
}

/**
 * A whole file below a root. The path comes from a transcript, and whoever wrote that may have meant any file of this
 * machine: links are resolved before the place is compared.
 */
function readBelow(root: string, path: string, fail: (path: string, error: unknown) => void): string | null {
  try {
    const place = realpathSync(isAbsolute(path) ? path : join(root, path))
    const stats = statSync(place)
    if (!isBelow(place, realpathSync(root)) || !stats.isFile() || stats.size > LARGEST) return null
    return readFileSync(place, 'utf8')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isGone) fail(path, error)
    return null
  }
}

/** Whether a path lies below a folder; both are absolute. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
