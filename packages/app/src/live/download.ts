/** A session of a live history as one HTML file. */
import { join } from 'node:path'
import type { SecretsWish } from '../export/html-export.js'
import { UserError } from '../user-error.js'
import type { LiveContext } from './context.js'

/** Makes the file. Throws `UserError` where there is no transcript, or where likely secrets are in the way. */
export async function exportSession(
  context: LiveContext,
  id: string,
  secrets: SecretsWish,
): Promise<{ readonly session: string; readonly page: Uint8Array<ArrayBuffer> }> {
  const { fact, root } = context.graphOf(id)
  const { session, file } = fact
  if (file === null || fact.archivedOnly)
    throw new UserError(
      `Its transcript is only in the archive: dagline restore ${session} brings it back.`,
      'archived-only',
    )
  if (context.exportHtml === null)
    throw new UserError('This server makes no files: use `dagline export`.', 'no-export')
  const made = await context.exportHtml({ session, path: join(root, file), secrets })
  if ('page' in made) return { session, page: made.page }
  throw new UserError(made.refusal, made.isForSecrets ? 'secrets' : 'no-export')
}
