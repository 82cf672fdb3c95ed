import { fileId, sessionId } from '@dagline/core'
import { expect, it } from 'vitest'
import type { ReadJob } from '../db/facts.js'
import { batchesOf } from './batch.js'

const MEGABYTE = 1024 * 1024

function job(project: string, session: string, name: string, megabytes: number): ReadJob {
  const path = fileId(`${project}/${name}.jsonl`)
  const known = { path, kind: 'session', agent: null, run: null, meta: null, title: null } as const
  const facts = { ...known, session: sessionId(session) }
  return { file: 1, root: '/r', path, project, facts, bytes: megabytes * MEGABYTE, archive: null, from: null }
}

const numbers = (jobs: readonly ReadJob[]): readonly (readonly number[])[] =>
  batchesOf(jobs).map(batch => batch.map(([index]) => index))

it('a project is one batch; the first half keeps its order, then the largest comes first', () => {
  const jobs = [
    job('a', 's1', 's1', 3),
    job('b', 's2', 's2', 1),
    job('c', 's3', 's3', 2),
    job('a', 's4', 's4', 1),
  ]
  expect(numbers(jobs)).toEqual([[0, 3], [2], [1]])
})

it('jobs that were read before are left out', () => {
  const jobs = [job('a', 's1', 's1', 1), job('a', 's2', 's2', 1), job('b', 's3', 's3', 1)]
  expect(batchesOf(jobs, 1).flat()).toEqual([
    [1, jobs[1]],
    [2, jobs[2]],
  ])
})

it('a large project is cut between sessions, never within one', () => {
  const jobs = [
    job('a', 's1', 's1', 3),
    job('a', 's1', 's1/subagents/agent-x', 2),
    job('a', 's1', 's1/subagents/agent-y', 2),
    job('a', 's2', 's2', 3),
    job('a', 's3', 's3', 1),
  ]
  expect(numbers(jobs)).toEqual([
    [0, 1, 2],
    [3, 4],
  ])
})
