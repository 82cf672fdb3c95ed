import { describe, expect, it } from 'vitest'
import type { BlamedEdit, BlamedFile, BlamedLine, CommitSessions } from '../protocol/blame.js'
import { absentEdits, describeAdded, describeFate, describeOrigins, describeSource } from './describe.js'

function edit(fields: Partial<BlamedEdit>): BlamedEdit {
  return {
    session: 's1',
    title: null,
    node: 'n1',
    tool: 'Edit',
    path: '/a.ts',
    time: null,
    prompt: null,
    agent: null,
    line: null,
    status: 'live',
    fate: 'present',
    written: 2,
    present: 2,
    ...fields,
  }
}

function line(origin: BlamedLine['origin']): BlamedLine {
  return { line: 1, text: '', origin, edits: [], evidence: null, commit: null, after: null, before: null }
}

describe('blame in words', () => {
  it('[Z3] lists calls as not in the file unless their lines are there, later calls replaced them, or they wrote none', () => {
    const fates = ['present', 'replaced', 'undone', 'elsewhere', 'removed', 'unplaced'] as const
    expect(absentEdits(fates.map(fate => edit({ fate }))).map(({ fate }) => fate)).toEqual([
      'undone',
      'elsewhere',
    ])
  })

  it('[Z3] names abandoned branches, and takes a copy for the conversation that it repeats', () => {
    expect(describeFate(edit({ status: 'abandoned', fate: 'undone' }))).toMatch(/^on an abandoned branch; /)
    expect(describeFate(edit({ status: 'copy' }))).toBe('2 of 2 lines are in the file')
  })

  it('[Z1] [Z6] counts what is there, and says nothing of what is not', () => {
    const file: BlamedFile = {
      path: '/a.ts',
      source: 'sessions',
      lines: [line('edit'), line('edit'), line('undecided')],
      edits: [edit({}), edit({ session: 's2', present: 0 })],
      failed: 1,
      commits: [],
    }
    expect(describeOrigins(file)).toBe('2 lines by 1 session, 1 undecided, 1 call failed and changed nothing')
    expect([describeSource(file), describeSource({ source: 'disk' })]).toEqual([
      expect.stringContaining('not on disk'),
      null,
    ])
    const commit: CommitSessions = {
      hash: 'abc',
      author: 'A',
      time: 0,
      subject: 's',
      added: 5,
      outside: 2,
      undecided: 0,
      skipped: 1,
      sessions: [],
    }
    expect(describeAdded(commit)).toBe(
      '5 lines added, 2 by no recorded call, 1 file not read (too large or not text)',
    )
  })
})
