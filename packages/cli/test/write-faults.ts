/**
 * Makes one operation fail that changes something below a folder: of the file system, or of SQLite. It patches the modules
 * that the commands write with, so that they know nothing of it. A kill is a copy of the folder as it is at that moment.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * What happens to an operation: an error instead of it, a write of half of the bytes, the end of the process before it,
 * or in the middle of it.
 */
export const FAULTS = ['EIO', 'ENOSPC', 'short', 'kill', 'torn'] as const
export type FaultKind = (typeof FAULTS)[number]

/** Which operation fails. */
export interface WriteFault {
  /** Only operations below this folder count. */
  readonly below: string
  /** The number of the operation, from 1; 0 for none. */
  readonly at: number
  readonly kind: FaultKind
  /** Ends the process: copies the folder as it is at this moment. */
  readonly kill: () => void
  /** Files of such a name cannot be opened for writing, however often it is tried. */
  readonly never?: RegExp
}

/** The process ends here. */
export class Killed extends Error {}

interface Injected {
  /** The operations so far. */
  readonly operations: () => readonly string[]
  readonly isKilled: () => boolean
  readonly restore: () => void
}

// biome-ignore-start lint/suspicious/noExplicitAny: all forms are handed on
type Operation = (...given: any[]) => any

/** Operations by the path in front, besides those on open files. */
const BY_PATH = [
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmdirSync',
  'utimesSync',
  'chmodSync',
  'copyFileSync',
] as const

/** Injects a fault until `restore` is called. */
export function injectWriteFault({ below, at, kind, kill: end, never }: WriteFault): Injected {
  const originals = { ...fs }
  const sqlite = { exec: DatabaseSync.prototype.exec, run: StatementSync.prototype.run }
  const open = new Map<number, string>()
  const operations: string[] = []
  let isKilled = false
  const isBelow = (path: unknown): path is string => typeof path === 'string' && path.startsWith(below + sep)
  const kill = (): never => {
    isKilled = true
    end()
    throw new Killed('the process ends here')
  }
  const fails = (name: string): boolean => {
    if (isKilled) throw new Killed('the process has ended')
    operations.push(name)
    return operations.length === at
  }
  /** Does an operation, or lets it fail; `half` does a part of it. */
  const attempt = (name: string, work: () => unknown, half: () => unknown = work): unknown => {
    if (!fails(name)) return work()
    if (kind === 'kill') kill()
    if (kind === 'torn') {
      half()
      kill()
    }
    if (kind === 'short') return half()
    throw Object.assign(new Error(`${kind}: ${name}`), { code: kind })
  }
  const inSqlite = (name: string, work: () => unknown): unknown => {
    if (!fails(`sqlite ${name}`)) return work()
    if (kind === 'kill') kill()
    if (kind === 'torn') {
      work()
      kill()
    }
    const errcode = kind === 'EIO' ? 10 : 13
    throw Object.assign(new Error(`${kind}: ${name}`), { code: 'ERR_SQLITE_ERROR', errcode })
  }
  const patched: Record<string, Operation> = Object.fromEntries(
    BY_PATH.map(name => {
      const original: Operation = originals[name]
      return [
        name,
        (path: any, ...rest: any[]) =>
          isBelow(path) ? attempt(name, () => original(path, ...rest)) : original(path, ...rest),
      ]
    }),
  )
  const replaced = {
    ...patched,
    openSync: (path: any, flags: any = 'r', ...rest: any[]): number => {
      const doOpen = (): number => originals.openSync(path, flags, ...rest)
      if (flags === 'r' || !isBelow(path)) return doOpen()
      if (never?.test(path) === true) throw Object.assign(new Error(`${kind}: openSync`), { code: kind })
      const file = attempt('openSync', doOpen) as number
      open.set(file, path)
      return file
    },
    closeSync: (file: number): void => {
      open.delete(file)
      originals.closeSync(file)
    },
    writeSync: (
      file: number,
      bytes: any,
      offset = 0,
      length = bytes.length - offset,
      ...rest: any[]
    ): number => {
      const doWrite = (count: number): number =>
        Reflect.apply(originals.writeSync, fs, [file, bytes, offset, count, ...rest])
      if (!open.has(file) || length === 0) return doWrite(length)
      return attempt(
        'writeSync',
        () => doWrite(length),
        () => doWrite(Math.ceil(length / 2)),
      ) as number
    },
    fsyncSync: (file: number): void => {
      if (open.has(file)) attempt('fsyncSync', () => originals.fsyncSync(file))
      else originals.fsyncSync(file)
    },
    futimesSync: (file: number, ...rest: [number, number]): void => {
      attempt('futimesSync', () => originals.futimesSync(file, ...rest))
    },
    mkdirSync: (path: any, ...rest: any[]): unknown =>
      isBelow(path) && !originals.existsSync(path)
        ? attempt('mkdirSync', () => originals.mkdirSync(path, ...rest))
        : originals.mkdirSync(path, ...rest),
    rmSync: (path: any, ...rest: any[]): unknown =>
      isBelow(path) && originals.existsSync(path)
        ? attempt('rmSync', () => originals.rmSync(path, ...rest))
        : originals.rmSync(path, ...rest),
  }
  const names = Object.keys(replaced)
  Object.assign(fs, replaced)
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (/^(?:PRAGMA (?!wal_checkpoint)|ROLLBACK)/.test(sql)) sqlite.exec.call(this, sql)
    else inSqlite(sql.slice(0, 20), () => sqlite.exec.call(this, sql))
  }
  StatementSync.prototype.run = function (this: StatementSync, ...given: any[]): any {
    return inSqlite('run', () => Reflect.apply(sqlite.run, this, given))
  }
  syncBuiltinESMExports()
  return {
    operations: () => operations,
    isKilled: () => isKilled,
    restore: () => {
      for (const name of names) Object.assign(fs, { [name]: Reflect.get(originals, name) })
      DatabaseSync.prototype.exec = sqlite.exec
      StatementSync.prototype.run = sqlite.run
      syncBuiltinESMExports()
    },
  }
}
// biome-ignore-end lint/suspicious/noExplicitAny: all forms are handed on
