/** A folder for all that a run makes, gone when the run ends; the command under test is copied there first. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | null = null
let command: string | null = null

/** A new folder of its own below the run's. */
export function scratchFolder(): string {
  return mkdtempSync(join(runFolder(), 'case-'))
}

function runFolder(): string {
  if (folder !== null) return folder
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'dagline-lab-run-')))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  folder = made
  return made
}

/** The built command as it was when the run began: a build meanwhile changes nothing. */
export function builtCommand(): string {
  if (command !== null) return command
  const copy = join(runFolder(), 'command')
  cpSync(join('packages', 'cli', 'dist'), copy, { recursive: true })
  command = join(copy, 'dagline.js')
  return command
}
