/** A reader that takes every entry for live, in the order of rows: what a page without a graph shows. */
import { join } from 'node:path'
import { readTranscript } from '../lib/transcript.js'
import { adapt, listTranscripts } from './adapter.js'

adapt({
  version: () => 'flat list',
  read: root => ({
    sessions: listTranscripts(root).map(file => {
      const entries = [...readTranscript(join(root, file))]
      const spoken = entries.filter(([, { type }]) => type === 'user' || type === 'assistant')
      return { file, live: spoken.map(([uuid]) => uuid), abandoned: [] }
    }),
  }),
})
