import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withHome } from '../home.js'
import { listRecordings } from './recordings.js'

const truth = {
  live: {
    'p/s.jsonl': {
      request: 1,
      live: ['a', 'b'],
      one_of: [['c', 'd']],
      not_in_last_request: [{ line: 3, uuid: 'e' }],
    },
  },
  agents: { 'p/s/subagents/agent-x.jsonl': { tool_use: 'toolu_1', marker: '#X#' } },
  requests: [],
}

describe('recordings', () => {
  it('are found by version and scenario, with their truth', async () => {
    const text = JSON.stringify(truth)
    const files = [
      { path: 'random-2.1.197/303/truth.json', text },
      { path: 'random-2.1.197/303/projects/p/s.jsonl', text: '' },
      { path: '1.0.66/s01/truth.json', text },
      { path: '1.0.66/s01/projects/p/s.jsonl', text: '' },
      { path: '1.0.66/no-truth/projects/p/s.jsonl', text: '' },
      { path: '1.0.66/broken/truth.json', text: '{' },
      { path: 'README.md', text: '' },
    ]
    await withHome(files, ({ projects }) => {
      const found = listRecordings(projects)
      expect(found.map(({ version, name }) => [version, name])).toEqual([
        ['1.0.66', '1.0.66/s01'],
        ['2.1.197', 'random-2.1.197/303'],
      ])
      expect(found[1]?.projectsDir).toBe(join(projects, 'random-2.1.197', '303', 'projects'))
      expect(found[1]?.truth).toEqual({
        live: { 'p/s.jsonl': { live: ['a', 'b'], oneOf: [['c', 'd']], notLive: ['e'] } },
        agents: { 'p/s/subagents/agent-x.jsonl': 'toolu_1' },
      })
    })
  })

  it('are an empty list where the folder is missing', () => {
    expect(listRecordings('no/such/folder')).toEqual([])
  })
})
