/** The archive as the commands open it: what goes wrong with it becomes a sentence. */
import { StoreError } from '@dagline/store'
import { UserError } from '../host/user-error.js'

/** Does something with an archive, and closes it whatever happens. */
export async function withArchive<Opened extends { readonly close: () => void }, T>(
  open: () => Opened,
  use: (archive: Opened) => Promise<T> | T,
): Promise<T> {
  try {
    const archive = open()
    try {
      return await use(archive)
    } finally {
      archive.close()
    }
  } catch (error) {
    throw error instanceof StoreError ? new UserError(error.message) : error
  }
}
