/** The model of Claude Code's loader: each case here was first resumed with the real CLI (docs/LAB.md). */

import { describe, expect, it, vi } from 'vitest'
import { compareLoaded } from '../src/faults/examine.js'
import { fileId, parseRow } from '../src/index.js'
import { type EndNotes, loadedBy, NO_SURVEY, type Survey, startSurvey } from '../src/resume/index.js'
import { RELEASES, releaseOf } from '../src/resume/releases.js'
import { editShape } from './edit-support.js'
import { draw } from './support.js'

/** What a resume of a shape loads, as tokens. */
function loads(shape: string, version?: string, survey: Partial<Survey> = {}): string {
  const drawn = draw(shape)
  const options = { ...(version === undefined ? {} : { version }), survey: { ...NO_SURVEY, ...survey } }
  return drawn.say(loadedBy(drawn.graph, fileId('s1.jsonl'), options).nodes)
}

/** What the notes of some rows say of the end. */
function notesOf(rows: readonly string[]): EndNotes {
  const { see, survey } = startSurvey()
  for (const [at, each] of rows.entries())
    parseRow({ row: at + 1, offset: 0, length: each.length, text: each, whole: true }, see)
  const { leafNote, hasEndNote, isByHand, isEmptied } = survey()
  return { leafNote, hasEndNote, isByHand, isEmptied }
}

/** How often uuids are looked up to load one of several files with the same bytes. */
function lookupsAmong(copies: number): number {
  const files = Array.from({ length: copies }, (_, at) => `s${at + 1}: u1 a1 u2 a2 u3 a3`)
  const { graph } = draw(files.join(' / '))
  const id = vi.spyOn(graph, 'id')
  expect(loadedBy(graph, fileId('s1.jsonl')).nodes).toHaveLength(6)
  return id.mock.calls.length
}

it('[D19] looks as often for the parts of an answer however many files have them', () => {
  expect(lookupsAmong(40)).toBe(lookupsAmong(2))
})

describe('the chain', () => {
  it('[D1] goes from the last row up, as the file says', () => {
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > u3 a3')).toBe('u1 a1 u3 a3')
  })

  it('[D17] gets over a missing parent where the entry before is at most five seconds older', () => {
    const near = 's1: u1 a1 / s1: ?9 > u2 a2'
    const at = (gap: string): string => `s1: u1 a1 / s1: ?9 > u2@${gap} a2`
    expect(loads(near)).toBe('u1 a1 u2 a2')
    expect(loads(at('+4s'))).toBe('u1 a1 u2 a2')
    expect(loads(at('+4001ms'))).toBe('u2 a2')
    expect(loads(at('+1h'))).toBe('u2 a2')
    expect(loads(near, '2.1.41')).toBe('u2 a2')
  })

  it('[D17] bridges only to its own kind of chain', () => {
    expect(loads('s1: u1 a1 / s1: ~u3@+1h ~a3 / s1: ?9 > u2 a2')).toBe('u2 a2')
  })

  it('[D17] tells where it broke off', () => {
    const drawn = draw('s1: u1 a1 / s1: ?9 > u2@+1h a2')
    const { stop, nodes } = loadedBy(drawn.graph, fileId('s1.jsonl'))
    expect(stop).toEqual({ node: drawn.node('u2'), why: 'missing' })
    expect(nodes).toHaveLength(2)
  })

  it('[D17] goes on past a cycle, stops at it, or hangs, by release', () => {
    const cycle = 's1: u1 a1 u2<a2 a2 u3 a3'
    expect(loads(cycle)).toBe('u1 a1 u2 a2 u3 a3')
    expect(loads(cycle, '2.1.101')).toBe('u2 a2 u3 a3')
    expect(loads(cycle, '2.0.64')).toBe('')
    expect(loads('s1: u1 a1 u2<u2@+1h a2 u3 a3')).toBe('u2 a2 u3 a3')
  })

  it('[D14] steps over progress where the release knows it, and is cut there where it does not', () => {
    const shape = 's1: u1 a1 p1 u2@+1h a2'
    expect(loads(shape)).toBe('u1 a1 u2 a2')
    expect(loads(shape, '2.1.41')).toBe('u1 a1 u2 a2')
    expect(loads(shape, '2.0.64')).toBe('u2 a2')
    expect(loads('s1: u1 a1 x1 u2@+1h a2')).toBe('u2 a2')
  })

  it('[D14] steps over progress only where it was read before', () => {
    expect(loads('s1: u1 a1 u2<p1@+1h a2 / s1: a1 > p1')).toBe('u2 a2')
    expect(loads('s1: u1 a1 p1 p2 u2@+1h a2')).toBe('u1 a1 u2 a2')
  })
})

describe('the end', () => {
  it('[D21] is the last row, also a hook that hangs on an old entry', () => {
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > h1')).toBe('u1 a1')
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > p1')).toBe('u1 a1 u2 a2')
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > p1', '2.1.41')).toBe('u1 a1')
  })

  it('[D21] is the noted entry where the last row does not lead up to it', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1 > u3 a3'
    const note = (token: string) => ({ leafNote: draw(shape).shape.uuid(token) })
    expect(loads(shape, undefined, note('a2'))).toBe('u1 a1 u2 a2')
    expect(loads(shape, undefined, note('u2'))).toBe('u1 a1 u2')
    expect(loads(shape, undefined, note('a1'))).toBe('u1 a1 u3 a3')
    expect(loads(shape, undefined, { leafNote: '00000000-0000-0000-0000-000000000000' })).toBe('u1 a1 u3 a3')
    expect(loads(shape, '2.1.101', note('a2'))).toBe('u1 a1 u3 a3')
  })

  it('[D21] is the latest entry below a last row that is not the newest, where no end is noted', () => {
    const again = 's1: u1 a1 u2 a2 u3 a3 u2<a1'
    const forked = 's1: u1 a1 u2 a2 / s1: u2 > a4 a5 / s1: u2 > a6@-20s / s1: u2<a1'
    expect(loads(again)).toBe('u1 a1 u2 a2 u3 a3')
    expect(loads(again, '2.1.197')).toBe('u1 a1 u2')
    expect(loads(forked)).toBe('u1 a1 u2 a4 a5')
    const note = { leafNote: draw(again).shape.uuid('u1'), hasEndNote: true }
    expect(loads(again, undefined, note)).toBe('u1 a1 u2')
  })

  it('[D16] is the one end of the file for 2.1.101, whatever row comes last', () => {
    expect(loads('s1: u1 a1 u2 a2 u3 a3 u2<a1', '2.1.101')).toBe('u1 a1 u2 a2 u3 a3')
    expect(loads('s1: u1 a1 u2 a2 / s1: u2 > a4 / s1: u2<a1', '2.1.101')).toBe('u1 a1 u2')
  })

  it('[D21] is not a noted call or result where the last row goes on from another call of the message', () => {
    const beside = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] / s1: r1 > a3'
    const below = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3'
    const together = 's1: u1 a1[t1,t2] r1[t1] / s1: a1 > r2[t2] a3'
    const note = (token: string) => ({ leafNote: draw(below).shape.uuid(token), hasEndNote: true })
    expect(loads(beside, undefined, note('r2'))).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(beside, undefined, note('a2'))).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(below, undefined, note('r1'))).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(together, undefined, note('r1'))).toBe('u1 a1 r1 r2 a3')
    expect(loads(beside, '2.1.197', note('r2'))).toBe('u1 a1 a2 r1 r2')
    const rewound = 's1: u1 a1[t1] r1[t1] a2 / s1: u1 > a3'
    expect(loads(rewound, undefined, note('r1'))).toBe('u1 a1 r1')
  })

  it('[D21] is where the user rewound to, until something is written', () => {
    const shape = 's1: u1 a1 u2 a2'
    const wentBack = { leafNote: draw(shape).shape.uuid('a1'), hasEndNote: true, isByHand: true }
    expect(loads(shape, undefined, wentBack)).toBe('u1 a1')
    expect(loads(shape, undefined, { ...wentBack, isByHand: false })).toBe('u1 a1 u2 a2')
    expect(loads(shape, undefined, { hasEndNote: true, isEmptied: true })).toBe('')
  })

  it('[D21] is not what was noted before a compaction', () => {
    const text = draw('s1: u1 a1 c1 k1').shape.files[0]?.text.trimEnd().split('\n') ?? []
    const noted = JSON.stringify({ type: 'last-prompt', leafUuid: 'x', sessionId: 's1' })
    expect(notesOf([...text, noted]).leafNote).toBe('x')
    expect(notesOf([...text.slice(0, 2), noted, ...text.slice(2)])).toMatchObject({
      leafNote: null,
      hasEndNote: true,
    })
  })

  it('[D21] is by hand while no entry came behind the note', () => {
    const [first = '', second = ''] = draw('s1: u1 a1').shape.files[0]?.text.trimEnd().split('\n') ?? []
    const note = (fields: object): string =>
      JSON.stringify({ type: 'last-prompt', sessionId: 's1', ...fields })
    const back = note({ leafUuid: 'x', explicit: true })
    expect(notesOf([first, back])).toEqual({
      leafNote: 'x',
      hasEndNote: true,
      isByHand: true,
      isEmptied: false,
    })
    expect(notesOf([first, back, note({ leafUuid: 'x' })]).isByHand).toBe(true)
    expect(notesOf([first, back, note({ leafUuid: 'y' })]).isByHand).toBe(false)
    expect(notesOf([first, back, second]).isByHand).toBe(false)
    const emptied = note({ leafUuid: null, explicit: true })
    expect(notesOf([first, back, emptied])).toMatchObject({
      leafNote: null,
      isByHand: false,
      isEmptied: true,
    })
    expect(notesOf([first, emptied, second]).isEmptied).toBe(false)
    expect(notesOf([first, note({})]).hasEndNote).toBe(false)
  })

  it('[D16] is the latest time for releases up to 2.1.41, of several the first', () => {
    const shape = 's1: u1 a1 u2@+1h a2 / s1: a1 > u3@-2h'
    expect(loads(shape)).toBe('u1 a1 u3')
    expect(loads(shape, '2.1.41')).toBe('u1 a1 u2 a2')
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > u3@=u2 a3@=a2', '2.1.41')).toBe('u1 a1 u2 a2')
    expect(loads('s1: u1 a1 u2 a2 / s1: a1 > u3@=u2 a3@=a2')).toBe('u1 a1 u3 a3')
  })

  it('[D21] is nowhere if the last row is a hook on a sidechain', () => {
    expect(loads('s1: u1 a1 ~a2 h1')).toBe('')
    expect(loads('s1: u1 a1 ~a2')).toBe('u1 a1')
  })

  it('[D21] does not count a boundary without a summary', () => {
    expect(loads('s1: u1 a1 c1')).toBe('u1 a1')
    expect(loads('s1: u1 a1 c1', '2.0.64')).toBe('')
  })

  it('[D14] of a row that is written again: the last row counts', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1'
    expect(loads(shape)).toBe('u1 a1 u2 a2')
    expect(loads(shape, '2.1.197')).toBe('u1 a1')
    expect(loads('s1: u1 a1 u2 a2 u3 a3 / s1: u2<-')).toBe('u2 a2 u3 a3')
  })
})

describe('compactions', () => {
  it('[D18] puts kept entries behind the anchor', () => {
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3')).toBe('k1 u2 a2 u3 a3')
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2} k1')).toBe('k1 u2 a2')
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2;c1} k1 u3 a3')).toBe('u2 a2 k1 u3 a3')
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3', '2.0.64')).toBe('k1 u3 a3')
  })

  it('[D18] ends with the one end behind kept entries, whatever hook hangs before it', () => {
    const shape = 's1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3'
    for (const parent of ['k1', 'a1', 'u3'])
      expect(loads(`${shape} / s1: ${parent} > h1`)).toBe('k1 u2 a2 u3 a3')
    expect(loads(`${shape} / s1: k1 > u4 a4 / s1: a3 > h1`)).toBe('k1 u2 a2 u3 a3')
    expect(loads(`${shape} / s1: k1 > u4 a4`)).toBe('k1 u2 a2 u4 a4')
  })

  it('[D18] believes a note behind kept entries where it names an end, or the user rewound', () => {
    const shape = 's1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3 / s1: k1 > u4 a4'
    const note = (token: string) => ({ leafNote: draw(shape).shape.uuid(token), hasEndNote: true })
    expect(loads(shape, undefined, note('a3'))).toBe('k1 u2 a2 u3 a3')
    expect(loads(shape, undefined, note('u3'))).toBe('k1 u2 a2 u4 a4')
    expect(loads(shape, undefined, { ...note('u3'), isByHand: true })).toBe('k1 u2 a2 u3')
  })

  it('[D18] goes on from the last kept entry also where the anchor is missing', () => {
    expect(loads('s1: u1 a1 u2 a2 c1{u2,a2;?9} u3<?9@+1h a3')).toBe('u2 a2 u3 a3')
  })

  it('[D18] forgets all that is kept where one of it is missing', () => {
    expect(loads('s1: u1 a1 u2 a2 c1{u2,?9} k1 u3 a3')).toBe('k1 u3 a3')
  })

  it('[D18] drops what stands before the newest, also where only an earlier one has a list', () => {
    const behind = (list: string): string => `s1: u1 a1 c1${list} k1 u2 a2 c2 k2 u3 a3 / s1: a2 > u4@+1h a4`
    expect(loads(behind('{a1}'))).toBe('u4 a4')
    expect(loads(behind(''))).toBe('k1 u2 a2 u4 a4')
  })

  it('[D18] loads the summary instead of a branch from before it', () => {
    const rewound = 's1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3 / s1: a1 > u4@+1h a4'
    expect(loads(rewound)).toBe('k1 u2 a2 u4 a4')
    expect(loads(rewound, '2.1.101')).toBe('u4 a4')
    expect(loads(rewound, '2.1.41')).toBe('u1 a1 u4 a4')
  })
})

describe('large files', () => {
  /** A note that makes the file larger than 5 MiB. */
  const pad = `s1: ! ${JSON.stringify({ type: 'mode', mode: 'x'.repeat(5_300_000) })}`

  it('[D15] forget what stands before a compaction that kept nothing, since 2.1.101', () => {
    const behind = 's1: u1 a1 c1 k1 u2 a2 / s1: a1 > u3@+1h a3'
    expect(loads(behind)).toBe('u1 a1 u3 a3')
    for (const version of ['2.1.325', '2.1.197', '2.1.101'])
      expect(loads(`${behind} / ${pad}`, version)).toBe('u3 a3')
    expect(loads(`${behind} / ${pad}`, '2.1.41')).toBe('u1 a1 u3 a3')
    const kept = 's1: u1 a1 u2 a2 c1 k1 u3 a3 c2{u2,a2} k2 u4 a4'
    expect(loads(kept)).toBe('k2 u2 a2 u4 a4')
    expect(loads(`${kept} / ${pad}`)).toBe('k2 u4 a4')
  })

  it('[D15] lose what stands beside the line of parents with 2.1.197, unless a parent is missing', () => {
    const parts = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3'
    expect(loads(parts, '2.1.197')).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(`${parts} / ${pad}`, '2.1.197')).toBe('u1 a2 r2 a3')
    expect(loads(`${parts} / ${pad}`)).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(`${parts} / s1: ?9 > u4 a4 / ${pad}`, '2.1.197')).toBe('u1 a1 a2 r1 r2 a3 u4 a4')
  })
})

describe('what is sent', () => {
  it('[D19] puts parts and results beside the chain back, since 2.1.101', () => {
    const shape = 's1: u1 a1[t1] a2[t2]=a1 / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3'
    expect(loads(shape)).toBe('u1 a1 a2 r1 r2 a3')
    expect(loads(shape, '2.1.41')).toBe('u1 a2 r2 a3')
  })

  it('[D19] of history that stands there twice takes the results beside the chain first, up to 2.1.197', () => {
    const twice = 's1: u1 a1[t1] r1[t1] a2 / s1: u2 a3[t1]=a1 r3[t1] a4=a2'
    const note = { leafNote: draw(twice).shape.uuid('a2'), hasEndNote: true }
    expect(loads(twice, '2.1.197', note)).toBe('u1 a1 a3 r3 a2 a4')
    expect(loads(twice, undefined, note)).toBe('u1 a1 a3 r1 a2 a4')
  })

  it('[D19] leaves out calls without a result, but not where the turn was cut off at the end', () => {
    expect(loads('s1: u1 a1[t1] u2 a2')).toBe('u1 u2 a2')
    expect(loads('s1: u1 a1[t1]')).toBe('u1 a1')
    expect(loads('s1: u1 a1[t1]', '2.1.197')).toBe('u1')
  })

  it('[D19] leaves out results without a call, and further results of one', () => {
    expect(loads('s1: u1 a1 r1[t9] a2')).toBe('u1 a1 a2')
    expect(loads('s1: u1 a1 r1[t9] a2', '2.0.64')).toBe('u1 a1 r1 a2')
    expect(loads('s1: u1 a1[t1] r1[t1] r2[t1] a2')).toBe('u1 a1 r1 a2')
  })

  it('[D19] leaves out notices of failed requests, and messages of thinking only', () => {
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
    expect(loadedBy(draw('s1: u1 a1').graph, fileId('none.jsonl')).nodes).toEqual([])
  })
})

describe('resume coverage', () => {
  it('[D2] counts what a resume loads of the conversation, and the conversation', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: ?9 > u3@+1h a3')
    expect(compareLoaded(drawn.graph, fileId('s1.jsonl')).coverage).toMatchObject({ now: 2, possible: 6 })
    expect(compareLoaded(draw('s1: u1 a1').graph, fileId('s1.jsonl')).coverage).toMatchObject({
      now: 2,
      possible: 2,
    })
  })

  it('[D2] does not count as reached what is loaded from another branch', () => {
    const drawn = draw('s1: u1 a1 u2 a2 / s1: a1 > u3 a3')
    const survey = { ...NO_SURVEY, leafNote: drawn.shape.uuid('a2') }
    expect(compareLoaded(drawn.graph, fileId('s1.jsonl'), { survey }).coverage).toEqual({
      now: 2,
      possible: 4,
      more: 2,
    })
  })
})

describe('calls without a result', () => {
  it.each([
    ['are left out before a prompt', 's1: u1 a1[t1] u2 a2', 'u1 u2 a2'],
    ['also where the file ends with an open call', 's1: u1 a1[t1] u2 a2[t2]', 'u1 u2 a2'],
    ['or with a result', 's1: u1 a1[t1] u2 a2[t2] r2[t2]', 'u1 u2 a2 r2'],
    ['those of the last message are answered by the client', 's1: u1 a1[t1,t2]', 'u1 a1'],
    ['not those of a message before it', 's1: u1 a1[t1] a2[t2]', 'u1 a2'],
    [
      'but where the file ends with a result all since the prompt are',
      's1: u1 a1[t1] a2[t2] r2[t2]',
      'u1 a1 a2 r2',
    ],
    ['or with a result before the last call', 's1: u1 a1[t1] a2[t2] r2[t2] a3[t3]', 'u1 a1 a2 r2 a3'],
  ])('[D19] %s', (_, shape, loaded) => {
    expect(loads(shape)).toBe(loaded)
  })
})

describe('entries without a uuid', () => {
  const loadsFile = (shape: string): string => {
    const edited = editShape(shape)
    const survey = edited.surveys.get('s1.jsonl') ?? NO_SURVEY
    const { nodes } = loadedBy(edited.graph, fileId('s1.jsonl'), { survey })
    return edited.shape.say(nodes.map(node => edited.graph.id(node)))
  }

  it.each([
    ['make a missing parent good like any entry', 's1: u1 a1@+1m+{"uuid":null} u2 a2', 'u1 u2 a2'],
    [
      'are one to the loader: the last of them counts',
      's1: u1 a1 / s1: u1 > a2@+1m+{"uuid":null} / s1: a1 > a3@+2m+{"uuid":null} u2 a4',
      'u1 a1 u2 a4',
    ],
    ['can be the end', 's1: u1 a1 / s1: u1 > a2 / s1: a1 > u2+{"uuid":null}', 'u1 a1'],
    ['answer calls', 's1: u1 a1[t1] r1[t1]+{"uuid":null} a2 u2 a3', 'u1 a1 a2 u2 a3'],
    ['call tools', 's1: u1 a1[t1]+{"uuid":null} r1[t1] a2 u2 a3', 'u1 r1 a2 u2 a3'],
    ['cut the conversation as boundaries', 's1: u1 a1 c1+{"uuid":null} k1 u2 a2', 'k1 u2 a2'],
  ])('[D1] %s', (_, shape, loaded) => {
    expect(loadsFile(shape)).toBe(loaded)
  })
})
