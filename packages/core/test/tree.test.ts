/** The session tree as one sequence. */
import { generate, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionId, type TreeOptions, walkTree } from '../src/index.js'
import { type Drawn, draw, graphOfFiles } from './support.js'

/** The sequence: sessions by their ids, lines as their tokens in brackets. */
function stepsOf(drawn: Drawn, options: TreeOptions = {}): string {
  const steps = [...walkTree(drawn.graph, options)]
  return steps
    .map(step => (step.kind === 'session' ? step.session.id : `[${drawn.say(step.line.nodes)}]`))
    .join(' ')
}

const FAMILY = `s1: u1 a1 u2 a2 u3 a3
  s2: a3 > u4@+1h a4
  s3: a1 > u5@+1h a5`

describe('walkTree', () => {
  it('[S1] gives a header and a whole line, then its children by their first time', () => {
    expect(stepsOf(draw(FAMILY))).toBe('s1 [u1 a1 u2 a2 u3 a3] s2 [u4 a4] s3 [u5 a5]')
  })

  it('[S1] goes down before it goes on, and counts the sessions above', () => {
    const drawn = draw(`${FAMILY}\n s4: a4 > u6@+3h a6\n s5: u7@+4h a7`)
    expect(stepsOf(drawn)).toBe('s1 [u1 a1 u2 a2 u3 a3] s2 [u4 a4] s4 [u6 a6] s3 [u5 a5] s5 [u7 a7]')
    const depths = [...walkTree(drawn.graph)].flatMap(step => (step.kind === 'session' ? [step.depth] : []))
    expect(depths).toEqual([0, 1, 2, 1, 0])
  })

  it('[S1] gives branches and subagents after the line they leave, each with what leaves it', () => {
    const drawn = draw(`
      s1: u1 a1 u2 a2[t1:Task>x] r1[t1>x] a3
      s1/x: u3 a4
      s1: a1 > u4@+30m a5
      s2: a3 > u5@+1h a6`)
    expect(stepsOf(drawn)).toBe('s1 [u1 a1] [u2 a2 r1 a3] [u3 a4] s2 [u5 a6] [u4 a5]')
  })

  it('[S1] gives the tree that holds a session, from its root', () => {
    const drawn = draw(`${FAMILY}\n s5: u7@+4h a7`)
    expect(stepsOf(drawn, { session: sessionId('s3') })).toBe('s1 [u1 a1 u2 a2 u3 a3] s2 [u4 a4] s3 [u5 a5]')
    expect(stepsOf(drawn, { session: sessionId('s5') })).toBe('s5 [u7 a7]')
    expect(stepsOf(drawn, { session: sessionId('nobody') })).toBe('')
  })

  it('[S1] a copied session hangs where it leaves the original, in the order of its own entries', () => {
    expect(stepsOf(draw('s1: u1 a1 u2 a2 / s3: u1 a1 u3@+1h a3 / s2: u1 a1 u4@+1h a4'))).toBe(
      's1 [u1 a1 u2 a2] s3 [u3 a3] s2 [u4 a4]',
    )
  })

  it('[S1] gives every session and every line exactly once, whatever hangs where', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...STYLE_NAMES), (seed, style) => {
        const { files, metas } = generate(seed, { style, actions: 12 })
        const graph = graphOfFiles(files, metas)
        const steps = [...walkTree(graph)]
        const lines = steps.flatMap(step => (step.kind === 'line' ? [step.line.index] : []))
        const sessions = steps.flatMap(step => (step.kind === 'session' ? [step.session.id] : []))
        expect(lines.toSorted((a, b) => a - b)).toEqual(graph.lines().map(({ index }) => index))
        expect(sessions.toSorted()).toEqual(
          graph
            .sessions()
            .map(({ id }) => id)
            .toSorted(),
        )
      }),
    )
  })

  it('[S1] a subagent that hangs nowhere stands with its session', () => {
    expect(stepsOf(draw('s1: u1 a1 / s1/x: u2 a2 / s2: u3@+1h a3'))).toBe('s1 [u1 a1] [u2 a2] s2 [u3 a3]')
  })
})
