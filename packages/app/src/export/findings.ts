/** R5: what a file for others would tell about its author, before it is made. */
import { groupBy } from '@dagline/core/model'
import type { ShareFindings } from '@dagline/core/protocol'
import { createRedactor, REDACT_WHAT } from '@dagline/core/redact'
import { silentHost } from '../host/host.js'
import { inStore } from '../host/user-error.js'
import { type ExportedSession, openExportedSession } from './exported-session.js'
import { findOne } from './find.js'
import type { ExportOptions } from './options.js'
import { placeholderHash } from './placeholders.js'
import { foldersOf, namesFor } from './secrets.js'

/** Everything, as one page. */
export const WHOLE_PAGE: Omit<ExportOptions, 'out' | 'redact' | 'allowSecrets'> = {
  format: 'html',
  project: null,
  tree: false,
  branch: 'all',
  depth: Number.POSITIVE_INFINITY,
  tools: true,
  names: [],
  force: false,
}

/** The task of a worker: counts what a session holds of each kind, by the absolute path of its transcript. */
export async function findingsIn(path: string): Promise<ShareFindings> {
  return await inStore(() => {
    const { loaded, session } = findOne(path, silentHost([]))
    const options = { ...WHOLE_PAGE, out: null, redact: REDACT_WHAT, allowSecrets: false }
    const names = namesFor(options, foldersOf(session))
    const redactor = createRedactor({ what: REDACT_WHAT, names, hash: placeholderHash() })
    const exported = openExportedSession(loaded, session, options)
    try {
      const kinds = [...shownParts(exported)].flatMap(part => redactor.learn(part)).map(({ kind }) => kind)
      const counts = [...groupBy(kinds, kind => kind)].map(([kind, all]) => ({ kind, count: all.length }))
      const countOf = (personal: string): number => counts.find(({ kind }) => kind === personal)?.count ?? 0
      return {
        secrets: counts.filter(({ kind }) => !PERSONAL.has(kind)).toSorted((x, y) => y.count - x.count),
        paths: countOf('user'),
        emails: countOf('email'),
        names: countOf('name'),
      }
    } finally {
      exported.close()
    }
  })
}

/** Rows that are searched together. */
const ROWS = 256

/** What the file would show: of a record only what its row says, and the session once. */
function* shownParts({ sheet, contents }: ExportedSession): Generator<unknown> {
  // A title is what was typed first: it would count twice.
  yield { ...sheet.session, title: null, parent: null }
  for (let from = 0; from < sheet.rows.node.length; from += ROWS)
    yield contents(from, Math.min(sheet.rows.node.length, from + ROWS), null)
}

/** Kinds of personal data, as the redactor calls them. */
const PERSONAL: ReadonlySet<string> = new Set(['user', 'email', 'name'])
