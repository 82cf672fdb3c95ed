/** A second writer of a root, in a thread of its own: says how many files it had to read. */
import { parentPort, workerData } from 'node:worker_threads'
import { syncFolder } from '../../store/test/indexes.js'
import { connectSync } from '../src/db/sync-connection.js'
import { openPgIndex } from '../src/index/store.js'

const { url, tenant, audience, folder } = workerData
const connection = connectSync(url)
const index = openPgIndex(connection, { tenant, audienceOf: () => audience })
const { read } = await syncFolder(index, folder)
index.close()
connection.close()
parentPort?.postMessage(read)
