import { fileId, sessionId } from '@dagline/core'
import { expect, it } from 'vitest'
import type { ReadJob } from '../db/facts.js'
import { batchesOf } from './batches.js'

/** A batch is full with four of them. */
const UNIT = 256 * 1024

function job(project: string, session: string, name: string, units: number): ReadJob {
  const path = fileId(`${project}/${name}.jsonl`)
  const known = { path, kind: 'session', agent: null, run: null, meta: null, title: null } as const
  const facts = { ...known, session: sessionId(session) }
  return { file: 1, root: '/r', path, project, facts, bytes: units * UNIT, archive: null, from: null }
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
  expect(batchesOf(jobs, { from: 1 }).flat()).toEqual([
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

it('[I10] sessions that begin at the same time are one batch, whatever their projects and sizes', () => {
  const jobs = [
    job('a', 's1', 's1', 5),
    job('b', 's2', 's2', 1),
    job('c', 's3', 's3', 3),
    job('c', 's3', 's3/subagents/agent-x', 1),
    job('a', 's4', 's4', 1),
  ]
  const starts = new Map([jobs[0], jobs[3]].map(alike => [alike, 'a']))
  const batches = batchesOf(jobs, { startOf: given => starts.get(given) ?? null })
  expect(batches.map(batch => batch.map(([index]) => index))).toEqual([[0, 2, 3], [1], [4]])
})

it('copies that are too large to be judged in memory are read with their projects', () => {
  const jobs = [job('a', 's1', 's1', 150), job('b', 's2', 's2', 150)]
  expect(batchesOf(jobs, { startOf: () => 'a' })).toHaveLength(2)
})
