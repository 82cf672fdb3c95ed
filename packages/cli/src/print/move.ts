/** The plan of a move, as text and as JSON. */
import { basename } from 'node:path'
import type { LeftFile, RootMove } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, plural } from '@dagline/core/format'
import type { Console } from '../console.js'
import type { MovedRootJson } from '../json/changes.js'

export function* planLines({ style }: Console, plan: RootMove): Generator<string> {
  const { files, folders, sessions, root, sums } = plan
  yield style.strong(cleanLine(root))
  for (const { from, to } of folders)
    yield `  ${cleanLine(basename(from))} ${style.faint('becomes')} ${cleanLine(basename(to))}`
  const parts = [
    plural(sessions, 'session'),
    `${plural(sums.moved, 'file')} moved`,
    `${plural(sums.rows, 'row')} in ${plural(sums.changed, 'file')} changed (${plural(sums.values, 'path')}, ${bytes(sums.bytes)} rewritten)`,
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
    yield `  not moved: ${some.join(', ')}${more}: ${REASONS[why](from)}`
  }
}

const REASONS: Readonly<Record<LeftFile['why'], (from: string) => string>> = {
  'in-the-way': () => 'the new folder already has a file of that name',
  shared: () => 'another project has the same folder',
  link: () => 'it is a link',
  'other-entry': () => 'it already has an entry for the new path',
  config: from =>
    `it has an entry for ${from}; use --config to move it, and exit Claude Code first, which writes this file`,
}

export function planFacts({ root, folders, sessions, sums, files, left, clashes }: RootMove): MovedRootJson {
  const changes = files.map(({ kind, path, target, rows, changedRows, values, bytes: size }) => ({
    kind,
    path,
    target,
    rows,
    changedRows,
    values,
    bytes: size,
  }))
  return { root, folders, sessions, ...sums, changes, left, clashes }
}
