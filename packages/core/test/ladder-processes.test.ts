/** Forks that processes make, not people: resumes of broken-off answers, cuts in a message, two writers in turns. */
import { describe, expect, it } from 'vitest'
import { draw } from './support.js'

const ended = 's1: ! {"type":"cost-state","sessionId":"s1"}'
const dequeued = 's1: ! {"type":"queue-operation","operation":"dequeue","sessionId":"s1"}'

describe('the stub of a resume', () => {
  it.each([
    ['an answer that was broken off', 's1: u1 a1 / s1: u1 > y1 u2 a2'],
    ['an answer that was interrupted, and an exit', 's1: u1 a1 i1 m1 l1 o1 / s1: u1 > y1 u2 a2'],
    ['a killed call', 's1: u1 d1 a1=d1[t1] / s1: u1 > y1 u2 a2'],
  ])('[F8] goes on instead of %s: not a rewind', (_, shape) => {
    const d = draw(shape)
    expect(d.verdict('u1')).toMatch(/^F8 companion: /)
    expect(d.branches()).toEqual([])
    expect(d.live()).toBe('u1 y1 u2 a2')
  })

  it('[F8] [F12] near miss: typed input below the answer as well is a rewind', () => {
    expect(draw('s1: u1 a1 u3 a3 / s1: u1 > y1 u2 a2').verdict('u1')).toBe('F12 rewind: a1 y1')
  })

  it('[F6] a prompt on the boundary beside the summary and what hooks told is one conversation (2.0.10)', () => {
    const hook = 'u9+{"message":{"content":"<session-start-hook>context</session-start-hook>"}}'
    const d = draw(`s1: u1 a1 c1 k1 m1 l1 o1 ${hook} / s1: c1 > u2 a2`)
    expect(d.verdict('c1')).toBe('F6 continuation: k1 u2')
    expect(d.branches()).toEqual([])
  })
})

describe('a resume in the middle of a message', () => {
  it.each([
    ['the words after its thinking', 's1: u1 d1 a1=d1', 'd1', 'd1 > u2 a2', 'F12 rewind: a1 u2'],
    ['a tool round and an answer', 's1: u1 a1 a2=a1[t1] r1[t1] a3', 'a1', 'a1 > u2 a4', 'F12 rewind: a2 u2'],
    [
      'the result of a call, and the answer',
      's1: u1 a1[t1] r1[t1] a2',
      'a1',
      'a1 > u2 a3',
      'F12 rewind: r1 u2',
    ],
  ])('[F12] leaves %s: a branch', (_, before, at, after, verdict) => {
    const d = draw(`${before}\n${ended}\ns1: ${after}`)
    expect(d.verdict(at)).toBe(verdict)
    expect(d.branches().map(branch => branch.replace(/^.*\(/, ''))).toEqual(['abandoned)', 'live)'])
  })

  it('[F4] near miss: a call that was killed is not a branch', () => {
    const d = draw(`s1: u1 a1 a2=a1[t1] a3=a1[t2]\n${ended}\ns1: a1 > u2 a4`)
    expect(d.verdict('a1')).toBe('F4 dead-end: a2 u2')
    expect(d.branches()).toEqual([])
  })
})

describe('two writers', () => {
  it('[F11] take turns: the later prompt came by the queue of a process that had not ended', () => {
    const turns = `s1: u1 a1 u2 a2\n${dequeued}\ns1: a1 > u3 a3\n${ended}`
    expect(draw(turns).verdict('a1')).toBe('F11 two-writers: u2 u3')
  })

  it('[F11] [F12] near miss: a process ended in between, so that the next one resumed at an older entry', () => {
    const resumed = `s1: u1 a1 u2 a2\n${ended}\n${dequeued}\ns1: a1 > u3 a3`
    expect(draw(resumed).verdict('a1')).toBe('F12 rewind: u2 u3')
  })

  it('[F11] [F12] near miss: a prompt that was typed may be a rewind', () => {
    expect(draw(`s1: u1 a1 u2 a2 / s1: a1 > u3 a3\n${ended}`).verdict('a1')).toBe('F12 rewind: u2 u3')
  })

  it('[F11] take turns: a row made before the other side, but written behind it, shows a process that went on', () => {
    const late = 's1: u1 a1 u2 a2 / s1: a1 > s9@=a1+{"subtype":"stop_hook_summary"} u3 a3'
    expect(draw(late).verdict('a1')).toBe('F11 two-writers: u2 s9')
  })

  it('[F11] [F12] near miss: parts and results of one message are written in turns by one process', () => {
    const cut = `s1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 u2 a4\n${ended}\ns1: a1 > u3 a5`
    expect(draw(cut).verdict('a1')).toBe('F12 rewind: a2 r1 u3')
  })
})

describe('results of failed turns', () => {
  it('[F9] near miss: results are no attempts, though the requests after them failed', () => {
    const d = draw('s1: u1 a1[t1:Task] a2[t2:Task] / s1: a2 > r1[t1] e1 / s1: a2 > r2[t2] e2 u2 a3')
    expect(d.verdict('a2')).toBe('F6 continuation: r1 r2')
  })
})

describe('forks in copied sessions', () => {
  it('[F6] a node with two children in a copy is listed, though its original has only one', () => {
    const d = draw('s1: u1 a1 h1 u2 a2 / s2: u1 a1 h1 / s2: a1 > s9 u3 a3')
    expect(d.graph.forks().map(fork => `${d.say([fork.at])} ${fork.kind}: ${d.say(fork.children)}`)).toEqual([
      'a1 continuation: h1 s9',
    ])
  })
})
