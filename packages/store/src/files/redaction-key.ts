/** R3: the key of the placeholders in redacted exports: made once for each installation, readable by its user only. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf } from './failures.js'
import { dataFolder } from './folders.js'

/** The key of this installation. Where it can neither be read nor written, a new one for this run. */
export function redactionKey(path: string = join(dataFolder(), 'redaction.key')): string {
  const kept = readKey(path)
  if (kept !== null) return kept
  const key = randomBytes(32).toString('hex')
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${key}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return key
    // Another process has made one meanwhile, or what is there is damaged.
    return readKey(path) ?? replacedKey(path, key)
  }
  return key
}

function readKey(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[0-9a-f]{64}$/.test(text) ? text : null
  } catch {
    return null
  }
}

function replacedKey(path: string, key: string): string {
  try {
    const temporary = `${path}.${process.pid}.part`
    writeFileSync(temporary, `${key}\n`, { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    // It serves for this run.
  }
  return key
}
