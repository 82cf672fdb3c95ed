import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type History, openHistory } from 'dagline'
import { wholeConversation } from 'dagline/core'

/** The beginning of what each entry of a session says. */
async function said(history: History, session: string): Promise<string[]> {
  const found = await history.graphOf(session)
  const contents = await history.contentsOf(found)
  const lines = wholeConversation(found.graph, found.session.id).map(node => {
    const [block] = contents.blocks(node) ?? []
    const text =
      block?.kind === 'text' || block?.kind === 'result' ? block.text.text : contents.summary(node).text
    return `  ${block?.kind}: ${text.slice(0, 50)}`
  })
  contents.close()
  return lines
}

/** A session whose rows are not as usual: two on one line, one behind NUL bytes, an output in a file of its own, one of 17 MB. */
function writeSession(folder: string, session: string): void {
  const outputs = join(folder, session, 'tool-results')
  mkdirSync(outputs, { recursive: true })
  const output = join(outputs, 'toolu_1.txt')
  writeFileSync(output, 'the whole output, as the tool printed it')
  const spilled = `<persisted-output>\nOutput too large. Full output saved to: ${output}\n</persisted-output>`
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make' } }
  const entries: readonly (readonly [type: string, content: unknown])[] = [
    ['user', 'Build it.'],
    ['assistant', [call]],
    ['user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: spilled }]],
    ['assistant', [{ type: 'text', text: `It is large. ${'x'.repeat(17_000_000)}` }]],
  ]
  const uuid = (nth: number): string => `00000000-0000-4000-8000-00000000000${nth}`
  const rows = entries.map(([type, content], nth) =>
    JSON.stringify({
      type,
      uuid: uuid(nth),
      parentUuid: nth === 0 ? null : uuid(nth - 1),
      sessionId: session,
      version: '2.1.325',
      timestamp: `2026-03-02T09:0${nth}:00.000Z`,
      message: { role: type, content },
    }),
  )
  // A line feed was lost between the first two, and a crash left NUL bytes before the third.
  const [first = '', second = '', ...others] = rows
  writeFileSync(
    join(folder, `${session}.jsonl`),
    `${first}${second}\n${'\0'.repeat(8)}${others.join('\n')}\n`,
  )
}

/** Contents of rows that are joined, damaged or too large to hold, on disk and where only the archive has them. */
export async function run(_folder: string, out: string): Promise<string[]> {
  const session = '11111111-1111-4111-8111-111111111111'
  const folder = join(out, 'projects', '-home-dev-shop')
  writeSession(folder, session)
  // The setting `archive`: the archive of the user stays as it is.
  process.env['DAGLINE_ARCHIVE'] = join(out, 'archive.db')
  try {
    const history = openHistory({ roots: [join(out, 'projects')], index: join(out, 'index.db') })
    const lines = ['on disk', ...(await said(history, session))]
    await history.archive.keep()
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    lines.push('in the archive alone', ...(await said(history, session)))
    history.close()
    return lines
  } finally {
    delete process.env['DAGLINE_ARCHIVE']
  }
}
