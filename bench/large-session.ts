/** Sessions for benchmarks of the page: long ones with turns, tools, rewinds and compactions, or very many short ones. */
import { createHash } from 'node:crypto'

/** What a generated row is made from. */
interface Writer {
  readonly session: string
  readonly rows: string[]
  time: number
  count: number
}

const START = Date.parse('2026-03-01T08:00:00Z')

/** The text of a session with about so many entries, the same at every call. */
export function largeSession(session: string, entries: number): string {
  return `${[...largeSessionRows(session, entries)].join('\n')}\n`
}

/** The same row by row, for sessions that no string can hold. */
export function* largeSessionRows(session: string, entries: number): Generator<string> {
  const writer: Writer = { session, rows: [], time: START, count: 0 }
  let leaf: string | null = null
  let fork: string | null = null
  for (let turn = 1; writer.count < entries; turn++) {
    // Every fiftieth turn is taken back and tried again.
    if (turn % 50 === 49) fork = leaf
    if (turn % 50 === 0) leaf = fork
    leaf = writeTurn(writer, leaf, turn)
    yield* writer.rows.splice(0)
  }
}

function writeTurn(writer: Writer, leaf: string | null, turn: number): string {
  let last = write(writer, leaf, {
    type: 'user',
    message: { role: 'user', content: `Step ${turn}: ${words(turn, 18)}` },
  })
  for (let call = 0; call < 3; call++) {
    const id = `toolu_${writer.session.slice(0, 8)}_${turn}_${call}`
    last = write(
      writer,
      last,
      answer(`msg_${writer.session.slice(0, 8)}_${turn}_${call}`, [
        { type: 'tool_use', id, name: 'Bash', input: { command: `npm test -- ${words(turn + call, 3)}` } },
      ]),
    )
    last = write(writer, last, {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: output(turn + call) }],
      },
    })
  }
  return write(
    writer,
    last,
    answer(`msg_${writer.session.slice(0, 8)}_${turn}_end`, [{ type: 'text', text: prose(turn) }]),
  )
}

function answer(id: string, content: readonly unknown[]): object {
  const usage = {
    input_tokens: 9,
    output_tokens: 220,
    cache_read_input_tokens: 40_000,
    cache_creation_input_tokens: 900,
  }
  return { type: 'assistant', message: { id, role: 'assistant', model: 'claude-sonnet-4-5', content, usage } }
}

function write(writer: Writer, parent: string | null, record: object): string {
  const uuid = uuidOf(`${writer.session} ${writer.count++}`)
  writer.time += 7000
  const frame = {
    parentUuid: parent,
    isSidechain: false,
    sessionId: writer.session,
    uuid,
    timestamp: new Date(writer.time).toISOString(),
    cwd: '/home/dev/shop',
    version: '2.1.101',
  }
  writer.rows.push(JSON.stringify({ ...frame, ...record }))
  return uuid
}

/** A uuid of a name. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const WORDS = 'order total price rounding test module import retry cache index user basket invoice tax'.split(
  ' ',
)

function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * at + at) % WORDS.length]).join(' ')
}

function prose(seed: number): string {
  return `## Result ${seed}\n\n${words(seed, 40)}.\n\n- ${words(seed + 1, 8)}\n- \`${words(seed + 2, 2)}\`\n\n\`\`\`ts\nexport const n${seed} = ${seed}\n\`\`\``
}

function output(seed: number): string {
  return Array.from(
    { length: 6 },
    (_, at) => `${at === 3 ? '\u001b[32mok\u001b[0m ' : ''}${words(seed + at, 9)}`,
  ).join('\n')
}
