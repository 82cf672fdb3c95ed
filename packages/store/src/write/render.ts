/** The rows of a plan, read from their files, changed and handed on, one at a time. */
import {
  DAMAGED_ROW,
  type EditPlan,
  needsWhole,
  type Renderer,
  type Saved,
  startRender,
  type TextChange,
} from '@dagline/core/edit'
import { GIANT_ROW } from '@dagline/core/files'
import type { WholeSources } from '../files/whole.js'
import { openRows, type RowsAgain, reducedText } from './rows-again.js'
import { Splicer } from './splice.js'

/** Where rows go. */
export interface RowSink {
  readonly text: (text: string) => void
  readonly bytes: (bytes: Uint8Array) => void
  /** Shows a row as it will be read, without its newline; one too long to hold is reduced. */
  readonly row: (text: string) => void
}

/** What came of rendering. */
export interface Rendered {
  readonly rows: number
  readonly saved: Saved
  /** Names of spilled results that the rows speak of. */
  readonly mentions: ReadonlySet<string>
}

interface Rendering {
  readonly plan: EditPlan
  readonly rows: RowsAgain
  readonly renderer: Renderer
  readonly sink: RowSink
}

/** Renders a plan. Throws `StoreError` unless its sources are, before and after, the bytes that were read. */
export function renderPlan(
  plan: EditPlan,
  sources: WholeSources,
  texts: readonly TextChange[],
  sink: RowSink,
): Rendered {
  const rendering: Rendering = {
    plan,
    rows: openRows(sources),
    renderer: startRender(plan, texts),
    sink,
  }
  try {
    let count = 0
    for (let place = 0; place < plan.rows.file.length; place++) if (renderRow(rendering, place)) count++
    const { saved, mentions } = rendering.renderer
    rendering.rows.verify()
    return { rows: count, saved, mentions }
  } finally {
    rendering.rows.close()
  }
}

function renderRow(rendering: Rendering, place: number): boolean {
  const { plan, rows, renderer, sink } = rendering
  const path = plan.rows.files[plan.rows.file[place] ?? -1]
  const offset = plan.rows.offset[place] ?? 0
  const length = plan.rows.length[place] ?? 0
  if (path !== undefined && length > GIANT_ROW && !needsWhole(plan, place))
    return renderGiant(rendering, place, path)
  if (path !== undefined && plan.rows.nth[place] === DAMAGED_ROW) return renderDamaged(rendering, place, path)
  const text = renderer.row(place, path === undefined ? '' : rows.text(path, offset, length))
  if (text === null) return false
  sink.row(text)
  sink.text(text)
  sink.text('\n')
  return true
}

/** P9: the bytes of a damaged row pass by as they are. */
function renderDamaged({ plan, rows, sink }: Rendering, place: number, path: string): boolean {
  const offset = plan.rows.offset[place] ?? 0
  const length = plan.rows.length[place] ?? 0
  sink.row(length > GIANT_ROW ? reducedText(rows, path, offset, length) : rows.text(path, offset, length))
  rows.pieces(path, offset, length, piece => sink.bytes(piece))
  sink.text('\n')
  return true
}

/** P6: a row too long to hold is reduced for the check; its bytes pass by with their new names. */
function renderGiant({ plan, rows, renderer, sink }: Rendering, place: number, path: string): boolean {
  const offset = plan.rows.offset[place] ?? 0
  const length = plan.rows.length[place] ?? 0
  const reduced = renderer.reduced(place, reducedText(rows, path, offset, length))
  if (reduced === null) return false
  sink.row(reduced.text)
  const splicer = new Splicer(reduced.fields, bytes => sink.bytes(bytes))
  rows.pieces(path, offset, length, piece => splicer.write(piece))
  sink.text('\n')
  return true
}
