import { describe, expect, it } from 'vitest'
import { sessionId } from '../model/ids.js'
import { createRowList, type EditPlan, type TrimScope } from './plan.js'
import { savedTokens, startTrim } from './trim-content.js'

const NOTHING: TrimScope = { outputs: null, images: false, thinking: false, progress: false }

function trimmer(options: Partial<TrimScope>, thoughtful: readonly number[] = []) {
  const { rows } = createRowList()
  const patches = new Map(thoughtful.map(position => [position, { keepsThoughts: true } as const]))
  const plan: EditPlan = {
    command: 'trim',
    session: sessionId('s'),
    title: null,
    from: { session: sessionId('s'), node: null },
    copies: true,
    shape: 'tree',
    rows: { ...rows, patches },
    trim: { ...NOTHING, ...options },
    sidecars: [],
    changes: [],
    promise: [],
    check: 'exact',
    today: [],
    mayLose: true,
  }
  return startTrim(plan)
}

const result = (content: unknown) => ({
  uuid: 'e1',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] },
  toolUseResult: { stdout: content, agentId: 'a1' },
})

describe('trim', () => {
  it('[E8] shortens outputs and the client’s own copy of them, and counts what it took', () => {
    const { record, saved } = trimmer({ outputs: 30 })
    const long = 'x'.repeat(1000)
    const trimmed = record(result(long), 0)
    const text = JSON.stringify(trimmed)
    expect(text).toContain('[970 characters were left out here]')
    expect(text.length).toBeLessThan(400)
    expect(trimmed).toMatchObject({ toolUseResult: { agentId: 'a1' } })
    expect(saved.characters).toBe(970)
    expect(savedTokens(saved)).toBe(243)
    expect(saved.changes).toHaveLength(1)
  })

  it('[E8] leaves short ones as they are, and everything where nothing was wished for', () => {
    const short = result('x'.repeat(60))
    expect(trimmer({ outputs: 30 }).record(short, 0)).toBe(short)
    const long = result('x'.repeat(1000))
    expect(trimmer({}).record(long, 0)).toBe(long)
  })

  it('[E8] leaves the thoughts of rows that are to keep them, and nothing else of them', () => {
    const { record } = trimmer({ outputs: 30, thinking: true }, [7])
    const thought = {
      uuid: 'e1',
      message: { content: [{ type: 'thinking', thinking: 'so', signature: 's' }] },
    }
    expect(record(thought, 7)).toBe(thought)
    expect(record(thought, 6)).toMatchObject({ message: { content: [] } })
    expect(JSON.stringify(record(result('x'.repeat(1000)), 7))).toContain('970 characters')
  })

  it('[E8] never cuts a character in half', () => {
    const { record } = trimmer({ outputs: 31 })
    const text = JSON.stringify(record(result('😀'.repeat(500)), 0))
    expect(text).not.toMatch(/\\ud[89a-f]/i)
  })

  it('[E8] replaces images by a note', () => {
    const { record, saved } = trimmer({ images: true })
    const image = { type: 'image', source: { data: 'x'.repeat(100) } }
    const prompt = record(
      { uuid: 'e1', message: { role: 'user', content: [image, { type: 'text', text: 'see' }] } },
      0,
    )
    expect(prompt).toMatchObject({ message: { content: [{ type: 'text' }, { type: 'text', text: 'see' }] } })
    expect(JSON.stringify(record(result([image]), 0))).not.toContain('"source":{"data":"xxx')
    expect(saved.images).toBe(2)
  })
})
