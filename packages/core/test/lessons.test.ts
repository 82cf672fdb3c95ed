import { type Attempt, findLessons } from '@dagline/core/lessons'
import { describe, expect, it } from 'vitest'
import { draw } from './support.js'

const run = (id: string, command: string): Attempt => ({
  id,
  tool: 'Bash',
  command,
  file: null,
  change: null,
})
const edit = (id: string, from: string, to: string, file = 'a.ts'): Attempt => ({
  id,
  tool: 'Edit',
  command: null,
  file,
  change: { from, to },
})

/** The lessons of a shape: `kind outcome: refs`, the oldest first. */
function lessons(shape: string, ...attempts: readonly Attempt[]): readonly string[] {
  const d = draw(shape)
  const found = findLessons(d.graph, new Map(attempts.map(attempt => [`toolu_${attempt.id}`, attempt])))
  return found.toReversed().map(({ kind, outcome, refs }) => {
    const tokens = refs.map(ref => {
      const line = d.graph.lines().find(({ id }) => id === ref)
      const node = line === undefined ? d.graph.index(ref as never) : line.head
      return d.say([node])
    })
    return `${kind} ${outcome}: ${tokens.join(' ')}`
  })
}

const FIRST = 's1: u1"one" a1'

describe('abandoned turns', () => {
  it.each([
    [
      'answered, and something else was asked',
      `${FIRST} u2"two" a2\ns1: a1 > u3"three"@+30m a3`,
      ['rewind rejected: u2 u3'],
    ],
    ['the same was asked again', `${FIRST} u2"two" a2\ns1: a1 > u3"two"@+30m a3`, ['rewind open: u2 u3']],
    [
      'a call was answered by a result only',
      `${FIRST} u2"two" a2[t1:Read] r1[t1]\ns1: a1 > u3"three"@+30m a3`,
      ['rewind rejected: u2 u3'],
    ],
    ['no rewind at all', `${FIRST} u2"two" a2 u3"three" a3`, []],
    [
      'two abandoned one after the other',
      `${FIRST} u2"two" a2\ns1: a1 > u3"three"@+30m a3\ns1: a1 > u4"four"@+60m a4`,
      ['rewind rejected: u2 u3', 'rewind rejected: u3 u4'],
    ],
    [
      'another session went on from it',
      `${FIRST} u2"two" a2\ns1: a1 > u3"three"@+30m a3\ns2: u1 a1 u2 a2 u4"on"@+90m a4`,
      ['rewind open: u2 u3'],
    ],
  ])('[X20] %s', (_, shape, expected) => {
    expect(lessons(shape)).toEqual(expected)
  })

  it('[X19] [X20] says what was asked, tried and asked instead', () => {
    const d = draw(`${FIRST} u2"two" a2[t1:Edit] r1[t1] a3[t2:Bash] r2[t2] a4\ns1: a1 > u3"three"@+30m a5`)
    const attempts = [edit('t1', 'a', 'b'), run('t2', 'npm test\nmore')]
    const [lesson] = findLessons(d.graph, new Map(attempts.map(attempt => [`toolu_${attempt.id}`, attempt])))
    expect(lesson).toMatchObject({
      session: 's1',
      asked: 'two',
      tried: ['Edit a.ts', 'ran npm test'],
      ended: 'You rewound and asked instead: three',
    })
  })
})

const TWO = 's1: u1 a1[t1] r1[t1] a2 u2 a3[t2] r2[t2] a4'
const THREE = `${TWO} u3 a5[t3] r3[t3] a6`

describe('edits that were undone', () => {
  it.each([
    ['put back by a later turn', TWO, [edit('t1', 'a', 'b'), edit('t2', 'b', 'a')], ['edit rejected: a1 a3']],
    [
      'put back in the same turn',
      's1: u1 a1[t1] r1[t1] a2[t2] r2[t2] a3',
      [edit('t1', 'a', 'b'), edit('t2', 'b', 'a')],
      ['edit open: a1 a2'],
    ],
    ['another file', TWO, [edit('t1', 'a', 'b'), edit('t2', 'b', 'a', 'b.ts')], []],
    ['another text', TWO, [edit('t1', 'a', 'b'), edit('t2', 'b', 'c')], []],
    ['the same edit again', TWO, [edit('t1', 'a', 'b'), edit('t2', 'a', 'b')], []],
    [
      'made again after it was put back',
      THREE,
      [edit('t1', 'a', 'b'), edit('t2', 'b', 'a'), edit('t3', 'a', 'b')],
      [],
    ],
    [
      'the second edit failed',
      's1: u1 a1[t1] r1[t1] a2 u2 a3[t2] r2[t2!] a4',
      [edit('t1', 'a', 'b'), edit('t2', 'b', 'a')],
      [],
    ],
    [
      'the first edit failed',
      's1: u1 a1[t1] r1[t1!] a2 u2 a3[t2] r2[t2] a4',
      [edit('t1', 'a', 'b'), edit('t2', 'b', 'a')],
      [],
    ],
    [
      'on a branch that was abandoned',
      `${FIRST} u2"two" a2[t1] r1[t1] a3\ns1: a1 > u3"three"@+30m a4[t2] r2[t2] a5`,
      [edit('t1', 'a', 'b'), edit('t2', 'b', 'a')],
      ['rewind rejected: u2 u3'],
    ],
  ])('[X21] %s', (_, shape, attempts, expected) => {
    expect(lessons(shape, ...attempts)).toEqual(expected)
  })
})

describe('commands that failed', () => {
  const fails = 's1: u1 a1[t1] r1[t1!] a2[t2] r2[t2] a3[t3] r3[t3] a4'
  it.each([
    [
      'until a file changed',
      fails,
      [run('t1', 'x'), edit('t2', 'a', 'b'), run('t3', 'x')],
      ['command solved: a1 a2 a3'],
    ],
    ['until nothing changed', fails, [run('t1', 'x'), run('t2', 'y'), run('t3', 'x')], []],
    ['another command', fails, [run('t1', 'x'), edit('t2', 'a', 'b'), run('t3', 'y')], []],
    ['once, and never again', 's1: u1 a1[t1] r1[t1!] a2', [run('t1', 'x')], []],
    [
      'each time',
      's1: u1 a1[t1] r1[t1!] a2[t2] r2[t2!] a3',
      [run('t1', 'x'), run('t2', 'x')],
      ['command open: a1'],
    ],
    [
      'the edit failed, too',
      's1: u1 a1[t1] r1[t1!] a2[t2] r2[t2!] a3[t3] r3[t3] a4',
      [run('t1', 'x'), edit('t2', 'a', 'b'), run('t3', 'x')],
      [],
    ],
    ['never', 's1: u1 a1[t1] r1[t1] a2[t2] r2[t2] a3', [run('t1', 'x'), run('t2', 'x')], []],
    [
      'after it had succeeded, and was mended',
      's1: u1 a1[t1] r1[t1] a2[t2] r2[t2!] a3[t3] r3[t3] a4[t4] r4[t4] a5',
      [run('t1', 'x'), run('t2', 'x'), edit('t3', 'a', 'b'), run('t4', 'x')],
      ['command solved: a2 a3 a4'],
    ],
  ])('[X22] %s', (_, shape, attempts, expected) => {
    expect(lessons(shape, ...attempts)).toEqual(expected)
  })
})
