/** A session of a live history as one HTML file, and what that would tell. */
import { join } from 'node:path'
import type { ShareFindings } from '@dagline/core/protocol'
import type { ExportedPage, PageOptions } from '../export/worker.js'
import { UserError } from '../host/user-error.js'
import type { LiveContext } from '../live/context.js'

/** Makes the file. Throws `UserError` where there is no transcript, or where it would contain likely secrets. */
export async function exportSession(
  context: LiveContext,
  id: string,
  options: PageOptions,
): Promise<{ readonly session: string; readonly page: ExportedPage }> {
  const { session, path } = transcriptOf(context, id)
  const { exportHtml } = context
  if (exportHtml === null) throw noExport()
  try {
    return { session, page: await exportHtml({ path, ...options }) }
  } catch (error) {
    if (!(error instanceof UserError) || error.code === 'secrets') throw error
    throw new UserError(error.message, 'no-export')
  }
}

/** R5: counts what the file would tell. Throws `UserError` where there is no transcript. */
export async function findingsOf(context: LiveContext, id: string): Promise<ShareFindings> {
  const { path } = transcriptOf(context, id)
  if (context.findPersonal === null) throw noExport()
  return await context.findPersonal(path)
}

function transcriptOf(context: LiveContext, id: string): { readonly session: string; readonly path: string } {
  const { fact, root } = context.factOf(id)
  const { session, file } = fact
  if (file !== null && !fact.archivedOnly) return { session, path: join(root, file) }
  throw new UserError(
    `Its transcript is only in the archive: dagline restore ${session} brings it back.`,
    'archived-only',
  )
}

function noExport(): UserError {
  return new UserError('This server makes no files: use `dagline export`.', 'no-export')
}
