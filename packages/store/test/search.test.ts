/** Searching in the index in SQLite, and in the plain model. */
import { openIndex } from '../src/db/sqlite.js'
import { openMemoryIndex } from './memory-index.js'
import { searchContract } from './search-contract.js'

searchContract('sqlite', () => openIndex(':memory:'))
searchContract('memory', openMemoryIndex)
