/** The program of docs/API.md about queues. `lab/queue.ts` runs the same with the real SDK. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Query, run, send } from '../../../examples/queue.ts'
import { createMessageQueue } from '../src/queue/index.js'
import { madeUp } from './queue-support.js'

describe('examples', () => {
  it('[Q4] queue: three messages at once are one chain, the fourth forks', async () => {
    const told = await run()
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, '../../../examples/queue.txt'),
    )
  })

  it('[Q4] send: one query for a chain, another that resumes where a fork leaves it', async () => {
    const queue = createMessageQueue({ newId: madeUp().newId })
    const asked: unknown[] = []
    const answers: string[] = []
    // Answers as the SDK does: an assistant message with a uuid, then the result.
    const query: Query = async function* ({ prompt, options }) {
      const texts: string[] = []
      asked.push({ ...options, texts })
      for await (const { message } of prompt) {
        texts.push(message.content)
        answers.push(`answer ${answers.length + 1}`)
        yield { type: 'assistant', uuid: answers.at(-1) ?? '' }
        if (message.content === 'three') queue.push('fork', { entry: answers[0] ?? null })
        if (message.content === 'fork') queue.close()
        yield { type: 'result' }
      }
    }
    for (const text of ['one', 'two', 'three']) queue.push(text)
    await send(query, queue, 's1')
    expect(asked).toEqual([
      { sessionId: 's1', texts: ['one', 'two', 'three'] },
      { resume: 's1', resumeSessionAt: 'answer 1', texts: ['fork'] },
    ])
  })
})
