/** The page that lists the sessions of an exported project: plain, and complete in itself. */

import { bytes, dayAndTime, plural } from '@dagline/core/format'
import { ROW_MARKS } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { isLeftBranch } from '@dagline/core/view'
import type { ExportedSession } from './exported-session.js'
import { escapeHtml, nameOf, pageHead } from './html.js'

/** A session in the list. */
export interface Listed {
  readonly file: string
  readonly name: string
  readonly first: number | null
  readonly turns: number
  readonly branches: number
  readonly agents: number
  readonly cost: number | null
  readonly bytes: number
  /** Number of sessions above it. */
  readonly depth: number
}

/** What the list says of a session. */
export function listedOf(
  exported: ExportedSession,
  redactor: Redactor | null,
  written: Pick<Listed, 'file' | 'bytes' | 'depth'>,
): Listed {
  const { sheet } = exported
  return {
    ...written,
    name: nameOf(exported, redactor),
    first: sheet.session.first,
    turns: sheet.rows.marks.filter((marks, row) => (marks & ROW_MARKS.turn) !== 0 && isMain(exported, row))
      .length,
    branches: sheet.lines.filter((_, line) => isLeftBranch(sheet, line)).length,
    agents: sheet.lines.filter(({ kind }) => kind === 'agent').length,
    cost: sheet.lines.reduce<number | null>(
      (sum, { cost }) => (cost === null ? sum : (sum ?? 0) + cost),
      null,
    ),
  }
}

function isMain({ sheet }: ExportedSession, row: number): boolean {
  return sheet.lines[sheet.rows.line[row] ?? -1]?.depth === 0
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
ol { list-style: none; padding: 0; }
ol ol { padding-inline-start: 1.5rem; margin-block-start: .6rem; }
li { padding: .6rem 0; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
a { font-weight: 600; overflow-wrap: anywhere; }
small { display: block; opacity: .75; }
`

/** The page: the sessions as a tree, in the order given, which is that of the session tree (S1). */
export function indexPage(project: string, sessions: readonly Listed[]): string {
  return `${pageHead(project, null, STYLE)}<h1>${escapeHtml(project)}</h1>
<p>${plural(sessions.length, 'session')}</p>
${treeOf(sessions)}
</body>
</html>
`
}

/** Lists within lists: sessions that go on from another stand below it. */
function treeOf(sessions: readonly Listed[]): string {
  const parts: string[] = []
  let open = 0
  for (const listed of sessions) {
    // Where a session above was left out, the list goes one level down at most.
    const level = Math.min(listed.depth + 1, open + 1)
    if (level > open) parts.push('<ol>')
    else parts.push(`</li>${'</ol></li>'.repeat(open - level)}`)
    open = level
    parts.push(`<li>${itemOf(listed)}`)
  }
  return `${parts.join('\n')}\n${'</li></ol>'.repeat(open)}`
}

function itemOf({ file, name, first, turns, branches, agents, cost, bytes: size }: Listed): string {
  const facts = [
    dayAndTime(first),
    plural(turns, 'turn'),
    branches > 0 ? `${branches} abandoned` : '',
    agents > 0 ? plural(agents, 'agent') : '',
    cost === null ? '' : `$${cost.toFixed(2)}`,
    bytes(size),
  ].filter(fact => fact !== '')
  const address = file.split('/').map(encodeURIComponent).join('/')
  return `<a href="${escapeHtml(address)}">${escapeHtml(name)}</a><small>${escapeHtml(facts.join(' · '))}</small>`
}
