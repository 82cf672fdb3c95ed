import type { RowContent } from '@dagline/core/protocol'
import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'
import { createContents, type SessionSource } from './contents.js'

/** A source of rows that only counts what it is asked. */
function source(asked: string[], hasResult: () => boolean = () => true): SessionSource {
  const contentOf = (row: number): RowContent => ({
    node: `n${row}`,
    model: null,
    version: null,
    usage: null,
    blocks: [
      {
        kind: 'call',
        id: `c${row}`,
        name: 'Bash',
        input: {},
        agent: null,
        result: hasResult() ? RESULT : null,
      },
    ],
  })
  return {
    isServed: true,
    ask: signal(null),
    chunkRows: 10,
    sheet: () => Promise.reject(new Error('none')),
    update: () => Promise.reject(new Error('none')),
    contents: async (from, to) => {
      asked.push(`${from}-${to}`)
      return Array.from({ length: to - from }, (_, at) => contentOf(from + at))
    },
    hrefOf: () => null,
    addressOf: ({ at }) => at,
    labels: null,
    why: null,
    contexts: null,
    raw: null,
    locate: null,
    wholeText: null,
    search: async () => [],
    onChange: () => () => {},
  }
}

const RESULT = {
  state: 'ok',
  text: { text: '', cut: null },
  images: [],
  facts: null,
  node: 'r',
  time: null,
  spilled: null,
} as const

describe('contents', () => {
  it('are fetched in chunks, each once', async () => {
    const asked: string[] = []
    const contents = createContents(source(asked), () => 25)
    expect(contents.at(3)).toBeNull()
    await contents.load([3, 4, 22])
    expect([contents.at(3)?.node, contents.at(24)?.node]).toEqual(['n3', 'n24'])
    expect(asked.sort()).toEqual(['0-10', '20-25'])
  })

  it('are fetched again after an update, where they are new or waited for a result', async () => {
    const asked: string[] = []
    let hasResult = false
    const contents = createContents(
      source(asked, () => hasResult),
      () => 30,
    )
    await contents.load([0, 10, 20])
    hasResult = true
    contents.renew(25)
    asked.length = 0
    contents.at(0)
    contents.at(25)
    await new Promise(done => setTimeout(done, 5))
    expect(asked.sort()).toEqual(['0-10', '20-30'])
    contents.renew(30)
    asked.length = 0
    contents.at(0)
    await new Promise(done => setTimeout(done, 5))
    expect(asked).toEqual([])
  })

  it('are dropped, the oldest first, where there are too many', async () => {
    const asked: string[] = []
    const contents = createContents(source(asked), () => 5000)
    for (let row = 0; row < 2000; row += 10) await contents.load([row])
    expect(contents.peek(1999)?.node).toBe('n1999')
    expect(contents.peek(0)).toBeNull()
  })
})
