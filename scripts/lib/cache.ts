import { homedir } from 'node:os'
import { join } from 'node:path'

/** A folder in the cache folder of the user, for what tests have downloaded and keep. */
export function testCache(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(cache, 'dagline', 'test', name)
}
