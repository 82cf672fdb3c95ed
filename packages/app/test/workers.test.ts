/** The one protocol between a process and its workers: answers, their order, failures, ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { UserError } from '../src/host/user-error.js'
import { runAsWorker } from '../src/tasks.js'
import { createLaneOf } from '../src/workers/lane.js'
import { startProcess, type WorkerOptions, type WorkerProcess } from '../src/workers/pool.js'

const folder = mkdtempSync(join(tmpdir(), 'dagline-workers-'))
const program = join(folder, 'worker-child.mjs')

beforeAll(() => {
  buildSync({
    entryPoints: [join(import.meta.dirname, 'worker-child.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.16',
    outfile: program,
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

class EndedEarly extends Error {}

/** Starts a worker that is gone when the test is. */
function startWith(task: string, options: Partial<WorkerOptions>): WorkerProcess<unknown, unknown> {
  const endedEarly = (code: number | null): Error => new EndedEarly(`ended with ${code}`)
  const worker = startProcess<unknown, unknown>(program, task, { endedEarly, ...options })
  onTestFinished(worker.close)
  return worker
}

describe.each([
  ['a process that works', false],
  ['a thread that works', true],
] as const)('%s', (_, isThread) => {
  const start = (task: string, options: Partial<WorkerOptions> = {}): WorkerProcess<unknown, unknown> =>
    startWith(task, { isThread, ...options })

  it('returns the result of its task', async () => {
    expect(await start('double').run(21).result).toBe(42)
  })

  for (const hasSpool of [false, true]) {
    it(`sends parts in their order, and the result behind them (${hasSpool ? 'by a file' : 'by messages'})`, async () => {
      const parts: unknown[] = []
      const sum = await start('count', { hasSpool }).run(20, part => parts.push(part)).result
      expect(parts).toEqual(Array.from({ length: 20 }, (_, number) => number))
      expect(sum).toBe(190)
    })
  }

  it('sends a large result to a process that is busy when the worker ends', async () => {
    const { result, sent } = start('large').run(0)
    await sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    expect(String(await result).length).toBe(4_000_000)
  })

  it('sends more bytes than are carried at once', async () => {
    const parts: unknown[] = []
    const { result } = start('large', { hasSpool: true }).run(20, part =>
      parts.push(String(part).slice(0, 3)),
    )
    expect(String(await result).length).toBe(4_000_000)
    expect(parts).toEqual(Array.from({ length: 20 }, (_, number) => String(number).padEnd(3, '.')))
  })

  it('receives input while its task runs', async () => {
    const { result, send, end } = start('collect').run(null)
    for (const value of ['a', { b: [1] }, null]) send(value)
    end()
    expect(await result).toEqual(['a', { b: [1] }, null])
  })

  it('hands a user error over with its code', async () => {
    const { result } = start('refuse').run(null)
    await expect(result).rejects.toThrow(UserError)
    await expect(result).rejects.toMatchObject({
      message: 'There is no such session: give another.',
      code: 'no-session',
    })
  })

  it('hands any other error over with its stack', async () => {
    const { result } = start('fail').run(null)
    await expect(result).rejects.not.toThrow(UserError)
    await expect(result).rejects.toThrow(/TypeError: a fault of our own\n.*worker-child/s)
  })

  it('fails where it does not know the task', async () => {
    await expect(start('unheard').run(null).result).rejects.toThrow('no task unheard')
  })

  it('that is kept runs one task after another, also after one that failed', async () => {
    const worker = start('even', { isKept: true })
    expect(await worker.run(2).result).toBe(2)
    await expect(worker.run(3).result).rejects.toThrow('3 is odd.')
    expect(await worker.run(4).result).toBe(4)
    expect(worker.isAlive()).toBe(true)
    worker.close()
    expect(worker.isAlive()).toBe(false)
  })

  it('that ends by itself is reported with its exit code', async () => {
    const { result } = start('exit').run(null)
    await expect(result).rejects.toThrow(EndedEarly)
    await expect(result).rejects.toThrow('ended with 3')
  })

  // A thread has no signals of its own.
  const itOfProcesses = isThread ? () => {} : it
  itOfProcesses('that is killed is reported without one', async () => {
    await expect(start('kill').run(null).result).rejects.toThrow('ended with null')
  })

  it('that is closed gives up its task', async () => {
    const worker = start('sleep')
    const { result, sent } = worker.run(null)
    await sent
    worker.close()
    worker.close()
    await expect(result).rejects.toThrow(EndedEarly)
  })

  it('does not disturb another one', async () => {
    const [failing, counting] = [start('exit'), start('count')]
    const [ended, sum] = [failing.run(null).result, counting.run(100).result]
    await expect(ended).rejects.toThrow(EndedEarly)
    expect(await sum).toBe(4950)
  })
})

describe('a worker that is kept for questions', () => {
  const endedEarly = (): Error => new EndedEarly('ended')
  const laneOf = (task: string) => {
    const started: WorkerProcess<unknown, unknown>[] = []
    const startKept = () => {
      const worker = startWith(task, { isKept: true })
      started.push(worker)
      return worker
    }
    const lane = createLaneOf(startKept, endedEarly, () => {})
    onTestFinished(lane.close)
    return { lane, started }
  }

  it('is replaced where it was killed, also before this process knows', async () => {
    const { lane, started } = laneOf('own-pid')
    const first = Number(await lane.run(null))
    process.kill(first, 'SIGKILL')
    expect(Number(await lane.run(null))).not.toBe(first)
    expect(started).toHaveLength(2)
  })

  it('is not asked for ever what ends it', async () => {
    const { lane, started } = laneOf('kill')
    await expect(lane.run(null)).rejects.toThrow(EndedEarly)
    expect(started).toHaveLength(1)
  })

  it('does not begin again where its lane was closed', async () => {
    const { lane, started } = laneOf('sleep-or-answer')
    expect(await lane.run('answer')).toBe('answer')
    const asleep = lane.run('sleep')
    setTimeout(lane.close, 100)
    await expect(asleep).rejects.toThrow(EndedEarly)
    expect(started).toHaveLength(1)
  })
})

describe('a process', () => {
  it('is a worker only where its arguments name a task', async () => {
    expect(await runAsWorker(['log', 'latest'])).toBe(false)
    expect(await runAsWorker(['--worker', 'toString'])).toBe(false)
    expect(await runAsWorker([])).toBe(false)
  })
})
