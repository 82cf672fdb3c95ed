/** Where the index is. */
import { join } from 'node:path'
import { cacheFolder, INDEX_VERSION } from '@dagline/store'

/** Where the index lies unless another is named. */
export function usualIndex(): string {
  return join(cacheFolder(), `index-${INDEX_VERSION}.db`)
}
