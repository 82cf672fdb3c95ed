/**
 * Secret keys of this installation, readable by its user only: the key of the placeholders in redacted exports (R3), and
 * the token of the viewer (V2).
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from './failures.js'
import { dataFolder } from './folders.js'
import { renameFile } from './rename.js'

/** R3: the key of the placeholders. Where it can neither be read nor written, a new one for this run. */
export function redactionKey(path: string = join(dataFolder(), 'redaction.key')): string {
  return keptKey(path, readKey).key
}

/** A key, and whether the next start has the same one. */
interface KeptKey {
  readonly key: string
  readonly isKept: boolean
}

/** V2: the token of the viewer: the kept one, or a new one that takes its place. */
export function viewerToken(isNew: boolean, path: string = join(dataFolder(), 'viewer.token')): KeptKey {
  return isNew ? replacedKey(path, newKey()) : keptKey(path, readPrivateKey)
}

type ReadKey = (path: string) => string | null

function keptKey(path: string, read: ReadKey): KeptKey {
  const kept = read(path)
  if (kept !== null) return { key: kept, isKept: true }
  const key = newKey()
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${key}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return { key, isKept: false }
    // Another process has made one meanwhile, or what is there cannot be used.
    const other = read(path)
    return other === null ? replacedKey(path, key) : { key: other, isKept: true }
  }
  return { key, isKept: true }
}

function newKey(): string {
  return randomBytes(32).toString('hex')
}

function readKey(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[0-9a-f]{64}$/.test(text) ? text : null
  } catch {
    return null
  }
}

/** A key that others could read is not a secret. Windows has no such modes: the folder of the user protects it there. */
function readPrivateKey(path: string): string | null {
  const key = readKey(path)
  const isOpen = key !== null && process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  return isOpen ? null : key
}

function replacedKey(path: string, key: string): KeptKey {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const temporary = `${path}.${process.pid}.part`
    writeFileSync(temporary, `${key}\n`, { mode: 0o600 })
    renameFile(temporary, path)
    return { key, isKept: true }
  } catch {
    // It serves for this run.
    return { key, isKept: false }
  }
}
