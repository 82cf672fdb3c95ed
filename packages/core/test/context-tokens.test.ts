/** The tokens of requests: estimates that add up to what the answer tells. */
import { generate } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextPieces } from '../src/content/index.js'
import { contextEntries, fileId } from '../src/index.js'
import {
  contextWindow,
  estimateTokens,
  findLeftOut,
  measureContexts,
  shareByEntry,
  type TokensOf,
} from '../src/measure/index.js'
import { draw, graphOfFiles, nodeOf } from './support.js'

describe('the tokens of a request', () => {
  const weigh: TokensOf = node => [
    { category: node % 2 === 0 ? 'prompts' : 'results:Bash', tokens: 1 + (node % 700) },
  ]

  it('[X17] add up to the total of every answer with usage, by category and by entry', () => {
    let measuredTotal = 0
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), seed => {
        const { files, metas } = generate(seed, { style: '2.1.325' })
        const graph = graphOfFiles(files, metas)
        for (const { path } of files) {
          for (const measured of measureContexts(graph, fileId(path), weigh)) {
            const { total, parts } = measured.tokens
            if (total === null) continue
            measuredTotal++
            const sum = Object.values(parts).reduce((all, tokens) => all + tokens, 0)
            expect(sum).toBe(total)
            expect(Object.values(parts).every(Number.isSafeInteger)).toBe(true)
            const byEntry = shareByEntry(measured, weigh).reduce((all, { tokens }) => all + tokens, 0)
            expect(byEntry).toBe(total - (parts.system ?? 0))
          }
        }
      }),
      { numRuns: 6 },
    )
    expect(measuredTotal).toBeGreaterThan(0)
  })

  it.each([
    [{ type: 'user', message: { content: 'abcd'.repeat(100) } }, 'prompts', 122],
    [{ type: 'assistant', message: { content: [{ type: 'text', text: 'x'.repeat(100) }] } }, 'answers', 28],
    [
      {
        type: 'assistant',
        message: { content: [{ type: 'thinking', thinking: '', signature: 's'.repeat(100) }] },
      },
      'thinking',
      28,
    ],
    [
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'y'.repeat(200) }] },
      },
      'results:Bash',
      103,
    ],
    [{ type: 'user', message: { content: [{ type: 'image', source: {} }] } }, 'images', 1200],
    [{ type: 'user', isCompactSummary: true, message: { content: 'x'.repeat(400) } }, 'summaries', 122],
    [
      {
        type: 'attachment',
        attachment: { type: 'nested_memory', content: 'x'.repeat(100) },
        rendered: [{ content: 'x'.repeat(200) }],
      },
      'memory',
      77,
    ],
  ])('[X17] are estimated from the size of %j', (json, category, tokens) => {
    const record = { uuid: 'a', parentUuid: null, sessionId: 's', ...json }
    expect(estimateTokens(contextPieces(record, () => 'Bash'))).toEqual([{ category, tokens }])
  })

  it('[X17] know no attachment that only the client reads', () => {
    const record = {
      type: 'attachment',
      uuid: 'a',
      attachment: { type: 'hook_success', hookEvent: 'PreToolUse', stdout: 'x' },
    }
    expect(contextPieces(record, () => null)).toEqual([])
  })

  it('[X17] fill a window of 200,000 unless a request had more', () => {
    expect([contextWindow([null, 150_000]), contextWindow([210_000])]).toEqual([200_000, 1_000_000])
  })
})

describe('what a request left out', () => {
  it.each([
    ['compacted', 's1: u1 a1 u2 a2 c1 k1 u3 a3', 'a3', 'compacted a2 u2 a1 u1'],
    ['on a branch that was left', 's1: u1 a1 u2 a2\ns1: a1 > u3 a3', 'a3', 'abandoned a2 u2'],
    ['of a subagent', 's1: u1 a1[t1:Task] ~u2<a1 ~a2\ns1: a1 > r1[t1] a3', 'a3', 'subagent a2 u2'],
  ])('[X18] is told as %s', (_, text, token, expected) => {
    const { graph, shape, say } = draw(text)
    const context = graph.contextAt(nodeOf(graph, shape.uuid(token)))
    const out = context === null ? [] : findLeftOut(graph, context)
    expect(out.map(({ reason, nodes }) => `${reason} ${say(nodes.map(id => nodeOf(graph, id)))}`)).toEqual([
      expected,
    ])
    expect(context === null ? [] : contextEntries(context)).not.toEqual([])
  })
})
