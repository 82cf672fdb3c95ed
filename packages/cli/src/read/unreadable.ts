/** Transcripts that cannot be read: an answer without them must say so. */
import { accessSync, constants } from 'node:fs'
import type { Diagnostic } from '@dagline/core'
import { failureOf } from '@dagline/store'
import type { Console } from '../console.js'
import { cleanLine } from '../print/clean.js'
import { count } from '../print/figures.js'
import { fullPath, type Place } from './places.js'

const MOST_NAMED = 5

/** Says which transcripts of the places cannot be read. */
export function noteUnreadable(console: Console, places: readonly Place[]): void {
  noteFailures(
    console,
    places.flatMap(place => place.project.files.flatMap(file => refusedBy(fullPath(place, file), file.path))),
  )
}

/** Says what could not be read, of all that reading found. */
export function noteFailures(console: Console, found: readonly Diagnostic[]): void {
  const failed = found.filter(({ rule }) => rule === 'store/unreadable')
  for (const { file, message } of failed.slice(0, MOST_NAMED)) console.note(cleanLine(`${file}: ${message}`))
  const more = failed.length - MOST_NAMED
  if (more > 0) console.note(`${count(more, 'further file')} could not be read.`)
}

function refusedBy(full: string, path: string): readonly Diagnostic[] {
  try {
    accessSync(full, constants.R_OK)
    return []
  } catch (error) {
    return [failureOf(error, path, 'file')]
  }
}
