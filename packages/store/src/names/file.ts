/**
 * N4: the file of names, tags and notes: the user's own data, one small JSON file that people can read and edit. It is
 * never written into transcripts, never written over where it cannot be understood, and always whole.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Fields, fieldsOf, textIn } from '@dagline/core/files'
import { takeLock } from '../db/driver.js'
import { codeOf, StoreError } from '../files/failures.js'
import { dataFolder } from '../files/folders.js'
import { renameFile } from '../files/rename.js'
import { inFileSystem, writeAll } from '../files/sink.js'
import { type Label, type LabelKind, type Labels, NO_LABELS } from './labels.js'

/** The version of the file that this release reads and writes. */
const VERSION = 1
/** Milliseconds to wait for another writer, which needs a few only. */
const PATIENCE = 5000

/** Where names, tags and notes are kept. */
export function labelsPath(): string {
  return join(dataFolder(), 'names.json')
}

/** Labels as they were read; `problem` is a message where the file is not valid. */
interface LabelsReading {
  readonly labels: Labels
  readonly problem: string | null
}

/** Reads all labels. Never throws: without a file there are none, and `problem` describes a damaged one. */
export function readLabels(path: string = labelsPath()): LabelsReading {
  try {
    return { labels: labelsIn(path), problem: null }
  } catch (error) {
    if (error instanceof StoreError) return { labels: NO_LABELS, problem: error.message }
    throw error
  }
}

/**
 * Changes the labels: what `change` makes of those that are there is written, whole or not at all, while nobody else
 * writes. Throws `StoreError` where the file cannot be understood or written, and what `change` throws.
 */
export function changeLabels(change: (labels: Labels) => Labels, path: string = labelsPath()): Labels {
  const unlock = takeLock(path, PATIENCE)
  if (unlock === null)
    throw new StoreError('busy', `Another process is writing ${path}: try again when it is done.`)
  try {
    const before = labelsIn(path)
    const after = change(before)
    if (after !== before) write(path, after)
    return after
  } finally {
    unlock()
  }
}

/** The labels of a file; none where there is no file. */
function labelsIn(path: string): Labels {
  const text = textOf(path)
  if (text === null) return NO_LABELS
  const fields = fieldsOf(text)
  const version = fields?.get('dagline')
  if (typeof version === 'number' && version > VERSION)
    throw new StoreError('damaged', `${path} was written by a newer dagline: update dagline to use it.`)
  const list = fields?.get('labels')
  if (fields === null || version !== VERSION || !Array.isArray(list)) throw damaged(path)
  return new Map(list.map(item => labelIn(path, item)).map(label => [label.id, label]))
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw new StoreError(
      'unreachable',
      `${path} cannot be read (${codeOf(error)}): check its permissions.`,
      error,
    )
  }
}

function damaged(path: string): StoreError {
  return new StoreError(
    'damaged',
    `${path} is not a valid file of names; it was left as it is. Repair it, or move it away to start again.`,
  )
}

const KNOWN = new Set(['kind', 'id', 'session', 'name', 'tags', 'note'])
const KINDS: readonly string[] = ['session', 'branch', 'agent', 'entry'] satisfies readonly LabelKind[]

function isKind(word: string | null): word is LabelKind {
  return word !== null && KINDS.includes(word)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** One label. A file with anything else in it is not ours to rewrite: what is not understood would be lost. */
function labelIn(path: string, item: unknown): Label {
  const fields: Fields = new Map(typeof item === 'object' && item !== null ? Object.entries(item) : [])
  const kind = textIn(fields, 'kind')
  const id = textIn(fields, 'id')
  const tags: unknown = fields.get('tags') ?? []
  const isWhole =
    Array.isArray(tags) && tags.every(isText) && [...fields.keys()].every(name => KNOWN.has(name))
  if (!isKind(kind) || id === null || !isWhole) throw damaged(path)
  return {
    kind,
    id,
    session: textIn(fields, 'session') ?? id,
    name: textIn(fields, 'name'),
    tags,
    note: textIn(fields, 'note'),
  }
}

/** Writes a temporary file and renames it, so that readers see the old file or the new one. */
function write(path: string, labels: Labels): void {
  const target = existsSync(path) ? realpathSync(path) : path
  // One name is enough, because one process writes at a time; what a killed one left is replaced.
  const part = join(dirname(target), '.names.part')
  const put = (): void => {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    rmSync(part, { force: true })
    const file = openSync(part, 'wx', 0o600)
    try {
      writeAll(file, Buffer.from(textFor(labels)))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameFile(part, target)
  }
  try {
    inFileSystem(path, put, ADVICE)
  } finally {
    rmSync(part, { force: true })
  }
}

const ADVICE = {
  full: '',
  other: (path: string, code: string): string =>
    `${path} cannot be written (${code}): check its permissions.`,
}

/** One label on a line, what is absent left out: easy to read, to compare and to edit. */
function textFor(labels: Labels): string {
  const list = [...labels.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(label => JSON.stringify(plain(label)))
  return `{\n"dagline": ${VERSION},\n"labels": [\n${list.join(',\n')}\n]\n}\n`
}

function plain({ kind, id, session, name, tags, note }: Label): Readonly<Record<string, unknown>> {
  return {
    kind,
    id,
    ...(session === id ? {} : { session }),
    ...(name === null ? {} : { name }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(note === null ? {} : { note }),
  }
}
