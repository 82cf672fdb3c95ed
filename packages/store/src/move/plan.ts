/**
 * M1: what a moved project means for the files of Claude Code: which go to another folder, in which rows change, and what is
 * left alone. A plan only reads.
 *
 * A **unit** is what moves together: a session's file with the folder of its name, an agent's file beside sessions.
 * Folders of projects do not tell their paths apart (`/a-b` and `/a/b` share one), so each unit is asked by its own rows.
 */
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { groupBy, projectFolder } from '@dagline/core/model'
import { isReadFailure } from '../files/failures.js'
import { listBelow } from '../files/walk.js'
import { notWhole, readingSource } from '../files/whole.js'
import type { Move } from '../write/journal.js'
import { isBelow, movedPath } from './paths.js'
import { countChanges, foldersIn, holdsPath } from './scan.js'

/** What is moved, and which mentions of it change. */
export interface MovePlanOptions {
  /** Absolute, without a separator at the end. */
  readonly from: string
  readonly to: string
  /** Also paths inside of messages. */
  readonly deep: boolean
  /** The entry in `.claude.json`, too. */
  readonly config: boolean
}

/** Which kind of file a move changes. */
export type MovedKind = 'transcript' | 'sidecar' | 'history' | 'config'

/** A file that changes, moves, or both. */
export interface MovedFile {
  readonly kind: MovedKind
  readonly path: string
  /** The same as `path` where it stays. */
  readonly target: string
  readonly bytes: number
  /** Milliseconds since 1970, with fractions. */
  readonly mtime: number
  readonly rows: number
  readonly changedRows: number
  readonly values: number
  /** sha256 in hex of the bytes that were planned with; null where they stay as they are. */
  readonly hash: string | null
}

/** A file that stays as it is, and why. */
export interface LeftFile {
  readonly path: string
  readonly why: 'in-the-way' | 'shared' | 'link' | 'other-entry' | 'config'
}

/** What a move changes in one root. */
export interface MovePlan extends MovePlanOptions {
  readonly root: string
  /** All moves of paths: of the project, and of the folders that its sessions are kept in. */
  readonly moves: readonly Move[]
  /** In the order in which they are to be changed. */
  readonly files: readonly MovedFile[]
  readonly folders: readonly Move[]
  readonly sessions: number
  readonly left: readonly LeftFile[]
  /** Targets that exist with other bytes: the user has to decide. */
  readonly clashes: readonly string[]
}

/**
 * Plans the move for one projects root. Where the old path is one of the root's own folders, what lies in it and was
 * written in the new path goes to that path's folder, and no path in rows but that of the folder changes. Throws
 * `StoreError` where something cannot be read: it may belong to the project.
 */
export function planMove(root: string, options: MovePlanOptions): MovePlan {
  const folders = foldersOf(root)
  const own = folders.find(folder => join(root, folder) === options.from)
  const units =
    own === undefined
      ? folders.flatMap(folder => unitsIn(root, folder, options))
      : unitsOf(root, own).map(unit => ({ ...unit, ...strayed(root, own, unit.paths, options) }))
  const moves =
    own === undefined
      ? [...folderMoves(root, units), { from: options.from, to: options.to }]
      : units.filter(({ tells }) => tells === 'goes').map(unit => unitMove(root, unit))
  const placed = placeAll(root, units, own === undefined ? projectFolder(options.from) : '')
  const inRoot = placed.files.flatMap(({ path, target }) => describe(path, target, { ...options, moves }))
  const beside = filesBeside(root, { ...options, moves })
  return {
    ...options,
    root,
    moves,
    files: [...inRoot, ...beside.files],
    folders: folderMoves(root, units),
    sessions: new Set(inRoot.flatMap(({ path }) => sessionAt(root, path))).size,
    left: [...placed.left, ...beside.left],
    clashes: placed.clashes,
  }
}

/** Names of the folders of projects. */
function foldersOf(root: string): readonly string[] {
  if (!existsSync(root)) return []
  const items = readingSource(root, () => readdirSync(root, { withFileTypes: true }))
  return items.filter(item => item.isDirectory() || item.isSymbolicLink()).map(({ name }) => name)
}

interface Unit {
  readonly folder: string
  /** The session or agent; empty for all that belongs to the whole folder. */
  readonly name: string
  /** Relative to the root. */
  readonly paths: readonly string[]
  /** `goes` to another folder, `stays` because it is of another project, or tells nothing by itself. */
  readonly tells: 'goes' | 'stays' | 'nothing'
  /** The folder that it belongs to after the move. */
  readonly to: string
  readonly isLink: boolean
}

function unitsIn(root: string, folder: string, options: MovePlanOptions): readonly Unit[] {
  const isNear = folder.startsWith(projectFolder(options.from).slice(0, LONGEST_NAME))
  return unitsOf(root, folder).map(unit => {
    const verdict = isNear
      ? judge(root, folder, unit.paths, options)
      : ({ tells: 'stays', to: folder } as const)
    return { ...unit, ...verdict }
  })
}

/** What moves together in a folder. */
function unitsOf(root: string, folder: string): readonly Omit<Unit, 'tells' | 'to'>[] {
  const place = join(root, folder)
  const isLink = readingSource(place, () => lstatSync(place)).isSymbolicLink()
  const { paths, diagnostics } = listBelow(root, folder)
  const unread = diagnostics.find(isReadFailure)
  if (unread !== undefined) throw notWhole(join(root, unread.file), unread.message.replace(/\.$/, ''))
  const groups = groupBy(paths, path => unitOf(path.slice(folder.length + 1)))
  return [...groups].map(([name, paths]) => ({ folder, name, paths, isLink }))
}

/** Folders of what lies below a project begin with its name, as far as names go. */
const LONGEST_NAME = 200

/** `a.jsonl` and `a/...` are one; what belongs to no session is of the whole folder. */
function unitOf(path: string): string {
  const [first = '', ...more] = path.split('/')
  if (more.length === 0) return first.endsWith('.jsonl') || first.endsWith('.meta.json') ? stem(first) : ''
  return first === 'memory' ? '' : first
}

function stem(name: string): string {
  return name.replace(/\.(?:jsonl|meta\.json)$/, '')
}

/** Asks the rows of a unit which folder it belongs to: a path below the old one that this folder is named after. */
function judge(
  root: string,
  folder: string,
  paths: readonly string[],
  { from, to }: MovePlanOptions,
): Pick<Unit, 'tells' | 'to'> {
  const folders = workedIn(root, paths)
  const home = folders.find(path => isBelow(path, from) && projectFolder(path) === folder)
  if (home !== undefined) return { tells: 'goes', to: projectFolder(movedPath(home, [{ from, to }]) ?? home) }
  // What was moved by an earlier run that was cut off is at home here.
  const isOurs =
    folder === projectFolder(from) && folders.every(path => isBelow(path, from) || isBelow(path, to))
  return { tells: folders.length === 0 || isOurs ? 'nothing' : 'stays', to: projectFolder(to) }
}

/** What lies in a folder that is none of its own goes to that of the path, or of one below it, that it was written in. */
function strayed(
  root: string,
  folder: string,
  paths: readonly string[],
  { to }: MovePlanOptions,
): Pick<Unit, 'tells' | 'to'> {
  const folders = workedIn(root, paths)
  const home = folders.find(path => isBelow(path, to))
  const isAtHome = folders.some(path => projectFolder(path) === folder)
  if (home === undefined || isAtHome) return { tells: 'stays', to: folder }
  return { tells: 'goes', to: projectFolder(home) }
}

/** The working folders that the transcripts of a unit name. */
function workedIn(root: string, paths: readonly string[]): readonly string[] {
  const own = paths.filter(path => path.endsWith('.jsonl') && path.split('/').length === 2)
  return own.flatMap(path => [...foldersIn(join(root, path))])
}

/** The move of the folder that belongs to one session: those of a folder may part. */
function unitMove(root: string, { folder, name, to }: Unit): Move {
  return { from: join(root, folder, name), to: join(root, to, name) }
}

/** Folders whose sessions go elsewhere. */
function folderMoves(root: string, units: readonly Unit[]): readonly Move[] {
  const moves = new Map<string, string>()
  for (const { folder, tells, to } of units) if (tells === 'goes' && folder !== to) moves.set(folder, to)
  return [...moves].map(([folder, to]) => ({ from: join(root, folder), to: join(root, to) }))
}

interface Placed {
  readonly files: readonly { readonly path: string; readonly target: string }[]
  readonly left: readonly LeftFile[]
  readonly clashes: readonly string[]
}

/** Where each file goes. What tells nothing goes first: if this is cut off, what is left still tells where it belongs. */
function placeAll(root: string, units: readonly Unit[], main: string): Placed {
  const files: { path: string; target: string }[] = []
  const left: LeftFile[] = []
  const clashes: string[] = []
  for (const unit of [...units].sort((a, b) => rank(a) - rank(b))) {
    const { to, why } = destination(unit, units, main)
    for (const relative of unit.paths) {
      const path = join(root, relative)
      const target = join(root, to, relative.slice(unit.folder.length + 1))
      const isFree = target === path || !existsSync(target)
      if (why !== null) left.push({ path, why })
      if (isFree) files.push({ path, target })
      else if (unit.name === '') left.push({ path, why: 'in-the-way' })
      else clashes.push(target)
    }
  }
  return { files, left, clashes }
}

function rank({ tells }: Unit): number {
  return tells === 'nothing' ? 0 : 1
}

/** The folder of a unit after the move, and what keeps it where it is although the rest of its folder goes. */
function destination(
  unit: Unit,
  units: readonly Unit[],
  main: string,
): { readonly to: string; readonly why: LeftFile['why'] | null } {
  const { folder, tells } = unit
  const beside = units.filter(each => each.folder === folder)
  const going = beside.find(each => each.tells === 'goes')
  const isShared = tells === 'nothing' && beside.some(each => each.tells === 'stays')
  // Without a session that goes, only the project's own folder is known to be meant.
  const isMeant =
    tells === 'goes' || (tells === 'nothing' && (going !== undefined || (folder === main && !isShared)))
  const to = going === undefined || tells === 'goes' ? unit.to : going.to
  if (!isMeant || to === folder) return { to: folder, why: null }
  if (unit.isLink) return { to: folder, why: 'link' }
  return isShared ? { to: folder, why: 'shared' } : { to, why: null }
}

type Counting = MovePlanOptions & { readonly moves: readonly Move[] }

/** A file with what would change in it; nothing where it neither changes nor moves. */
function describe(path: string, target: string, { moves, deep }: Counting): readonly MovedFile[] {
  const isRows = path.endsWith('.jsonl')
  const isJson = isRows || path.endsWith('.json')
  const isHolding = isJson && holdsPath(path, moves)
  if (!isHolding && target === path) return []
  const count = isHolding ? countChanges(path, { moves, deep, isWhole: !isRows }) : NOTHING
  if (count.values === 0 && target === path) return []
  const { size, mtimeMs } = readingSource(path, () => statSync(path))
  const kind = isRows ? 'transcript' : 'sidecar'
  return [{ kind, path, target, bytes: size, mtime: mtimeMs, ...count }]
}

const NOTHING = { rows: 0, changedRows: 0, values: 0, hash: null }

/** The history of prompts, and the configuration, which lie beside the projects or beside their folder. */
function filesBeside(root: string, counting: Counting): Pick<MovePlan, 'files' | 'left'> {
  if (basename(root) !== 'projects') return { files: [], left: [] }
  const config = dirname(root)
  const history = join(config, 'history.jsonl')
  const files = existsSync(history) ? describe(history, history, { ...counting, deep: false }) : []
  const settings = [join(config, '.claude.json'), join(dirname(config), '.claude.json')].find(existsSync)
  const entry = settings === undefined ? null : configEntry(settings, counting)
  return {
    files: [
      ...files.map(file => ({ ...file, kind: 'history' }) as const),
      ...(entry?.file === undefined ? [] : [entry.file]),
    ],
    left: entry?.left === undefined ? [] : [entry.left],
  }
}

interface ConfigEntry {
  readonly file?: MovedFile
  readonly left?: LeftFile
}

/** The entry of the project in the configuration. Two entries of one name cannot be: then both stay. */
function configEntry(path: string, counting: Counting): ConfigEntry {
  const [file] = describe(path, path, { ...counting, deep: false })
  if (file === undefined) return {}
  if (!counting.config) return { left: { path, why: 'config' } }
  const isTaken = holdsPath(path, [{ from: counting.to, to: counting.to }])
  return isTaken ? { left: { path, why: 'other-entry' } } : { file: { ...file, kind: 'config' } }
}

/** The session that a file is of. */
function sessionAt(root: string, path: string): readonly string[] {
  const [, name = '', ...more] = path.slice(root.length + 1).split(/[/\\]/)
  return more.length === 0 && name.endsWith('.jsonl') && !name.startsWith('agent-') ? [name] : []
}
