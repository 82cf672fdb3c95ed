/** The model of Claude Code's loader: each case here was first resumed with the real CLI (docs/LAB.md). */
import { describe, expect, it } from 'vitest'
import {
  type FileExtras,
  gatherExtras,
  loadedBy,
  NO_EXTRAS,
  parseRow,
  RELEASES,
  reachOf,
  releaseOf,
} from '../src/index.js'
import { draw } from './support.js'

/** What a resume of a shape loads, as tokens. */
function loads(shape: string, version?: string, extras: Partial<FileExtras> = {}): string {
  const drawn = draw(shape)
  const options = { ...(version === undefined ? {} : { version }), extras: { ...NO_EXTRAS, ...extras } }
  return drawn.say(loadedBy(drawn.graph, 's1.jsonl', options).nodes)
}

describe('the chain', () => {
  it('[D1] goes from the last row up, as the file says', () => {
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > u3 a3')).toBe('u1 a1 u3 a3')
  })

  it('[D1] gets over a missing parent where the entry before is less than five seconds older', () => {
    const near = 's1: u1 a1 / s1: ?9 > u2 a2'
    const far = 's1: u1 a1 / s1: ?9 > u2@+1h a2'
    expect(loads(near)).toBe('u1 a1 u2 a2')
    expect(loads(far)).toBe('u2 a2')
    expect(loads(near, '2.1.41')).toBe('u2 a2')
  })

  it('[D1] bridges only to its own kind of chain', () => {
    expect(loads('s1: u1 a1 / s1: ~u3@+1h ~a3 / s1: ?9 > u2 a2')).toBe('u2 a2')
  })

  it('[D1] tells where it broke off', () => {
    const drawn = draw('s1: u1 a1 / s1: ?9 > u2@+1h a2')
    const { stop, nodes } = loadedBy(drawn.graph, 's1.jsonl')
    expect(stop).toEqual({ node: drawn.node('u2'), why: 'missing' })
    expect(nodes).toHaveLength(2)
  })

  it('[D1] makes a circle good, stops at it, or hangs, by release', () => {
    const circle = 's1: u1 a1 u2<a2 a2 u3 a3'
    expect(loads(circle)).toBe('u1 a1 u2 a2 u3 a3')
    expect(loads(circle, '2.1.101')).toBe('u2 a2 u3 a3')
    expect(loads(circle, '2.0.64')).toBe('')
    expect(loads('s1: u1 a1 u2<u2@+1h a2 u3 a3')).toBe('u2 a2 u3 a3')
  })

  it('[D1] steps over progress where the release knows it, and is cut there where it does not', () => {
    const shape = 's1: u1 a1 p1 u2@+1h a2'
    expect(loads(shape)).toBe('u1 a1 u2 a2')
    expect(loads(shape, '2.1.41')).toBe('u1 a1 u2 a2')
    expect(loads(shape, '2.0.64')).toBe('u2 a2')
    expect(loads('s1: u1 a1 x1 u2@+1h a2')).toBe('u2 a2')
  })
})

describe('the end', () => {
  it('[D1] is the last row, also a hook that hangs on an old entry', () => {
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > h1')).toBe('u1 a1')
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > p1')).toBe('u1 a1 u2 a2')
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > p1', '2.1.41')).toBe('u1 a1')
  })

  it('[D1] is the noted entry where the last row does not lead up to it', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1 > u3 a3'
    const note = (token: string) => ({ leafNote: draw(shape).shape.uuid(token) })
    expect(loads(shape, undefined, note('a2'))).toBe('u1 a1 u2 a2')
    expect(loads(shape, undefined, note('u2'))).toBe('u1 a1 u2')
    expect(loads(shape, undefined, note('a1'))).toBe('u1 a1 u3 a3')
    expect(loads(shape, undefined, { leafNote: '00000000-0000-0000-0000-000000000000' })).toBe('u1 a1 u3 a3')
    expect(loads(shape, '2.1.101', note('a2'))).toBe('u1 a1 u3 a3')
  })

  it('[D1] goes down from a last row that others hang on, where its branch has one end', () => {
    const again = 's1: u1 a1 u2 a2 u3 a3 u2<a1'
    expect(loads(again)).toBe('u1 a1 u2 a2 u3 a3')
    expect(loads(again, '2.1.197')).toBe('u1 a1 u2')
    expect(loads('s1: u1 a1 u2 a2 / s1: u2 > a4 / s1: u2<a1')).toBe('u1 a1 u2')
  })

  it('[D1] is not what was noted before a compaction', () => {
    const text = draw('s1: u1 a1 c1 k1').shape.files[0]?.text.trimEnd().split('\n') ?? []
    const noted = JSON.stringify({ type: 'last-prompt', leafUuid: 'x', sessionId: 's1' })
    const leafAfter = (rows: readonly string[]): string | null => {
      const { see, extras } = gatherExtras()
      for (const [at, each] of rows.entries())
        parseRow({ row: at + 1, offset: 0, length: each.length, text: each, whole: true }, see)
      return extras(null).leafNote
    }
    expect(leafAfter([...text, noted])).toBe('x')
    expect(leafAfter([...text.slice(0, 2), noted, ...text.slice(2)])).toBeNull()
  })

  it('[D1] is the latest time for releases up to 2.1.41', () => {
    const shape = 's1: u1 a1 u2@+1h a2 / s1: a1 > u3@-2h'
    expect(loads(shape)).toBe('u1 a1 u3')
    expect(loads(shape, '2.1.41')).toBe('u1 a1 u2 a2')
  })

  it('[D1] is no boundary without a summary', () => {
    expect(loads('s1: u1 a1 c1')).toBe('u1 a1')
    expect(loads('s1: u1 a1 c1', '2.0.64')).toBe('')
  })

  it('[D1] of a row that is written again: the last row counts', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1'
    expect(loads(shape)).toBe('u1 a1 u2 a2')
    expect(loads(shape, '2.1.197')).toBe('u1 a1')
    expect(loads('s1: u1 a1 u2 a2 u3 a3 / s1: u2<-')).toBe('u2 a2 u3 a3')
  })
})

describe('compactions', () => {
  it('[D1] puts kept entries behind the anchor', () => {
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3')).toBe('k1 u2 a2 u3 a3')
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2} k1')).toBe('k1 u2 a2')
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2;c1} k1 u3 a3')).toBe('u2 a2 k1 u3 a3')
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3', '2.0.64')).toBe('k1 u3 a3')
  })

  it('[D1] forgets all that is kept where one of it is missing', () => {
    expect(loads('s1: u1 a1 u2 a2 c1{u2,?9} k1 u3 a3')).toBe('k1 u3 a3')
  })

  it('[D1] drops what stands before the newest, also where only an earlier one has a list', () => {
    const behind = (list: string): string => `s1: u1 a1 c1${list} k1 u2 a2 c2 k2 u3 a3 / s1: a2 > u4@+1h a4`
    expect(loads(behind('{a1}'))).toBe('u4 a4')
    expect(loads(behind(''))).toBe('k1 u2 a2 u4 a4')
  })

  it('[D1] loads the summary instead of a branch from before it', () => {
    const rewound = 's1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3 / s1: a1 > u4@+1h a4'
    expect(loads(rewound)).toBe('k1 u2 a2 u4 a4')
    expect(loads(rewound, '2.1.101')).toBe('u4 a4')
    expect(loads(rewound, '2.1.41')).toBe('u1 a1 u4 a4')
  })
})

describe('what is sent', () => {
  it('[D1] puts parts and results beside the chain back, since 2.1.101', () => {
    const shape = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3'
    expect(loads(shape)).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(shape, '2.1.41')).toBe('u1 a2 r2 a3')
  })

  it('[D1] leaves out calls without a result, but not where the turn was cut off at the end', () => {
    expect(loads('s1: u1 a1[t1] u2 a2')).toBe('u1 u2 a2')
    expect(loads('s1: u1 a1[t1]')).toBe('u1 a1')
    expect(loads('s1: u1 a1[t1]', '2.1.197')).toBe('u1')
  })

  it('[D1] leaves out results without a call, and further results of one', () => {
    expect(loads('s1: u1 a1 r1[t9] a2')).toBe('u1 a1 a2')
    expect(loads('s1: u1 a1 r1[t9] a2', '2.0.64')).toBe('u1 a1 r1 a2')
    expect(loads('s1: u1 a1[t1] r1[t1] r2[t1] a2')).toBe('u1 a1 r1 a2')
  })

  it('[D1] leaves out notices of failed requests, and messages of thinking only', () => {
    expect(loads('s1: u1 a1 u2 e1 u3 a3')).toBe('u1 a1 u2 u3 a3')
    expect(loads('s1: u1 a1 u2 e1 u3 a3', '1.0.66')).toBe('u1 a1 u2 e1 u3 a3')
    expect(loads('s1: u1 a1 d1 u2 a2')).toBe('u1 a1 u2 a2')
    expect(loads('s1: u1 d1 a1=d1 u2 a2')).toBe('u1 d1 a1 u2 a2')
    expect(loads('s1: u1 a1 d1 u2 a2', '2.0.64')).toBe('u1 a1 d1 u2 a2')
  })
})

describe('releases', () => {
  it('[D1] a version loads as the newest release that was tried and is not newer', () => {
    expect(releaseOf('2.1.400').version).toBe('2.1.325')
    expect(releaseOf('2.1.196').version).toBe('2.1.101')
    expect(releaseOf('0.2.1').version).toBe(RELEASES.at(-1)?.version)
  })

  it('[D1] a file that is not there loads nothing', () => {
    expect(loadedBy(draw('s1: u1 a1').graph, 'none.jsonl').nodes).toEqual([])
  })
})

describe('reach', () => {
  it('[D2] counts what a resume loads of the conversation, and the conversation', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: ?9 > u3@+1h a3')
    expect(reachOf(drawn.graph, 's1.jsonl')).toEqual({ now: 2, possible: 6 })
    expect(reachOf(draw('s1: u1 a1').graph, 's1.jsonl')).toEqual({ now: 2, possible: 2 })
  })

  it('[D2] does not count as reached what is loaded from another branch', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3')
    const extras = new Map([['s1.jsonl', { ...NO_EXTRAS, leafNote: drawn.shape.uuid('a2') }]])
    expect(reachOf(drawn.graph, 's1.jsonl', { extras })).toEqual({ now: 2, possible: 4 })
  })
})
