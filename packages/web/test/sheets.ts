/** Sheets of shapes, for tests of the page. */

import { sessionId } from '@dagline/core'
import type { Sheet } from '@dagline/core/protocol'
import { makeSheet } from '@dagline/core/view'
import { draw } from '../../core/test/support.js'

export interface ShapedSheet {
  readonly sheet: Sheet
  /** The row of a token; -1 for none. */
  readonly row: (token: string) => number
  /** Rows as their tokens. */
  readonly say: (rows: readonly number[]) => string
}

/** The sheet of a session of a shape. */
export function sheetOf(shape: string, session: string = 's1'): ShapedSheet {
  const { graph, shape: drawn } = draw(shape)
  const sheet = makeSheet(graph, sessionId(session), {
    project: 'p',
    title: null,
    archivedOnly: false,
    version: shape,
  })
  return {
    sheet,
    row: token => sheet.rows.node.indexOf(drawn.uuid(token)),
    say: rows => drawn.say(rows.map(row => sheet.rows.node[row] ?? '')),
  }
}
