/**
 * H12: texts of files that are not in the index. The bytes of a file are searched first; only a file that has all words is
 * parsed, by the same reader that fills the index.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { TextField } from '@dagline/core/protocol'
import { FIELDS, type TextFact } from '../db/facts.js'
import type { IndexStore } from '../db/index-store.js'
import type { PresentFile } from './plan.js'
import { readFacts } from './read.js'

/** A text in a file that is not indexed. */
export interface ScannedText {
  readonly file: PresentFile
  /** Null for text that is not in an entry. */
  readonly node: string | null
  readonly row: number
  readonly time: number | null
  readonly field: TextField
  readonly tool: string | null
  readonly failed: boolean
  /** As much of it as would be indexed. */
  readonly text: string
}

/** The files of a root that the index does not have, or not as they are now; those that changed last first. */
export function unindexedFiles(
  index: IndexStore,
  path: string,
  present: readonly PresentFile[],
): readonly PresentFile[] {
  const root = index.findRoot(path)
  const known = new Map(root === null ? [] : index.files(root).map(file => [file.path, file.state]))
  const isMissing = ({ path: name, bytes, mtime }: PresentFile): boolean => {
    const state = known.get(name) ?? null
    return state === null || state.size !== bytes || state.mtime !== mtime
  }
  return present.filter(isMissing).sort((a, b) => b.mtime - a.mtime)
}

/** The texts of a file, the last ones first; none where its bytes do not hold all words. Words are ASCII. */
export function scanFile(file: PresentFile, words: readonly string[]): readonly ScannedText[] {
  if (file.archive === null && !holdsWords(join(file.root, file.path), words)) return []
  const texts: ScannedText[] = []
  const { root, path, project, facts, archive, bytes } = file
  readFacts({ file: 0, root, path, project, facts, archive, bytes, from: null }, chunk => {
    for (const fact of chunk.texts)
      texts.push(scannedText(file, fact, chunk.uuids[fact[0] - chunk.firstNode]))
  })
  return texts.reverse()
}

function scannedText(
  file: PresentFile,
  [nth, { row }, time, field, tool, failed, text]: TextFact,
  uuid: string | undefined,
): ScannedText {
  const node = nth < 0 ? null : (uuid ?? null)
  return { file, node, row, time, field: FIELDS[field] ?? 'note', tool, failed, text }
}

const PIECE = 4 * 1024 * 1024
/** Longer than any word that is looked for: words at the edge of a piece are seen in the next one. */
const OVERLAP = 256

/** Whether a file has all words, in upper or lower case, at the speed of reading. */
function holdsWords(path: string, words: readonly string[]): boolean {
  // As Latin-1 every byte is a character: nothing is decoded.
  let open = words.map(word => new RegExp(word.slice(0, OVERLAP), 'i'))
  for (const piece of piecesOf(path)) {
    open = open.filter(word => !word.test(piece))
    if (open.length === 0) return true
  }
  return open.length === 0
}

/** A file that cannot be read has no pieces: the sync reports why. */
function* piecesOf(path: string): Generator<string> {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return
  }
  try {
    for (let offset = 0; ; offset += PIECE - OVERLAP) {
      const got = readSync(file, buffer(), 0, PIECE, offset)
      if (got > 0) yield buffer().toString('latin1', 0, got)
      if (got < PIECE) return
    }
  } catch {
    return
  } finally {
    closeSync(file)
  }
}

let kept: Buffer | null = null

/** One buffer for all files. */
function buffer(): Buffer {
  kept ??= Buffer.allocUnsafe(PIECE)
  return kept
}
