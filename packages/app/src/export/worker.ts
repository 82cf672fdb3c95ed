/** The download of the page: a worker makes the file, while this process goes on answering. */
import { readFileSync } from 'node:fs'
import { silentHost } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { runOnce } from '../workers/pool.js'
import { exportSessions } from './export.js'
import { redactedText } from './report.js'
import { secretsFound } from './secrets.js'
import { withTemporary } from './write.js'

/** What to do with likely secrets: refuse to export them, replace them, or export them. */
export type SecretsOption = 'refuse' | 'redact' | 'allow'

export interface ExportInput {
  /** The absolute path of the session's own transcript. */
  readonly path: string
  readonly secrets: SecretsOption
}

/** A file for download. */
export interface ExportedPage {
  readonly bytes: Uint8Array
  /** What was replaced, in sentences; null where nothing was to be. */
  readonly redacted: string | null
}

/** Makes one HTML file of a session. Throws `UserError`, with the code `secrets` where it would contain likely secrets. */
export type ExportHtml = (input: ExportInput) => Promise<ExportedPage>

/** Exports in a worker. */
export const exportInWorker: ExportHtml = input =>
  runOnce('export', input, { hasSpool: true, endedEarly, here: exportPage })

function endedEarly(code: number | null): UserError {
  const what = `The export ended early (${code ?? 'killed'})`
  return new UserError(`${what}: try \`dagline export\` in a terminal.`, 'no-export')
}

/** The task of a worker: exports a session. */
export async function exportPage({ path, secrets }: ExportInput): Promise<ExportedPage> {
  return await withTemporary(async out => {
    const exporter = { host: silentHost([]), approve: refuse, print: async () => {} }
    const { redacted } = await exportSessions(exporter, path, {
      format: 'html',
      out,
      project: null,
      tree: false,
      branch: 'all',
      depth: Number.POSITIVE_INFINITY,
      tools: true,
      redact: secrets === 'redact' ? ['secrets'] : null,
      names: [],
      allowSecrets: secrets === 'allow',
      force: false,
    })
    return { bytes: readFileSync(out), redacted: redacted === null ? null : redactedText(redacted) }
  })
}

async function refuse(secrets: Parameters<typeof secretsFound>[0]): Promise<void> {
  throw new UserError(secretsFound(secrets), 'secrets')
}
