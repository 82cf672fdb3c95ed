import { fileId } from '@dagline/core'
import { activityOf, queuedIn } from '@dagline/core/measure'
import { describe, expect, it } from 'vitest'
import { queueRow } from './ask.js'
import { draw } from './support.js'

/** What a session is doing, with its open calls as tool and token. */
function doing(shape: string, path = 's1.jsonl'): string {
  const d = draw(shape)
  const activity = activityOf(d.graph, fileId(path))
  if (activity === null) return 'nothing'
  return [activity.doing, ...activity.calls.map(({ tool, node }) => `${tool} ${d.say([node])}`)].join(' ')
}

describe('what a session is doing', () => {
  it.each([
    ['a prompt without an answer', 's1: u1', 'working'],
    ['a complete answer', 's1: u1 a1', 'idle'],
    ['a call without a result', 's1: u1 a1[t1:Bash]', 'calling Bash a1'],
    ['a result: the next request follows', 's1: u1 a1[t1:Bash] r1[t1]', 'working'],
    ['one of two parallel calls is done', 's1: u1 a1[t1:Bash] a2[t2:Read] r2[t2]', 'calling Bash a1'],
    [
      'the other of two parallel calls is done',
      's1: u1 a1=m1[t1:Bash] a2=m1[t2:Read]\ns1: a1 > r1[t1]',
      'calling Read a2',
    ],
    ['a question to the user', 's1: u1 a1[t1:AskUserQuestion]', 'asking AskUserQuestion a1'],
    ['a plan to be approved', 's1: u1 a1[t1:ExitPlanMode]', 'asking ExitPlanMode a1'],
    ['a call of an earlier turn was given up', 's1: u1 a1[t1:Bash]\ns1: a1 > u2 a2', 'idle'],
    ['a compaction by hand', 's1: u1 a1 c1 k1', 'idle'],
    ['the branch that is live counts', 's1: u1 a1 u2 a2[t1:Bash]\ns1: a1 > u3@+10m a3', 'idle'],
    ['an empty transcript', 's1: ! {"type":"summary","summary":"x"}', 'idle'],
  ])('[J2] %s', (_, shape, expected) => {
    expect(doing(shape)).toBe(expected)
  })

  it('[J2] a subagent has a state of its own', () => {
    const shape = 's1: u1 a1[t1:Task>x]\ns1/x: u2 a2[t2:Read]'
    expect(doing(shape)).toBe('calling Task a1')
    expect(doing(shape, 's1/subagents/agent-x.jsonl')).toBe('calling Read a2')
  })

  it('[J2] a file that is not there', () => {
    expect(doing('s1: u1 a1', 'other.jsonl')).toBe('nothing')
  })

  it('[J3] prompts that wait in the queue', () => {
    const rows = [queueRow('enqueue', 'first'), queueRow('enqueue', 'second'), queueRow('dequeue')]
    const [one, two, three] = rows.map(row => `s1: ! ${row}`)
    const waiting = (shape: readonly (string | undefined)[]): readonly (string | undefined)[] =>
      queuedIn(draw(shape.join('\n')).graph, fileId('s1.jsonl')).map(({ note }) => note.text?.head)
    expect(waiting(['s1: u1 a1[t1:Bash]', one, two])).toEqual(['first', 'second'])
    expect(waiting(['s1: u1 a1', one, two, three, 's1: a1 > u2"first"'])).toEqual(['second'])
    expect(waiting(['s1: u1 a1'])).toEqual([])
  })
})
