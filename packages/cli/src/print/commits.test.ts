import type { CommitSession } from '@dagline/core/protocol'
import { expect, it } from 'vitest'
import { commitLines } from './commits.js'
import { styleFor } from './style.js'

const SESSION: CommitSession = {
  session: '7692c3ad-0000-4000-8000-000000000000',
  title: 'Add a parser',
  lines: 2,
  files: ['app.ts'],
  prompts: [],
  committed: null,
}

it('[Z6] says without colors where a title ends, and what the session did', () => {
  const commit = {
    ...{ hash: 'fe6abe3f00000', author: 'Ada', time: 0, subject: 'Parser and lexer' },
    ...{ added: 2, outside: 0, undecided: 0, skipped: 0 },
    sessions: [
      SESSION,
      { ...SESSION, committed: 'n1' },
      { ...SESSION, lines: 0, files: [], committed: 'n1' },
    ],
  }
  const [head, , ...sessions] = commitLines({ style: styleFor(false), width: 80 } as never, commit)
  expect(head).toMatch(/^fe6abe3f Parser and lexer {2}Ada, /)
  expect(sessions.slice(0, 3)).toEqual([
    '  7692c3ad Add a parser  2 lines in 1 file',
    '  7692c3ad Add a parser  2 lines in 1 file, made the commit',
    '  7692c3ad Add a parser  made the commit',
  ])
})
