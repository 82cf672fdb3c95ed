/** A move as people read it before they agree to it, and for machines. */

import { basename } from 'node:path'
import type { LeftFile, RootMove } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, plural } from '@dagline/core/format'
import type { Console } from '../console.js'

/** What a plan would do. */
export function* planLines({ style }: Console, plan: RootMove): Generator<string> {
  const { files, folders, sessions, root, sums } = plan
  yield style.strong(cleanLine(root))
  for (const { from, to } of folders)
    yield `  ${cleanLine(basename(from))} ${style.faint('becomes')} ${cleanLine(basename(to))}`
  const parts = [
    plural(sessions, 'session'),
    `${plural(sums.moved, 'file')} to another folder`,
    `${plural(sums.rows, 'row')} in ${plural(sums.changed, 'file')} changed (${plural(sums.values, 'path')}, ${bytes(sums.bytes)} written anew)`,
  ]
  yield `  ${parts.join(', ')}`
  for (const { kind, path, changedRows } of files) {
    if (kind === 'history') yield `  ${plural(changedRows, 'prompt')} in ${basename(path)}`
    if (kind === 'config') yield `  the entry in ${basename(path)}`
  }
  yield* leftLines(plan)
}

function* leftLines({ left, from }: RootMove): Generator<string> {
  for (const why of new Set(left.map(each => each.why))) {
    const paths = left.filter(each => each.why === why).map(({ path }) => path)
    const some = paths.slice(0, 3).map(path => cleanLine(path))
    const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
    yield `  stays: ${some.join(', ')}${more}: ${REASONS[why](from)}`
  }
}

const REASONS: Readonly<Record<LeftFile['why'], (from: string) => string>> = {
  'in-the-way': () => 'a file of that name is in the new folder already',
  shared: () => 'another project has the same folder',
  link: () => 'it is reached by a link',
  'other-entry': () => 'it has an entry for the new path already',
  config: from =>
    `it has an entry for ${from}, which --config moves too; end Claude Code first, it writes this file`,
}

/** A plan for machines. */
export function planFacts(plan: RootMove): Readonly<Record<string, unknown>> {
  const { root, folders, sessions, sums, files, left, clashes } = plan
  return {
    root,
    folders,
    sessions,
    ...sums,
    changes: files.map(({ kind, path, target, rows, changedRows, values, bytes: size }) => ({
      kind,
      path,
      target,
      rows,
      changedRows,
      values,
      bytes: size,
    })),
    left,
    clashes,
  }
}
