import { describe, expect, it } from 'vitest'
import { parseRow } from '../parse/row.js'
import { type RecordText, textsOf } from './texts.js'

/** The texts of an attachment: `field: text`. */
function textsIn(attachment: object): readonly string[] {
  const text = JSON.stringify({ type: 'attachment', uuid: 'e1', parentUuid: null, attachment })
  const found: RecordText[] = []
  parseRow({ row: 1, offset: 0, length: text.length, text, whole: true }, (json, record) => {
    found.push(...textsOf(json, record))
  })
  return found.map(({ field, text: words }) => `${field}: ${words}`)
}

describe('texts of attachments', () => {
  it.each([
    [
      'a memory file as it was',
      {
        type: 'nested_memory',
        path: '/p/CLAUDE.md',
        content: { path: '/p/CLAUDE.md', type: 'Project', content: '# Use tabs' },
      },
      ['memory: /p/CLAUDE.md\n# Use tabs'],
    ],
    [
      'the instructions of a session',
      {
        type: 'instructions',
        files: [
          { path: '/p/CLAUDE.md', content: 'Be brief.' },
          { path: '/h/CLAUDE.md', content: 'Be kind.' },
        ],
      },
      ['memory: /p/CLAUDE.md\nBe brief.\n/h/CLAUDE.md\nBe kind.'],
    ],
    [
      'a skill listing',
      { type: 'skill_listing', content: '- pdf: reads PDFs', skillCount: 1 },
      ['skill: - pdf: reads PDFs'],
    ],
    [
      'skills that were used',
      { type: 'invoked_skills', skills: [{ name: 'pdf', content: 'How to read' }] },
      ['skill: pdf\nHow to read'],
    ],
    [
      'context of a hook',
      {
        type: 'hook_additional_context',
        content: ['mind the gap', 'and the step'],
        hookName: 'SessionStart',
      },
      ['hook: mind the gap\nand the step'],
    ],
    [
      'a hook that objects',
      { type: 'hook_blocking_error', hookName: 'Stop', blockingError: { blockingError: 'tests fail' } },
      ['hook: tests fail'],
    ],
    [
      'what a hook printed',
      {
        type: 'hook_success',
        hookName: 'Stop',
        content: '',
        stdout: 'formatted',
        stderr: '',
        command: 'fmt',
      },
      ['hook: formatted'],
    ],
    [
      'an edited file',
      { type: 'edited_text_file', filename: '/p/deploy.sh', snippet: '1\tset -e' },
      ['file: /p/deploy.sh\n1\tset -e'],
    ],
    [
      'an attached file',
      {
        type: 'file',
        filename: '/p/c.txt',
        content: { type: 'text', file: { filePath: '/p/c.txt', content: 'gamma' } },
      },
      ['file: /p/c.txt\ngamma'],
    ],
    ['a file that was only named', { type: 'opened_file_in_ide', filename: '/p/c.txt' }, ['file: /p/c.txt']],
    [
      'a listing of subagents',
      { type: 'agent_listing_delta', addedTypes: ['Explore'], addedLines: ['- Explore: looks around'] },
      ['context: - Explore: looks around'],
    ],
    [
      'instructions of a server',
      { type: 'mcp_instructions_delta', addedNames: ['maps'], addedBlocks: ['## maps\nAsk for routes'] },
      ['context: ## maps\nAsk for routes'],
    ],
    [
      'a list of tasks',
      { type: 'task_reminder', content: [{ id: '1', subject: 'Research', status: 'open' }], itemCount: 1 },
      ['context: 1\nResearch\nopen'],
    ],
    ['a type of a later release', { type: 'weather_report', forecast: { today: 'rain' } }, ['context: rain']],
  ])('[H3] %s', (_, attachment, texts) => {
    expect(textsIn(attachment)).toEqual(texts)
  })

  it.each([
    [{ type: 'prompt_snapshot', systemPrompt: ['You are Claude'] }],
    [{ type: 'deferred_tools_delta', addedNames: ['WebFetch'] }],
    [{ type: 'environment', snapshot: { platform: 'linux' } }],
    [{ type: 'todo_reminder', content: [], itemCount: 0 }],
    [{ type: 'hook_success', hookName: 'Stop', content: '', stdout: '' }],
    [{}],
  ])('[H3] %j has nothing that was written about the work', attachment => {
    expect(textsIn(attachment)).toEqual([])
  })
})
