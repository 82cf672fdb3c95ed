import { describe, expect, it } from 'vitest'
import { epochLabel, fileId } from '../src/index.js'
import { diagnosticsOf, expectFork, lostIn } from './checks.js'
import { type Drawn, draw } from './support.js'

const prelude = '+{"type":"compact_prelude"}'
const recap = '+{"type":"compact_recap"}'

function epochs(d: Drawn): readonly string[] {
  return d.graph.epochs().map(({ boundary, summary, preserved }) => {
    const at = summary === null ? '-' : d.say([summary])
    return `${d.say([boundary])} ${at} {${d.say(preserved)}}`
  })
}

describe('the boundary', () => {
  it.each([
    ['its logical parent', 's1: u1 a1 u2 a2 c1 k1 u3 a3', 'u1 a1 u2 a2 c1 k1 u3 a3'],
    [
      'a logical parent that is not the row before',
      's1: u1 a1 h1 s9 c1^a1 k1 u2 a2',
      'u1 a1 c1 k1 u2 a2 h1 s9',
    ],
    [
      'a preserved node, where the logical parent is nowhere',
      's1: u1 a1 u2 a2 c1^?9{u2,a2} k1 u3 a3',
      'u1 a1 u2 a2 c1 k1 u3 a3',
    ],
    ['the last line before it, where nothing is named', 's1: u1 a1 c1^- k1 u2 a2', 'u1 a1 c1 k1 u2 a2'],
    [
      'the last line before it, where the logical parent is nowhere',
      's1: u1 a1 c1^?9 k1 u2 a2',
      'u1 a1 c1 k1 u2 a2',
    ],
    ['a summary without a boundary (1.0.x)', 's1: u1 a1 / s1: k1 u2 a2', 'u1 a1 k1 u2 a2'],
    ['two compactions', 's1: u1 a1 c1 k1 u2 a2 c2 k2 u3 a3', 'u1 a1 c1 k1 u2 a2 c2 k2 u3 a3'],
    ['attachments between boundary and summary', 's1: u1 a1 c1 f1<c1 h1 k1 u2 a2', 'u1 a1 c1 f1 h1 k1 u2 a2'],
  ])('[C1] continues the line of %s', (_, shape, trunk) => {
    const d = draw(shape)
    expect(d.trunk().split(' ').sort()).toEqual(trunk.split(' ').sort())
    expect(d.branches()).toEqual([])
    if (!shape.includes('h1 s9')) expect(d.trunk()).toBe(trunk)
    expect(d.graph.node(d.node(shape.includes('c1') ? 'c1' : 'k1')).parent).toBeNull()
  })

  it('[C1] a broken logical parent is told, and what was taken instead', () => {
    const d = draw('s1: u1 a1 c1^?9 k1 u2 a2')
    expect(diagnosticsOf(d)).toEqual(['dag/broken-compaction warning c1'])
    expect(d.graph.diagnostics()[0]?.message).toContain(d.shape.uuid('?9'))
  })

  it('[C1] preserved nodes that do not exist are told', () => {
    const d = draw('s1: u1 a1 c1{?8,a1} k1 u2 a2')
    expect(diagnosticsOf(d)).toEqual(['dag/broken-compaction warning c1'])
    expect(d.live()).toBe('k1 a1 u2 a2')
  })

  it.each([
    ['/compact, nothing kept', 's1: u1 a1 c1 k1 u2 a2', 'k1 u2 a2'],
    ['/compact, the last answer kept', 's1: u1 a1 u2 a2 c1{a2} k1 u3 a3', 'k1 a2 u3 a3'],
    ['automatic, in mid turn: call and result kept', 's1: u1 a1[t1] r1[t1] c1{a1,r1} k1 a2', 'k1 a1 r1 a2'],
    [
      'summarise up to here: a long tail kept',
      's1: u1 a1 u2 a2 u3 a3 c1{u2,a2,u3,a3} k1 u4 a4',
      'k1 u2 a2 u3 a3 u4 a4',
    ],
    [
      'summarise from here: the boundary is the anchor',
      's1: u1 a1 u2 a2 c1{u1,a1;c1} k1 u3 a3',
      'u1 a1 k1 u3 a3',
    ],
    ['summarise from here at the first prompt', 's1: u1 a1 c1^- k1 u2 a2', 'k1 u2 a2'],
    [
      'in the order given, not that of the rows',
      's1: u1 a1 u2 a2 c1{u2,a2,u1,a1} k1 u3',
      'k1 u2 a2 u1 a1 u3',
    ],
    ['the second of two counts', 's1: u1 a1 c1{a1} k1 u2 a2 c2{a2} k2 u3 a3', 'k2 a2 u3 a3'],
    ['the summary of another one as anchor', 's1: u1 a1 c1{a1} k1 u2 a2 c2{a2;k1} k2 u3 a3', 'k2 u3 a3'],
    ['kept twice', 's1: u1 a1 u2 a2 c1{a2} k1 c2{a2} k2 u3 a3', 'k2 a2 u3 a3'],
    ['right after it, nothing typed yet', 's1: u1 a1 u2 a2 c1{u2,a2} k1', 'k1 u2 a2'],
    ['/compact echo behind the summary', 's1: u1 a1 c1{a1} k1 m1@-5s l1 o1 u2 a2', 'k1 a1 m1 l1 o1 u2 a2'],
    ['1.0.x, a summary without a boundary', 's1: u1 a1 / s1: k1 u2 a2', 'k1 u2 a2'],
  ])('[C2] live after %s', (_, shape, live) => {
    const d = draw(shape)
    expect(d.live()).toBe(live)
    expect(d.branches()).toEqual([])
    expect(lostIn(d.graph)).toEqual([])
  })

  it('[C2] kept nodes stay where they are in the full view', () => {
    expect(draw('s1: u1 a1 u2 a2 c1{u2,a2} k1 u3 a3').trunk()).toBe('u1 a1 u2 a2 c1 k1 u3 a3')
  })

  it('[C2] a part that was summarized without naming what stays: all up to the logical parent does (2.1.55, 2.1.75)', () => {
    const d = draw('s1: u1 a1 u2 a2 u3 a3 c1^a1+{"compactMetadata":{"messagesSummarized":4}} k1 u4 a4')
    expect(d.live()).toBe('u1 a1 k1 u4 a4')
    expect(d.trunk()).toBe('u1 a1 u2 a2 u3 a3 c1 k1 u4 a4')
    expect(d.branches()).toEqual([])
  })

  it('[C2] a preserved segment names only its ends: the chain between them is kept', () => {
    const segment =
      '{"compactMetadata":{"preservedSegment":{"headUuid":"@{u2}","anchorUuid":"@{k1}","tailUuid":"@{a3}"}}}'
    const d = draw(`s1: u1 a1 u2 a2 u3 a3 c1+${segment} k1 u4 a4`)
    expect(d.live()).toBe('k1 u2 a2 u3 a3 u4 a4')
    expect(epochs(d)).toEqual(['c1 k1 {u2 a2 u3 a3}'])
  })

  it('[C2] kept parallel calls come back whole and in order', () => {
    const d = draw('s1: u1 a1[t1] a2=a1[t2] / s1: a2 > r2[t2] / s1: a1 > r1[t1] c1{a1,a2,r2,r1} k1 a3')
    expect(d.live()).toBe('k1 a1 a2 r2 r1 a3')
  })

  it.each([
    [
      'the preserved tail',
      's1: u1 a1 u2 a2 c1{u2,a2} k1 / s1: a2 > m1 l1 o1 u3 a3',
      'k1 u2 a2 m1 l1 o1 u3 a3',
      'u1 a1 u2 a2 c1 k1 m1 l1 o1 u3 a3',
    ],
    [
      'an earlier preserved node: what was kept after it is not live',
      's1: u1 a1 u2 a2 u3 a3 c1{u2,a2,u3,a3} k1 / s1: a2 > u4 a4',
      'k1 u2 a2 u4 a4',
      'u1 a1 u2 a2 u3 a3 c1 k1 u4 a4',
    ],
  ])('[L3] [C2] a node behind a boundary that hangs on %s goes on at the anchor', (_, shape, live, trunk) => {
    const d = draw(shape)
    expect(d.live()).toBe(live)
    expect(d.trunk()).toBe(trunk)
    expect(d.branches()).toEqual([])
  })
})

describe('landmarks', () => {
  const labelled = (metadata: string): string =>
    draw(`s1: u1 a1 c1+{"compactMetadata":${metadata}} k1`).graph.epochs().map(epochLabel).join()

  it.each([
    [
      '{"trigger":"auto","preTokens":155000,"postTokens":4200}',
      'Conversation compacted (155k -> 4.2k tokens, auto)',
    ],
    [
      '{"trigger":"manual","preTokens":"155000","postTokens":null}',
      'Conversation compacted (155k tokens, manual)',
    ],
    ['{"trigger":"manual","preTokens":900,"postTokens":null}', 'Conversation compacted (900 tokens, manual)'],
    ['{"trigger":null,"preTokens":null,"postTokens":null}', 'Conversation compacted'],
    ['{"trigger":7,"preTokens":"many","postTokens":{}}', 'Conversation compacted'],
    ['{"trigger":"auto","preTokens":0,"postTokens":0,"durationMs":0}', 'Conversation compacted (auto)'],
    ['{"trigger":null,"preTokens":0,"postTokens":4000}', 'Conversation compacted'],
    ['{"trigger":null,"preTokens":155000,"postTokens":0}', 'Conversation compacted (155k tokens)'],
    [
      '{"trigger":"auto","preTokens":155000,"postTokens":4200,"durationMs":45210}',
      'Conversation compacted (155k -> 4.2k tokens, auto, 45.2 s)',
    ],
    ['{"trigger":"manual","preTokens":null,"durationMs":125000}', 'Conversation compacted (manual, 2m 05s)'],
    ['{"trigger":null,"preTokens":null,"durationMs":640}', 'Conversation compacted (640 ms)'],
    ['{"trigger":null,"preTokens":null,"durationMs":"long"}', 'Conversation compacted'],
  ])('[C3] the label of %s', (metadata, label) => {
    expect(labelled(metadata)).toBe(label)
  })

  it('[C3] one landmark per compaction, in order, with its time', () => {
    const d = draw('s1: u1 a1 c1{a1} k1 u2 a2 c2 k2 / s2: u5@+1h a5')
    expect(epochs(d)).toEqual(['c1 k1 {a1}', 'c2 k2 {}'])
    expect(d.graph.epochs().map(({ boundary }) => d.graph.node(boundary).time)).not.toContain(null)
    expect(draw('s1: u1 a1').graph.epochs()).toEqual([])
  })

  it('[C3] a summary without a boundary is a landmark too (1.0.x)', () => {
    expect(epochs(draw('s1: u1 a1 / s1: k1 u2 a2'))).toEqual(['k1 k1 {}'])
  })

  it('[C3] a summary that belongs to a boundary is not a second landmark, even as a root', () => {
    expect(epochs(draw('s1: u1 a1 c1 / s1: k1 u2 a2'))).toEqual(['c1 k1 {}'])
  })

  it('[C4] the label says that a compaction was not finished', () => {
    const d = draw('s1: u1 a1 c1 / s1: a1 > u2 a2')
    expect(d.graph.epochs().map(epochLabel)).toEqual(['Compaction not finished (100k -> 4k tokens, manual)'])
  })

  it.each([
    ['entries behind the boundary', 's1: u1 a1 c1{a2} k1 u2 a2', 'k1 u2 a2'],
    ['the boundary and the summary themselves', 's1: u1 a1 c1{a2,c1,k1} k1 u2 a2 u3 a3', 'k1 u2 a2 u3 a3'],
    ['entries before and behind it', 's1: u1 a1 c1{a1,u2} k1 u2 a2', 'k1 a1 u2 a2'],
  ])('[C4] a boundary that names %s as kept moves nothing that follows it', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it('[C4] a boundary without a summary: the conversation ends at the last valid message', () => {
    const d = draw('s1: u1 a1 c1')
    expect(d.live()).toBe('u1 a1')
    expect(diagnosticsOf(d)).toEqual(['dag/unfinished-compaction warning c1'])
  })

  it.each([
    ['on the last message', 's1: u1 a1 c1 / s1: a1 > u2 a2', 'u1 a1 u2 a2'],
    ['as a further root', 's1: u1 a1 c1^- f1 / s1: a1 > u2 a2', 'u1 a1 u2 a2'],
  ])('[C4] an unfinished compaction does not swallow a conversation that goes on %s', (_, shape, live) => {
    const d = draw(shape)
    expect(d.live()).toBe(live)
    expect(diagnosticsOf(d)).toEqual(['dag/unfinished-compaction warning c1'])
    expect(lostIn(d.graph)).toEqual([])
  })
})

describe('compactions and rewinds', () => {
  it('[C5] a compaction after a rewind stays on its branch', () => {
    expectFork('s1: u1 a1 u2 a2 / s1: a1 > u3 a3 c1 k1 u4 a4', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u3',
      trunk: 'u1 a1',
      branches: ['u2 a2 (abandoned)', 'u3 a3 c1 k1 u4 a4 (live)'],
      live: 'k1 u4 a4',
    })
  })

  it('[C5] a rewind to behind a compaction leaves the boundary abandoned', () => {
    expectFork('s1: u1 a1 u2 a2 c1{a2} k1 u3 a3 / s1: a1 > u4 a4', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u4',
      trunk: 'u1 a1',
      branches: ['u2 a2 c1 k1 u3 a3 (abandoned)', 'u4 a4 (live)'],
      live: 'u1 a1 u4 a4',
    })
  })

  it('[C5] a rewind within the epoch behind a compaction', () => {
    expectFork('s1: u1 a1 c1{a1} k1 u2 a2 u3 a3 / s1: a2 > u4 a4', {
      at: 'a2',
      verdict: 'F12 rewind: u3 u4',
      trunk: 'u1 a1 c1 k1 u2 a2',
      branches: ['u3 a3 (abandoned)', 'u4 a4 (live)'],
      live: 'k1 a1 u2 a2 u4 a4',
    })
  })

  it('[C5] two compactions, then a rewind to behind both', () => {
    expectFork('s1: u1 a1 u2 a2 c1 k1 u3 a3 c2 k2 u4 a4 / s1: a1 > u5 a5', {
      at: 'a1',
      verdict: 'F12 rewind: u2 u5',
      trunk: 'u1 a1',
      branches: ['u2 a2 c1 k1 u3 a3 c2 k2 u4 a4 (abandoned)', 'u5 a5 (live)'],
      live: 'u1 a1 u5 a5',
    })
  })

  it('[A8] a compaction inside an agent file follows the same rules', () => {
    const d = draw('s1: u1 a1[t1:Task] r1[t1>x] / s1/x: u5 a5 u6 a6 c1{a6} k1 u7 a7')
    expect(d.branches()).toEqual(['agent u5 a5 u6 a6 c1 k1 u7 a7 (live)'])
    expect(d.live('s1/subagents/agent-x.jsonl')).toBe('k1 a6 u7 a7')
    expect(d.live()).toBe('u1 a1 r1')
  })
})

describe('the described vocabulary', () => {
  it('[P3] [C1] prelude and recap give the lines of boundary and summary', () => {
    const d = draw(`s1: u1 a1 c1${prelude} k1${recap} u2 a2`)
    expect(d.trunk()).toBe('u1 a1 c1 k1 u2 a2')
    expect(epochs(d)).toEqual(['c1 k1 {}'])
    expect(diagnosticsOf(d)).toEqual([])
  })

  it('[P3] [C1] as they are described: a prelude that names no predecessor, both as messages', () => {
    const row = (type: string, token: string, parent: string, text: string): string =>
      `s1: ! {"type":"${type}","uuid":"@{${token}}","parentUuid":${parent},"sessionId":"s1","timestamp":"2026-01-01T10:00:05Z","message":{"content":"${text}"}}`
    const d = draw(
      `s1: u1 a1\n${row('compact_prelude', 'c1', 'null', 'Preserved')}\n${row('compact_recap', 'k1', '"@{c1}"', 'Summary')}\ns1: u2<k1@+1m a2`,
    )
    const ids = ['u1', 'a1', 'c1', 'k1', 'u2', 'a2'].map(d.shape.uuid)
    expect(d.graph.lines().map(line => line.nodes.map(node => d.graph.id(node)))).toEqual([ids])
    expect(d.graph.epochs().map(({ summary }) => d.graph.id(summary ?? -1))).toEqual([d.shape.uuid('k1')])
    expect(d.graph.live(fileId('s1.jsonl')).map(node => d.graph.id(node))).toEqual(
      ['k1', 'u2', 'a2'].map(d.shape.uuid),
    )
  })

  it('[P3] [C2] what a prelude preserves is live again after the recap', () => {
    const described = draw(`s1: u1 a1 u2 a2 c1{a2}${prelude} k1${recap} u3 a3`)
    expect(described.live()).toBe('k1 a2 u3 a3')
  })
})
