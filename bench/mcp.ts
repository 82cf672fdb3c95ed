/**
 * How long answers to Claude take in process, from the arguments to the text: `npm run bench:mcp -- ROOT INDEX`, with an
 * index that `dagline sync --root ROOT --index INDEX` has made.
 */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { mcpServers } from '../packages/mcp/src/server.ts'
import { CORPUS_QUERIES } from '../packages/store/test/search-queries.ts'
import { print, quantile } from './measure.ts'

const ROUNDS = 10

async function connect(root: string, index: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const options = { roots: [root], index, here: null, session: null, isRedacted: true, report: console.error }
  await mcpServers(options)().connect(theirs)
  await client.connect(ours)
  return client
}

/** Milliseconds of processor time: the machine may be busy with other things. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function printTimes(name: string, times: readonly number[]): void {
  const [half, most] = [quantile(times, 0.5).toFixed(1), quantile(times, 0.95).toFixed(1)]
  print('mcp', `${name}: p50 ${half} ms, p95 ${most} ms, at most ${Math.max(...times).toFixed(0)} ms`)
}

async function measure(client: Client, name: string, calls: readonly object[]): Promise<void> {
  const times: number[] = []
  for (const given of calls)
    times.push(
      await processorTime(() => client.callTool({ name, arguments: given as Record<string, unknown> })),
    )
  printTimes(`${name}, ${calls.length} calls`, times)
}

const [, , root, index] = process.argv
if (root === undefined || index === undefined)
  process.stderr.write('Give a projects root and an index of it, which `dagline sync` makes.\n')
else {
  const client = await connect(root, index)
  // The first call compiles code and opens the index.
  await client.callTool({ name: 'search', arguments: { query: 'the' } })
  const queries = CORPUS_QUERIES.map(({ text }) => ({ query: text }))
  await measure(client, 'search', queries)
  for (const [name, given] of [
    ['list_sessions', {}],
    ['get_conversation', {}],
    ['list_branches', {}],
    ['lessons', {}],
    ['files_touched', {}],
    ['usage', {}],
  ] as const)
    await measure(
      client,
      name,
      Array.from({ length: ROUNDS }, () => given),
    )
  await client.close()
}
