import { describe, expect, it } from 'vitest'
import { createMessageQueue, type Delivered, type MessageQueue } from './message-queue.js'
import { streamRuns } from './streamed.js'

function numbered(): MessageQueue<string> {
  let ids = 0
  return createMessageQueue({ newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` })
}

/** Answers every message with an entry of its own, and tells parent and text of each. */
async function drain(queue: MessageQueue<string>): Promise<string[]> {
  const told: string[] = []
  for await (const { id, parent, content, forks } of queue) {
    told.push(`${parent?.slice(-3) ?? 'none'} > ${content}${forks ? ' (fork)' : ''}`)
    queue.answered(`answer-${id.slice(-3)}`)
  }
  return told
}

describe('MessageQueue', () => {
  it('[Q4] three messages queued at once are one chain', async () => {
    const queue = numbered()
    for (const text of ['one', 'two', 'three']) queue.push(text)
    queue.close()
    expect(await drain(queue)).toEqual(['none > one', '001 > two', '002 > three'])
  })

  it('[Q4] the parent is the live leaf of the moment in which a message leaves the queue', async () => {
    const queue = createMessageQueue<string>({ newId: () => 'new', leaf: 'old' })
    queue.push('a')
    queue.answered('grown meanwhile')
    queue.close()
    expect(await drain(queue)).toEqual(['ile > a'])
  })

  it('[Q4] a message can be queued onto a chosen entry, also onto none', async () => {
    const queue = numbered()
    queue.push('one')
    queue.push('two')
    queue.push('fork', { entry: 'answer-001' })
    queue.push('goes on there')
    queue.push('again', { entry: null })
    queue.close()
    expect(await drain(queue)).toEqual([
      'none > one',
      '001 > two',
      '001 > fork (fork)',
      '003 > goes on there',
      'none > again (fork)',
    ])
  })

  it('[Q4] a message waits until the one before is answered', async () => {
    const queue = numbered()
    queue.push('one')
    queue.push('two')
    const reader = queue[Symbol.asyncIterator]()
    expect((await reader.next()).value?.content).toBe('one')
    let second: Delivered<string> | undefined
    const waits = reader.next().then(({ value }) => {
      second = value
    })
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(second).toBeUndefined()
    queue.answered('done')
    await waits
    expect(second).toMatchObject({ content: 'two', parent: 'done' })
  })

  it('[Q4] what waits can be taken back, what was handed out cannot', async () => {
    const queue = numbered()
    const [one, two, three] = ['one', 'two', 'three'].map(text => queue.push(text))
    const reader = queue[Symbol.asyncIterator]()
    await reader.next()
    expect(queue.recall(one?.id ?? '')).toBeNull()
    expect(queue.recall(two?.id ?? '')?.content).toBe('two')
    expect(queue.recallAll()).toEqual([three])
    expect(queue.waiting()).toEqual([])
  })

  it('[Q4] a closed queue gives what waits, ends when the last is answered, and takes nothing more', async () => {
    const queue = numbered()
    queue.push('one')
    queue.close()
    expect(() => queue.push('two')).toThrow(RangeError)
    const reader = queue[Symbol.asyncIterator]()
    await reader.next()
    const end = reader.next()
    queue.answered('done')
    expect(await end).toEqual({ done: true, value: undefined })
    expect(await drain(queue)).toEqual([])
  })

  it('[Q4] leaving the loop leaves the rest to the next reader, even while nothing is there', async () => {
    const queue = numbered()
    const reader = queue[Symbol.asyncIterator]()
    const waits = reader.next()
    await reader.return?.()
    expect(await waits).toEqual({ done: true, value: undefined })
    queue.push('one')
    queue.close()
    expect(await drain(queue)).toEqual(['none > one'])
  })
})

describe('streamRuns', () => {
  it('[Q4] one run for a chain; a fork begins a run that resumes at its parent', async () => {
    const queue = numbered()
    queue.push('one')
    queue.push('two')
    queue.push('fork', { entry: 'answer-001' })
    queue.push('goes on there')
    queue.close()
    const runs: unknown[] = []
    for await (const { parent, messages } of streamRuns(queue)) {
      const texts: string[] = []
      for await (const { type, message, uuid } of messages) {
        texts.push(`${type} ${message.content}`)
        queue.answered(`answer-${uuid.slice(-3)}`)
      }
      runs.push([parent, ...texts])
    }
    expect(runs).toEqual([
      [null, 'user one', 'user two'],
      ['answer-001', 'user fork', 'user goes on there'],
    ])
  })

  it('[Q4] says so where ids are none that the SDK takes', async () => {
    const queue = createMessageQueue<string>({ newId: () => 'x' })
    queue.push('one')
    const { value } = await streamRuns(queue).next()
    await expect(value?.messages[Symbol.asyncIterator]().next()).rejects.toThrow(/newId gave x/)
  })
})
