/** What decoding repaired in a file, counted. */
import { plural } from '../format/index.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { FileId } from '../model/ids.js'

/** How often something occurred, and the first row where it did. */
export interface Tally {
  readonly count: number
  readonly row: number | null
}

/** What decoding repaired in a file. */
export interface Damage {
  /** Rows that ended in CRLF. */
  readonly crlf: Tally
  /** Rows with bytes that are not valid UTF-8; their text has U+FFFD instead. */
  readonly invalidUtf8: Tally
}

/** The damage of one part of a file and of the next. */
export function addDamage(a: Damage, b: Damage): Damage {
  return { crlf: addTallies(a.crlf, b.crlf), invalidUtf8: addTallies(a.invalidUtf8, b.invalidUtf8) }
}

function addTallies(a: Tally, b: Tally): Tally {
  return { count: a.count + b.count, row: a.row ?? b.row }
}

/** P5: what decoding repaired is reported once per file, with the first row and the count. */
export function damageOf(file: FileId, damage: Damage): Diagnostic[] {
  const found: Diagnostic[] = []
  const add = (rule: `parse/${string}`, severity: 'info' | 'warning', tally: Tally, message: string) => {
    if (tally.count > 0) found.push({ rule, severity, file, row: tally.row, node: null, message })
  }
  const { crlf, invalidUtf8 } = damage

  add(
    'parse/crlf',
    'info',
    crlf,
    `${plural(crlf.count, 'row ends', 'rows end')} in CRLF; the carriage returns were left out.`,
  )
  add(
    'parse/invalid-utf8',
    'warning',
    invalidUtf8,
    `${plural(invalidUtf8.count, 'row has', 'rows have')} bytes that are not valid UTF-8; they are shown as U+FFFD, and the file keeps them.`,
  )
  return found
}
