/** S1: several sessions in one file, depth first. */

import { cleanLine } from '@dagline/core/content'
import { plural } from '@dagline/core/format'
import type { FileSession } from '@dagline/core/protocol'
import type { Redactor } from '@dagline/core/redact'
import { titleOf } from '../graphs/facts.js'
import type { ChosenInTree } from './find.js'
import { htmlTree, nameOf } from './html.js'
import { documentLinks, sessionAnchor } from './links.js'
import { markdownPieces } from './markdown.js'
import { linkText } from './markdown-links.js'
import { type Material, openMaterial } from './material.js'
import type { Way } from './session.js'
import type { Pieces } from './write.js'

/** The sessions of a file, and what the file is called. */
export interface TreeExport {
  readonly title: string
  readonly chosen: readonly ChosenInTree[]
}

/** The file, piece by piece. One session at a time is open. */
export function treePieces(way: Way, { title, chosen }: TreeExport): Pieces {
  const { redactor, options } = way
  const name = redactor === null ? title : redactor.text(title)
  return options.format === 'md'
    ? markdownTree(way, { title: name, chosen })
    : htmlTree(name, openAll(way, chosen), redactor)
}

/** What a session tree is called: by the title of the session at its root. */
export function treeTitle([root]: readonly ChosenInTree[]): string {
  return root === undefined ? '' : nameOfChosen(root)
}

function* markdownTree(way: Way, { title, chosen }: TreeExport): Generator<string> {
  const { redactor } = way
  const links = documentLinks(new Set(chosen.map(({ session }) => session.id)))
  yield `# ${linkText(cleanLine(title))}\n\n${plural(chosen.length, 'session')}:\n\n${contentsOf(chosen, redactor)}\n\n`
  for (const each of chosen) {
    const material = openMaterial(each.loaded, each.session, way.options)
    try {
      yield* markdownPieces(material, redactor, links)
      material.refuseUnread()
    } finally {
      material.close()
    }
  }
}

/** The tree as a list of links. */
function contentsOf(chosen: readonly ChosenInTree[], redactor: Redactor | null): string {
  const items = chosen.map(each => {
    const name = nameOfChosen(each)
    const words = linkText(cleanLine(redactor === null ? name : redactor.text(name))) || each.session.id
    return `${'  '.repeat(each.depth)}- [${words}](#${sessionAnchor(each.session.id)})`
  })
  return items.join('\n')
}

function nameOfChosen({ loaded, session }: ChosenInTree): string {
  return titleOf(loaded, session.id, session.title) ?? session.id
}

async function* openAll(
  { options, redactor }: Way,
  chosen: readonly ChosenInTree[],
): AsyncGenerator<{ readonly material: Material; readonly listed: FileSession }> {
  for (const { loaded, session, depth } of chosen) {
    const material = openMaterial(loaded, session, options)
    try {
      const { first } = material.sheet.session
      yield { material, listed: { session: session.id, name: nameOf(material, redactor), depth, first } }
      material.refuseUnread()
    } finally {
      material.close()
    }
  }
}
