/** V24: what screen readers say of a row: who speaks, and the first words. */

import { capitalize } from '@dagline/core/format'
import { withEllipsis } from '@dagline/core/model'
import type { Block, RowContent } from '@dagline/core/protocol'
import { type FoldedRow, kindAt, statusLabel } from '@dagline/core/view'
import { viewOf } from '../tools/index.js'
import { branchOf, sizeOf } from './fork-branches.js'
import { nameOf } from './row-kind.js'
import type { View } from './view.js'

/** Characters of the first words. */
const LONGEST = 80

/** The name of an entry. Before its contents are there, only prompts have words. */
export function rowLabel({ sheet, facts }: View, row: number, content: RowContent | null): string {
  const known = facts.words.get(row) ?? content?.blocks.map(blockWords).find(words => words !== '') ?? ''
  const what = known || kindAt(sheet, row)
  const isAbandoned = facts.abandoned[sheet.rows.line[row] ?? -1] === true
  return `${nameOf(sheet, row)}, ${short(what)}${isAbandoned ? ', on an abandoned branch' : ''}`
}

/** The name of a folded branch, subagent or shared history. */
export function foldedLabel(view: View, { kind, branch, line }: FoldedRow): string {
  if (kind === 'branch' && branch !== null) {
    const folded = branchOf(view, branch.fork, branch.branch)
    return `${capitalize(statusLabel(folded.status))} branch, folded, ${sizeOf(folded)}: ${short(folded.words)}`
  }
  const known = view.sheet.lines[line]
  if (kind === 'agent') return `Subagent ${known?.agent?.name ?? ''}, folded: ${short(known?.words ?? '')}`
  return 'Shared history, folded'
}

function blockWords(block: Block): string {
  switch (block.kind) {
    case 'call':
      return `calls ${block.name}: ${viewOf(block).summary(block)}`
    case 'command':
      return `${block.name} ${block.args}`.trim()
    case 'image':
      return 'an image'
    case 'note':
      return `${block.label}: ${block.text.text}`
    case 'thinking':
      return block.text.text === '' ? 'thinking' : `thinking: ${block.text.text}`
    default:
      return block.text.text
  }
}

function short(text: string): string {
  const line = text
    .slice(0, LONGEST * 2)
    .replace(/[\s#*`>]+/g, ' ')
    .trim()
  return withEllipsis(line, LONGEST)
}
