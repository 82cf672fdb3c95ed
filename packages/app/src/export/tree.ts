/** S1: several sessions in one file, depth first. */

import { printableText } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import type { FileSession } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { type ExportedSession, openExportedSession } from './exported-session.js'
import type { SelectedInTree } from './find.js'
import { htmlTree, nameOf } from './html.js'
import { documentLinks, sessionAnchor } from './links.js'
import { markdownPieces } from './markdown.js'
import { linkText } from './markdown-links.js'
import type { ExportSettings } from './session.js'
import type { Pieces } from './write.js'

/** The sessions of a file, and what the file is called. */
export interface TreeExport {
  readonly title: string
  readonly selected: readonly SelectedInTree[]
}

/** The file, piece by piece. One session at a time is open. */
export function treePieces(settings: ExportSettings, { title, selected }: TreeExport): Pieces {
  const { redactor, options } = settings
  const name = redactor === null ? title : redactor.text(title)
  return options.format === 'md'
    ? markdownTree(settings, { title: name, selected })
    : htmlTree(name, openAll(settings, selected), redactor)
}

/** What a session tree is called: by the title of the session at its root. */
export function treeTitle([root]: readonly SelectedInTree[]): string {
  return root === undefined ? '' : nameOfSelected(root)
}

async function* markdownTree(
  settings: ExportSettings,
  { title, selected }: TreeExport,
): AsyncGenerator<string> {
  const { redactor } = settings
  const links = documentLinks(new Set(selected.map(({ session }) => session.id)))
  yield printableText(
    `# ${linkText(title)}\n\n${plural(selected.length, 'session')}:\n\n${contentsOf(selected, redactor)}\n\n`,
  )
  for await (const { exported } of openAll(settings, selected))
    yield* markdownPieces(exported, redactor, links)
}

/** The tree as a list of links. */
function contentsOf(selected: readonly SelectedInTree[], redactor: Redactor | null): string {
  const items = selected.map(each => {
    const name = nameOfSelected(each)
    const words = linkText(redactor === null ? name : redactor.text(name)) || each.session.id
    return `${'  '.repeat(each.depth)}- [${words}](#${sessionAnchor(each.session.id)})`
  })
  return items.join('\n')
}

function nameOfSelected({ session }: SelectedInTree): string {
  return session.title ?? session.id
}

async function* openAll(
  { options, redactor }: ExportSettings,
  selected: readonly SelectedInTree[],
): AsyncGenerator<{ readonly exported: ExportedSession; readonly listed: FileSession }> {
  for (const { loaded, session, depth } of selected) {
    const exported = openExportedSession(loaded, session, options)
    try {
      const { first } = exported.sheet.session
      yield { exported, listed: { session: session.id, name: nameOf(exported, redactor), depth, first } }
      exported.refuseUnread()
    } finally {
      exported.close()
    }
  }
}
