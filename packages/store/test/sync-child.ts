/** A process of its own that syncs, to be killed: `root index`. It commits often, so that much can be half done. */

import { openIndex } from '../src/db/sqlite.js'
import { discover } from '../src/files/discover.js'
import { StoreError } from '../src/files/failures.js'
import { syncRoot } from '../src/sync/sync.js'

const [root = '', path = ''] = process.argv.slice(2)
try {
  const index = openIndex(path)
  process.stdout.write('begun\n')
  for (const found of discover([root])) await syncRoot(index, found, { commitEvery: 10_000 })
  index.close()
  process.stdout.write('done\n')
} catch (error) {
  if (!(error instanceof StoreError)) throw error
  process.stdout.write(`${error.kind}: ${error.message}\n`)
}
