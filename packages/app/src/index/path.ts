/** Where the index is. */
import { join } from 'node:path'
import { cacheFolder, INDEX_VERSION } from '@dagline/store'

/** Where the index lies unless another is named by an option. */
export function usualIndex(): string {
  return process.env['DAGLINE_INDEX'] || join(cacheFolder(), `index-${INDEX_VERSION}.db`)
}
