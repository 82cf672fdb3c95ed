/** What a client knows of itself: its machine, its token, and the file for what it sent. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { UserError } from '@dagline/app'
import { configFolder, dataFolder, renameFile } from '@dagline/store'
import type { MachineName } from '../raw/model.js'
import { sha256 } from '../raw/pack.js'

/** This machine as it names itself. Its id is made once; where it cannot be kept, `UserError` says so. */
export function thisMachine(folder: string = dataFolder()): MachineName {
  const name = hostname().split('.')[0] || 'machine'
  return { uuid: machineId(join(folder, 'machine.id')), name: name.slice(0, 100), platform: process.platform }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function machineId(path: string): string {
  const kept = textAt(path)
  if (kept !== null && UUID.test(kept)) return kept
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    // If another process makes one at the same time, that one is used.
    if (kept === null) writeFileSync(path, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 })
    else writeFileSync(path, `${randomUUID()}\n`, { mode: 0o600 })
  } catch {
    // The file is read again below.
  }
  const made = textAt(path)
  if (made !== null && UUID.test(made)) return made
  throw new UserError(`${path} could not be written: check the permissions of its folder.`)
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

/** The file in which a client keeps what it sent to a hub. */
export function statePath(url: string): string {
  return join(dataFolder(), `hub-${keyOf(url)}.db`)
}

/** The token for a hub, from the variable or from its file; null where there is none. */
export function hubToken(url: string): string | null {
  const given = process.env['DAGLINE_HUB_TOKEN'] ?? ''
  if (given !== '') return given
  const path = tokenPath(url)
  const token = textAt(path)
  if (token === null || token === '') return null
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UserError(
      `Others can read the token in ${path}. Store a new one with \`dagline hub connect ${url}\`.`,
    )
  return token
}

/** The token for a hub. Throws `UserError` where there is none. */
export function requireHubToken(url: string): string {
  const token = hubToken(url)
  if (token !== null) return token
  throw new UserError(
    `There is no token for ${url}. Ask an admin of the hub for one, and store it with \`dagline hub connect ${url}\`.`,
  )
}

/** Keeps the token for a hub, readable for the user only; removes it with null. */
export function keepHubToken(url: string, token: string | null): void {
  const path = tokenPath(url)
  if (token === null) {
    rmSync(path, { force: true })
    return
  }
  const temporary = `${path}.${process.pid}.part`
  try {
    mkdirSync(configFolder(), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${token}\n`, { mode: 0o600 })
    renameFile(temporary, path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new UserError(`${path} could not be written (${reason}).`)
  }
}

function tokenPath(url: string): string {
  return join(configFolder(), `hub-${keyOf(url)}.token`)
}

/** A token is for one hub: another address has another file. */
function keyOf(url: string): string {
  return sha256(Buffer.from(url)).toString('hex', 0, 6)
}
