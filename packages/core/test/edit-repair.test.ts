/** E13, E14: a repair is held against what a resume loads, of the file as it is and of the file as it would be. */

import { type CorruptedSession, corruptOnce, createRng, expandShape, sessionTexts } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { planCheckout } from '../src/edit/index.js'
import { fileId } from '../src/index.js'
import { loadedBy, NEWEST_VERSION } from '../src/resume/index.js'
import {
  type Editable,
  editable,
  editShape,
  type HeldRepair,
  MAKE,
  repairThatHolds,
  resultOf,
} from './edit-support.js'

const SOURCES = sessionTexts('fixtures/recordings')

describe('a repair', () => {
  it.each([
    ['a call', 's1: u1 a1 u2 a2[t1]'],
    ['one of two calls', 's1: u1 a1 u2 a2[t1] a3=a2[t2] / s1: a2 > r1[t1]'],
    [
      'a thought and a call',
      's1: u1 a1 u2 d1+{"message":{"content":[{"type":"thinking","thinking":"","signature":"s"}]}} a2=d1[t1]',
    ],
  ])('[E15] leaves %s without a result at the end of a file to the client', (_, shape) => {
    expect(repairThatHolds(editShape(shape), 's1.jsonl')).toBeNull()
  })

  it('[E15] keeps an open call at the end where it mends something else', () => {
    const edited = editShape('s1: u1 a1 u2<?9 a2[t1]')
    expect(wordsOf(edited, 's1.jsonl')).toBe('u1 a1 u2 a2')
  })

  it('[E13] brings back what hangs on an entry of a type that nobody knows', () => {
    const edited = editShape('s1: u1 a1 x1@+1h u2 a2')
    expect(loadedWords(edited, 's1.jsonl')).toBe('u2 a2')
    expect(wordsOf(edited, 's1.jsonl')).toBe('u1 a1 u2 a2')
  })

  it('[E13] gives an entry the role of its type', () => {
    const edited = editShape('s1: u1 a1+{"message":{"role":"user"}} u2 a2')
    const repair = repairThatHolds(edited, 's1.jsonl')
    expect(held(repair).plan.changes.map(({ what }) => what)).toEqual(['wrong-role'])
    expect(held(repair).result.rows[1]).toMatchObject({ type: 'assistant', message: { role: 'assistant' } })
  })

  it('[E13] gives answers a message id each where they have none', () => {
    const bare = (n: number): string => `+{"requestId":"r${n}","message":{"id":null}}`
    const edited = editShape(`s1: u1 a1[t1]${bare(1)} r1[t1] a2${bare(2)} u2 a3${bare(3)}`)
    expect(loadedWords(edited, 's1.jsonl')).toBe('u1 a1 a2 a3 r1 u2')
    expect(held(repairThatHolds(edited, 's1.jsonl')).plan.changes.map(({ what }) => what)).toEqual([
      'no-message-id',
    ])
    expect(wordsOf(edited, 's1.jsonl')).toBe('u1 a1 r1 a2 u2 a3')
    expect(edited.loaded(planCheckout(edited, edited.node('a3'), MAKE), NEWEST_VERSION)).toBe(
      'u1 a1 r1 a2 u2 a3',
    )
  })

  it('[E13] keeps what stays before a compaction that summarized only what follows it', () => {
    const edited = editShape(
      's1: u1 a1 u2 a2 u3 a3 c1^a1+{"compactMetadata":{"messagesSummarized":4}} k1 u4 a4',
    )
    expect(loadedWords(edited, 's1.jsonl')).toBe('k1 u4 a4')
    expect(wordsOf(edited, 's1.jsonl')).toBe('u1 a1 k1 u4 a4')
    expect(edited.loaded(planCheckout(edited, edited.node('a4'), MAKE), NEWEST_VERSION)).toBe(
      'u1 a1 k1 u4 a4',
    )
  })

  it('[E14] keeps a history that a resume loads today though the boundary of its compaction is gone', () => {
    const edited = editShape('s1: u1 a1 u2 a2 k1<?9 u3 a3')
    expect(loadedWords(edited, 's1.jsonl')).toBe('u1 a1 u2 a2 k1 u3 a3')
    const repair = repairThatHolds(edited, 's1.jsonl')
    if (repair !== null) expect(wordsOf(edited, 's1.jsonl')).toBe('u1 a1 u2 a2 k1 u3 a3')
  })
})

it('[E3] a checkout leaves out calls before a prompt that only their own process sent without results', () => {
  const found = SOURCES.find(({ name }) => name === 'random-2.0.50/9128')
  const edited = editable([{ path: 's1.jsonl', text: found?.text ?? '' }])
  const live = edited.graph.live(fileId('s1.jsonl'))
  const faults = live.map(node => {
    const plan = planCheckout(edited, node, MAKE)
    return typeof plan === 'string' ? plan : resultOf(edited, plan).fault
  })
  expect(live.length).toBeGreaterThan(20)
  expect(faults.filter(fault => fault !== null)).toEqual([])
})

describe('what is loaded today', () => {
  it('[E14] may be summed up by the compaction that the conversation goes on behind', () => {
    const edited = editShape('s1: u1 a1 u2 a2 c1 k1<c1 u3@+1m a3 / s1: a1')
    expect(loadedWords(edited, 's1.jsonl')).toBe('u1 a1 u2 a2')
    expect(wordsOf(edited, 's1.jsonl')).toBe('k1 u3 a3')
  })

  it('[E14] is where the summary of a compaction without its boundary goes on from', () => {
    const edited = editShape('s1: u1 a1 u2 a2 k1<?9 u3 a3 / s1: a1')
    expect(wordsOf(edited, 's1.jsonl')).toBe('u1 a1 u2 a2 k1 u3 a3')
  })

  it('[E14] stays where the user has to choose between it and the conversation', () => {
    const shape = 's1: u1 a1 u2 a2 / s1: a1 > u3@+1h a3<?9'
    const note = '{"type":"last-prompt","lastPrompt":"x","leafUuid":"LEAF","sessionId":"s1"}'
    const { files, uuid } = expandShape(shape)
    const text = `${files[0]?.text ?? ''}${note.replace('LEAF', uuid('a2'))}\n`
    const source = editable([{ path: 's1.jsonl', text }])
    expect(repairThatHolds(source, 's1.jsonl')).toContain('no longer load 2 of the 4 entries')
  })
})

describe('what a repair promises', () => {
  it.each([
    ['first half written again'],
    ['two blocks of rows swapped'],
    ['boundary gone'],
    ['summary gone'],
    ['parent field absent'],
    ['unknown type in the chain'],
    ['message ids gone'],
    ['boundary gone', 'prompt of no characters'],
  ])('[E13] [E14] is what a resume loads: %s %s', { timeout: 60_000 }, (...kinds) => {
    for (const source of SOURCES.filter((_, nth) => nth % 3 === 0)) {
      const corrupt = (text: string | null, kind: string): string | null =>
        text === null ? null : corruptOnce(text, kind, createRng(7))
      const text = kinds.reduce(corrupt, source.text)
      if (text !== null) judge({ ...source, text, kinds, seed: 7, original: source.text })
    }
  })

  it('[E14] does not hold where less would be loaded than today, and says how much', () => {
    const source = SOURCES.find(({ name }) => name === '2.1.325/s19_image')
    const text = corruptOnce(source?.text ?? '', 'stray prompt on the first answer', createRng(1)) ?? ''
    expect(repairThatHolds(editable([{ path: 's1.jsonl', text }]), 's1.jsonl')).toContain(
      'a resume would no longer load 4 of the 7 entries that it loads today',
    )
  })
})

/** What is held against a corrupted session: nothing is lost in silence, and a fresh reading loads what was promised. */
function judge({ session, text, kinds, seed }: CorruptedSession): void {
  const path = `${session}.jsonl`
  const source = editable([{ path, text }])
  const repair = repairThatHolds(source, path)
  const label = `seed ${seed}: ${kinds.join(', ')}`
  if (repair === null) return
  if (typeof repair === 'string') {
    expect(repair, label).toMatch(/no longer load|would lose/)
    return
  }
  expect(repair.result.gone, label).toEqual([])
  const again = editable([{ path: `${repair.plan.session}.jsonl`, text: repair.result.text }])
  expect(loadedIds(again, `${repair.plan.session}.jsonl`), label).toEqual(repair.result.live)
}

function loadedIds(source: Editable, path: string): readonly string[] {
  const survey = source.surveys.get(path)
  const { nodes } = loadedBy(source.graph, fileId(path), survey === undefined ? {} : { survey })
  return nodes.map(node => source.graph.id(node))
}

function loadedWords(edited: ReturnType<typeof editShape>, path: string): string {
  return edited.shape.say(loadedIds(edited, path))
}

/** What a resume loads of the repaired session, in tokens. */
function wordsOf(edited: ReturnType<typeof editShape>, path: string): string {
  const { plan } = held(repairThatHolds(edited, path))
  return edited.loaded(plan, '2.1.325')
}

function held(repair: HeldRepair | string | null): HeldRepair {
  if (repair === null || typeof repair === 'string') throw new Error(String(repair))
  return repair
}
