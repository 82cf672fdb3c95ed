/** A session of a live history as one HTML file. */
import { join } from 'node:path'
import type { ExportedPage, SecretsOption } from '../export/worker.js'
import { UserError } from '../host/user-error.js'
import type { LiveContext } from '../live/context.js'

/** Makes the file. Throws `UserError` where there is no transcript, or where it would contain likely secrets. */
export async function exportSession(
  context: LiveContext,
  id: string,
  secrets: SecretsOption,
): Promise<{ readonly session: string; readonly page: ExportedPage }> {
  const { fact, root } = context.graphOf(id)
  const { session, file } = fact
  if (file === null || fact.archivedOnly)
    throw new UserError(
      `Its transcript is only in the archive: dagline restore ${session} brings it back.`,
      'archived-only',
    )
  if (context.exportHtml === null)
    throw new UserError('This server makes no files: use `dagline export`.', 'no-export')
  try {
    return { session, page: await context.exportHtml({ path: join(root, file), secrets }) }
  } catch (error) {
    if (!(error instanceof UserError) || error.code === 'secrets') throw error
    throw new UserError(error.message, 'no-export')
  }
}
