/** How much of a session a resume reaches: of one that is there, and of one that an edit would make. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reachOf } from '@dagline/core'
import { type Edit, tryEdit } from '@dagline/store'
import type { Console } from '../console.js'
import type { EditReport } from '../print/edit.js'
import { type EditedSession, openEditedSession } from './edit.js'

/** Messages of the conversation that Claude Code would load from a session's file: what the doctor says, too. */
export function reachNow({ source, file, extras }: EditedSession): number {
  return reachOf(source.graph, file.facts.path, { extras }).now
}

/** What a resume reaches of the result of an edit, written or not: the result is read as Claude Code would. */
export function reachAfter(console: Console, edit: Edit, { path, number }: EditReport): number {
  const reachIn = (result: string): number => reachNow(openEditedSession(result, console))
  return number === null ? onTrial(edit, reachIn) : reachIn(path)
}

/** What comes of an edit that is not carried out: its rows are there for as long as they are looked at. */
function onTrial<T>(edit: Edit, look: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'dagline-'))
  try {
    const path = join(folder, `${edit.plan.session}.jsonl`)
    const file = openSync(path, 'w', 0o600)
    tryEdit(edit, row => writeSync(file, `${row}\n`))
    closeSync(file)
    return look(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
