import { expect, it } from 'vitest'
import { askedInstead } from '../src/measure/index.js'
import { draw } from './support.js'

const FIRST = 's1: u1 a1 u2 a2'

it.each([
  [
    'the next branch that was written, not the last',
    `${FIRST}\ns1: a1 > u3@+10m a3\ns1: a1 > u4@+20m a4`,
    'u2 u3, u3 u4',
  ],
  ['nothing, where an earlier branch went on', `${FIRST}\ns1: a1 > u3@+10m a3\ns1: a2 > u4@+20m a4`, 'u3 -'],
])('[X14] [X20] what was asked in place of a branch: %s', (_, shape, expected) => {
  const d = draw(shape)
  const forkAt = new Map(d.graph.forks().flatMap(fork => fork.branches.map(head => [head, fork] as const)))
  const told = d.graph.lines().flatMap(line => {
    const fork = line.head === null ? undefined : forkAt.get(line.head)
    if (line.head === null || fork === undefined || line.status !== 'abandoned') return []
    const instead = askedInstead(d.graph, fork, line)
    return `${d.say([line.head])} ${instead === null ? '-' : d.say([instead])}`
  })
  expect(told.join(', ')).toBe(expected)
})
