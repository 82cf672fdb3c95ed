/** Every tool on the public corpus, where it is: answers are valid, within their tokens, and of marked text. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHistory } from '@dagline/app'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { findCorpus } from '../../core/test/corpus.js'
import { mcpServers, TOOLS } from '../src/server.js'

const corpus = findCorpus()
if (corpus === null) console.warn('mcp: not run on the corpus, which is not here.')

/** Bytes of the projects that are asked about: all of them take some minutes, which `DAGLINE_RUNS` allows. */
const isWhole = process.env['DAGLINE_RUNS'] !== undefined
const MOST_BYTES = isWhole ? Number.POSITIVE_INFINITY : 25_000_000
const MOST_SESSIONS = isWhole ? Number.POSITIVE_INFINITY : 40

/** Ends what hangs: the whole corpus takes some minutes, and a busy machine many times as long. */
const timeout = isWhole ? 3_600_000 : 300_000

/** What cannot be answered of a session that is empty, or of which only subagents are left. */
const RIGHT_ERRORS =
  /has no compaction|is a session, not an entry|only agents are left|has no usage|^\S.* is not a file in the working directory|does not exist, and no session changed it/

it.runIf(corpus !== null)(
  '[B1] [B3] every tool answers about sessions of the corpus',
  { timeout },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dagline-mcp-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [roots, index] = [smallProjects(corpus ?? ''), join(folder, 'index.db')]
    // The first answer would wait for the index longer than a client does.
    await openHistory({ roots, index }).sync()
    const client = await connect(roots, index)
    const ask = async (name: string, given: Readonly<Record<string, unknown>>): Promise<string> => {
      // The client checks the answer against the schema of the protocol.
      const { content, isError } = await client.callTool({ name, arguments: { ...given, max_tokens: 2000 } })
      const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
      expect({ name, given, isError, isWithin: text.length <= 2000 * 3 + 10 }).toEqual({
        ...{ name, given, isWithin: true },
        isError: RIGHT_ERRORS.test(text) ? true : undefined,
      })
      return text
    }
    const sessions: string[] = []
    for (let total = 1; sessions.length < Math.min(total, MOST_SESSIONS); ) {
      const listed = await ask('list_sessions', { from: sessions.length + 1 })
      total = Number(/^([\d,]+) sessions/.exec(listed)?.[1]?.replaceAll(',', ''))
      sessions.push(...[...listed.matchAll(/^- (\S+) \|/gm)].flatMap(([, id]) => id ?? []))
    }
    expect(sessions.length).toBeGreaterThan(5)
    let blamed = 0
    for (const session of sessions.slice(0, MOST_SESSIONS)) {
      const conversation = await ask('get_conversation', { ref: session, from: -3 })
      const [, ref = session] = /REF (\S+)/.exec(conversation) ?? []
      for (const { name } of TOOLS) if (name !== 'blame') await ask(name, { session, ref, query: 'error' })
      const [, file] = /^- (.+?) \| .*(?:edit|write)/m.exec(await ask('files_touched', { session })) ?? []
      if (file !== undefined && /REF/.test(await ask('blame', { file }))) blamed++
    }
    expect(blamed).toBeGreaterThan(0)
    await client.close()
  },
)

function smallProjects(root: string): readonly string[] {
  const sizeOf = (folder: string): number =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
      (sum, name) => sum + statSync(join(folder, name)).size,
      0,
    )
  const folders = readdirSync(root).map(name => join(root, name))
  const sized = folders.map(folder => ({ folder, size: sizeOf(folder) })).sort((a, b) => a.size - b.size)
  let sum = 0
  const chosen = sized.filter(({ size }) => {
    sum += size
    return sum < MOST_BYTES
  })
  return chosen.map(({ folder }) => folder)
}

async function connect(roots: readonly string[], index: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const report = (error: unknown): void => {
    throw error
  }
  const options = { roots, index, here: null, session: null, isRedacted: true, report }
  await mcpServers(options)().connect(theirs)
  await client.connect(ours)
  return client
}
