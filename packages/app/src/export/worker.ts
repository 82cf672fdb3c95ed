/** The download of the page: a worker makes the file, while this process goes on answering. */
import { readFileSync } from 'node:fs'
import type { RedactWhat } from '@dagline/core/redact'
import { silentHost } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { runOnce } from '../workers/pool.js'
import { exportSessions } from './export.js'
import { findingsIn, WHOLE_PAGE } from './findings.js'
import { redactedText } from './report.js'
import { secretsFound } from './secrets.js'
import { withTemporary } from './write.js'

/** What to do with likely secrets: refuse to export them, replace them, or export them. */
type SecretsOption = 'refuse' | 'redact' | 'allow'

/** What a file for download holds. */
export interface PageOptions {
  readonly secrets: SecretsOption
  /** What is replaced beside secrets, where those are. */
  readonly also: readonly RedactWhat[]
  /** Abandoned branches are left out of `live`. */
  readonly branch: 'all' | 'live'
  /** Subagents nested deeper than this are left out; null for none of them. */
  readonly depth: number | null
}

export interface ExportInput extends PageOptions {
  /** The absolute path of the session's own transcript. */
  readonly path: string
}

/** A file for download. */
export interface ExportedPage {
  readonly bytes: Uint8Array
  /** What was replaced, in sentences; null where nothing was to be. */
  readonly redacted: string | null
}

/** Makes one HTML file of a session. Throws `UserError`, with the code `secrets` where it would contain likely secrets. */
export type ExportHtml = (input: ExportInput) => Promise<ExportedPage>

/** Counts what a file of a session would tell, by the absolute path of its transcript. */
export type FindPersonal = typeof findingsIn

/** Exports in a worker. */
export const exportInWorker: ExportHtml = input =>
  runOnce('export', input, { hasSpool: true, endedEarly, here: exportPage })

/** Looks in a worker for what a file of a session would tell. */
export const findInWorker: FindPersonal = path => runOnce('findings', path, { endedEarly, here: findingsIn })

function endedEarly(code: number | null): UserError {
  const what = `The export ended early (${code ?? 'killed'})`
  return new UserError(`${what}: try \`dagline export\` in a terminal.`, 'no-export')
}

/** The task of a worker: exports a session. */
export async function exportPage({ path, secrets, also, branch, depth }: ExportInput): Promise<ExportedPage> {
  return await withTemporary(async out => {
    const exporter = { host: silentHost([]), approve: refuse, print: async () => {} }
    const { redacted } = await exportSessions(exporter, path, {
      ...WHOLE_PAGE,
      out,
      branch,
      depth: depth ?? WHOLE_PAGE.depth,
      redact: secrets === 'redact' ? ['secrets', ...also] : null,
      allowSecrets: secrets === 'allow',
    })
    return { bytes: readFileSync(out), redacted: redacted === null ? null : redactedText(redacted) }
  })
}

async function refuse(secrets: Parameters<typeof secretsFound>[0]): Promise<void> {
  throw new UserError(secretsFound(secrets), 'secrets')
}
