/**
 * Makes one read below a folder fail. It patches the module that the commands read with, so that they know nothing of
 * it; commands run in this process, because there are as many runs as reads.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'
import { UserError } from '@dagline/app'
import { CommanderError } from 'commander'
import { createProgram } from '../src/program.js'
import type { Ran } from './run.js'

/** What is to fail. */
export interface ReadFault {
  /** Only reads of this folder and of what is below it count, except what the command itself is writing. */
  readonly below: string
  /** The number of the read that fails, from 1; 0 for none. */
  readonly at: number
  /** Every read of a path that ends so fails. */
  readonly ending?: string
  /** What fails: `reads` of bytes and folders, or questions about a file (`stats`). */
  readonly of?: 'reads' | 'stats'
  /** `EIO` and the like for an error; `cut` for a read that finds the end of the file too early. */
  readonly kind: string
}

/** A run, and how often it read below the folder. */
export interface FaultyRan extends Ran {
  readonly reads: number
}

/** Runs a command in this process, with one read failing. */
export async function runFaulty(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  fault: ReadFault,
): Promise<FaultyRan> {
  const before = { ...process.env }
  const out = capture('stdout')
  const err = capture('stderr')
  Object.assign(process.env, env)
  process.exitCode = 0
  const faults = injectFault(fault)
  try {
    const code = await exitCode(words)
    return { stdout: out.text(), stderr: err.text(), code, reads: faults.reads() }
  } finally {
    faults.restore()
    out.restore()
    err.restore()
    process.exitCode = 0
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** As `main.ts` has it. */
async function exitCode(words: readonly string[]): Promise<number> {
  try {
    await (await createProgram(words)).parseAsync([process.execPath, 'dagline', ...words])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
    const isRefusal = error instanceof UserError
    process.stderr.write(
      isRefusal ? error.message : `internal error: ${error instanceof Error ? error.stack : error}`,
    )
    return isRefusal ? 1 : 2
  }
}

interface Captured {
  readonly text: () => string
  readonly restore: () => void
}

function capture(name: 'stdout' | 'stderr'): Captured {
  const stream = process[name]
  const write = stream.write
  let text = ''
  // biome-ignore lint/suspicious/noExplicitAny: all its forms are taken
  stream.write = ((piece: string | Uint8Array, ...rest: any[]): boolean => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8')
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }) as typeof stream.write
  return {
    text: () => text,
    restore: () => {
      stream.write = write
    },
  }
}

interface Injected {
  readonly reads: () => number
  readonly restore: () => void
}

function injectFault({ below, at, ending, of = 'reads', kind }: ReadFault): Injected {
  const { openSync, readSync, readFileSync, readdirSync, closeSync, statSync, lstatSync, fstatSync } = fs
  const originals = {
    openSync,
    readSync,
    readFileSync,
    readdirSync,
    closeSync,
    statSync,
    lstatSync,
    fstatSync,
  }
  const open = new Map<number, string>()
  let reads = 0
  const isBelow = (path: unknown): path is string =>
    typeof path === 'string' &&
    (path === below || path.startsWith(below + sep)) &&
    !/\.dagline-\d+/.test(path)
  const isCut = kind === 'cut'
  const count = (path: unknown, what: ReadFault['of'] = 'reads'): void => {
    if (isCut || what !== of || !isBelow(path)) return
    reads++
    const isMeant = reads === at || (ending !== undefined && path.endsWith(ending))
    if (isMeant) throw Object.assign(new Error(`${kind}: read '${path}'`), { code: kind })
  }
  // A folder is opened to sync it, which reads nothing.
  const isRead = (path: unknown, flags: unknown): path is string =>
    isBelow(path) && flags === 'r' && statSync(path, { throwIfNoEntry: false })?.isFile() === true
  // biome-ignore-start lint/suspicious/noExplicitAny: all forms are handed on
  Object.assign(fs, {
    openSync: (path: any, flags: any = 'r', ...rest: any[]): number => {
      if (isRead(path, flags)) count(path)
      const file = openSync(path, flags, ...rest)
      if (isRead(path, flags)) open.set(file, path)
      return file
    },
    closeSync: (file: number): void => {
      open.delete(file)
      closeSync(file)
    },
    readSync: (file: number, ...rest: any[]): number => {
      count(open.get(file))
      const got: number = Reflect.apply(readSync, fs, [file, ...rest])
      if (!isCut || got === 0 || !open.has(file)) return got
      reads++
      return reads === at ? 0 : got
    },
    readFileSync: (path: any, ...rest: any[]): unknown => {
      count(path)
      return readFileSync(path, ...rest)
    },
    statSync: (path: any, ...rest: any[]): unknown => {
      count(path, 'stats')
      return statSync(path, ...rest)
    },
    lstatSync: (path: any, ...rest: any[]): unknown => {
      count(path, 'stats')
      return lstatSync(path, ...rest)
    },
    fstatSync: (file: number, ...rest: any[]): unknown => {
      count(open.get(file), 'stats')
      return fstatSync(file, ...rest)
    },
    readdirSync: (path: any, ...rest: any[]): unknown => {
      count(path)
      return readdirSync(path, ...rest)
    },
  })
  // biome-ignore-end lint/suspicious/noExplicitAny: all forms are handed on
  syncBuiltinESMExports()
  return {
    reads: () => reads,
    restore: () => {
      Object.assign(fs, originals)
      syncBuiltinESMExports()
    },
  }
}
