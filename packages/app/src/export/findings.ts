/** R5: what a file for others would tell about its author, before it is made. */
import type { ShareFindings } from '@dagline/core/protocol'
import { createRedactor, REDACT_WHAT } from '@dagline/core/redact'
import { silentHost } from '../host/host.js'
import { inStore } from '../host/user-error.js'
import { openExportedSession } from './exported-session.js'
import { findOne } from './find.js'
import type { ExportOptions } from './options.js'
import { placeholderHash } from './placeholders.js'
import { countSecrets, learnSecrets, namesFor } from './secrets.js'

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
    const names = namesFor(options, [session])
    const redactor = createRedactor({ what: REDACT_WHAT, names, hash: placeholderHash() })
    const exported = openExportedSession(loaded, session, options)
    try {
      const counts = countSecrets(learnSecrets(exported, redactor, 'html'))
      const countOf = (personal: string): number => counts.find(({ kind }) => kind === personal)?.count ?? 0
      return {
        secrets: counts.filter(({ kind }) => !PERSONAL.has(kind)).map(({ kind, count }) => ({ kind, count })),
        paths: countOf('user'),
        emails: countOf('email'),
        names: countOf('name'),
      }
    } finally {
      exported.close()
    }
  })
}

/** Kinds of personal data, as the redactor calls them. */
const PERSONAL: ReadonlySet<string> = new Set(['user', 'email', 'name'])
