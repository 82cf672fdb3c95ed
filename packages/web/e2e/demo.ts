/** A made-up developer's sessions, for the pictures in the README: nothing in them is anybody's. */
import { createHash } from 'node:crypto'
import type { TextFile } from '@dagline/testkit'

/** What happens in a turn, told in a few words. */
interface Turn {
  readonly ask: string
  readonly answer: string
  readonly calls?: readonly Call[]
  /** Agents that are sent out before the answer: kind, what for, what they found. */
  readonly agents?: readonly (readonly [string, string, string])[]
  /** The user goes back behind it afterwards. */
  readonly isLeft?: boolean
  /** What came before it is compacted first. */
  readonly isCompacted?: boolean
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>, result: string]

interface Story {
  readonly project: string
  readonly title: string
  /** Days before the last one. */
  readonly ago: number
  readonly model: string
  readonly turns: readonly Turn[]
}

interface Writer {
  readonly session: string
  readonly story: Story
  readonly rows: object[]
  readonly files: TextFile[]
  time: number
  /** Tokens that the model has before it. */
  context: number
}

const LAST_DAY = Date.parse('2026-11-14T09:00:00Z')

/** The transcripts, the same at every call. */
export function demoProjects(): TextFile[] {
  return STORIES.flatMap(writeStory)
}

/** The session that shows most. */
export const DEMO_SESSION: string = sessionOf('Round order totals once')

function sessionOf(title: string): string {
  return uuidOf(`session ${title}`)
}

function writeStory(story: Story): TextFile[] {
  const session = sessionOf(story.title)
  const hour = (story.title.length % 8) * 3_600_000
  const time = LAST_DAY - story.ago * 86_400_000 + hour
  const writer: Writer = { session, story, rows: [], files: [], time, context: 18_000 }
  let last: string | null = null
  for (const turn of story.turns) {
    if (turn.isCompacted === true) last = compact(writer, last)
    const end = writeTurn(writer, last, turn)
    if (turn.isLeft !== true) last = end
  }
  writer.rows.push({ type: 'custom-title', customTitle: story.title, sessionId: session })
  return [file(writer, `${session}.jsonl`, writer.rows), ...writer.files]
}

function file({ story }: Writer, path: string, rows: readonly object[]): TextFile {
  const text = rows.map(row => `${JSON.stringify(row)}\n`).join('')
  return { path: `-home-dev-${story.project}/${path}`, text }
}

function writeTurn(writer: Writer, parent: string | null, turn: Turn): string {
  writer.time += 240_000
  let last = add(writer, parent, { type: 'user', message: { role: 'user', content: turn.ask } })
  for (const call of turn.calls ?? []) last = writeCall(writer, last, call)
  const sent = (turn.agents ?? []).map(agent => {
    last = sendOut(writer, last, agent)
    return { agent, node: last }
  })
  for (const { agent, node } of sent) last = comeHome(writer, node, agent)
  return say(writer, last, [{ type: 'text', text: turn.answer }])
}

function writeCall(writer: Writer, parent: string, [name, input, content]: Call): string {
  const id = `toolu_${uuidOf(`${parent} ${name}`).slice(0, 12)}`
  const call = say(writer, parent, [{ type: 'tool_use', id, name, input }])
  const isError = content.startsWith('Exit code')
  const result = { type: 'tool_result', tool_use_id: id, content, is_error: isError }
  return add(writer, call, { type: 'user', message: { role: 'user', content: [result] } })
}

function sendOut(
  writer: Writer,
  parent: string,
  [kind, task, found]: readonly [string, string, string],
): string {
  const input = { subagent_type: kind, description: task, prompt: `${task}. Report what you find.` }
  const id = agentCall(writer, task)
  const call = say(writer, parent, [{ type: 'tool_use', id, name: 'Task', input }])
  const inner: Writer = { ...writer, rows: [], files: [], context: 9000, time: writer.time }
  const first = add(inner, null, { type: 'user', message: { role: 'user', content: input.prompt } })
  const looked = writeCall(inner, first, [
    'Grep',
    { pattern: 'round\\(', path: 'src' },
    'src/total.ts\nsrc/invoice.ts',
  ])
  say(inner, looked, [{ type: 'text', text: found }])
  const agentId = agentOf(writer, task)
  const rows = inner.rows.map(row => ({ ...row, isSidechain: true, agentId }))
  const place = `${writer.session}/subagents/agent-${agentId}`
  const meta = { agentType: kind, description: task, toolUseId: id, spawnDepth: 1 }
  writer.files.push(file(writer, `${place}.jsonl`, rows), file(writer, `${place}.meta.json`, [meta]))
  return call
}

function agentCall(writer: Writer, task: string): string {
  return `toolu_${uuidOf(`${writer.session} ${task}`).slice(0, 12)}`
}

function agentOf(writer: Writer, task: string): string {
  return uuidOf(`${writer.session} agent ${task}`).slice(0, 7)
}

function comeHome(
  writer: Writer,
  call: string,
  [agentType, task, found]: readonly [string, string, string],
): string {
  writer.time += 40_000
  const result = { type: 'tool_result', tool_use_id: agentCall(writer, task), content: found }
  const toolUseResult = { status: 'completed', agentId: agentOf(writer, task), agentType }
  return add(writer, call, { type: 'user', message: { role: 'user', content: [result] }, toolUseResult })
}

function compact(writer: Writer, parent: string | null): string {
  const compactMetadata = { trigger: 'auto', preTokens: writer.context * 3, postTokens: 12_000 }
  const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' }
  const at = add(writer, null, { ...boundary, logicalParentUuid: parent, compactMetadata })
  writer.context = 12_000
  const content = 'This session is being continued. Summary: totals are rounded once, after the discount.'
  return add(writer, at, { type: 'user', isCompactSummary: true, message: { role: 'user', content } })
}

function say(writer: Writer, parent: string, content: readonly object[]): string {
  const length = JSON.stringify(content).length
  writer.context += 900 + length
  const usage = {
    input_tokens: 6,
    output_tokens: 180 + length,
    cache_read_input_tokens: writer.context,
    cache_creation_input_tokens: 2400 + 3 * length,
  }
  const id = `msg_${uuidOf(`${writer.session} ${parent} ${length}`).slice(0, 12)}`
  const message = {
    id,
    model: writer.story.model,
    role: 'assistant',
    content,
    usage,
    stop_reason: 'end_turn',
  }
  return add(writer, parent, { type: 'assistant', message })
}

function add(writer: Writer, parentUuid: string | null, fields: object): string {
  const uuid = uuidOf(`${writer.session} ${parentUuid} ${writer.rows.length} ${JSON.stringify(fields)}`)
  writer.time += 6000
  writer.rows.push({
    parentUuid,
    isSidechain: false,
    ...fields,
    uuid,
    timestamp: new Date(writer.time).toISOString(),
    cwd: `/home/dev/${writer.story.project}`,
    sessionId: writer.session,
    version: '2.1.325',
    gitBranch: 'main',
  })
  return uuid
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const READ: Call = [
  'Read',
  { file_path: '/home/dev/shop/src/total.ts' },
  '1→export function total(items: Item[]): number {\n2→  return items.map(price).map(round).reduce(add, 0)\n3→}',
]

const FAILED: Call = [
  'Bash',
  { command: 'npm test -- total', description: 'Run the tests of totals' },
  'Exit code 1\n ✗ total > rounds once (expected 10.01, got 10.02)',
]

const PASSED: Call = ['Bash', { command: 'npm test -- total' }, ' ✓ total (14 tests) 210 ms']

const EDIT: Call = [
  'Edit',
  {
    file_path: '/home/dev/shop/src/total.ts',
    old_string: '  return items.map(price).map(round).reduce(add, 0)',
    new_string: '  return round(items.map(price).reduce(add, 0))',
  },
  'The file has been updated.',
]

const ROUNDING: readonly Turn[] = [
  {
    ask: 'The total of an order is off by a cent now and then. Why?',
    calls: [READ, FAILED],
    answer:
      'Each item is rounded **before** the sum, so the errors add up. Two ways to mend it:\n\n1. a decimal library for all amounts\n2. round once, at the end',
  },
  {
    ask: 'Use a decimal library.',
    calls: [
      ['Bash', { command: 'npm install decimal.js' }, 'added 1 package in 2s'],
      [
        'Edit',
        {
          file_path: '/home/dev/shop/src/price.ts',
          old_string: 'amount: number',
          new_string: 'amount: Decimal',
        },
        'The file has been updated.',
      ],
      ['Bash', { command: 'npm test' }, 'Exit code 1\n 31 tests failed: Decimal is not a number'],
    ],
    answer: 'The type reaches 14 files. I can go on, but every caller has to change.',
    isLeft: true,
  },
  {
    ask: 'That is too much. Round once, at the end, and check who else rounds.',
    calls: [EDIT],
    agents: [
      ['reviewer', 'Find callers that round again', '`invoice.ts` rounds the total a second time.'],
      ['tester', 'Write a test with 3 × 3.335', 'The test fails before the change and passes after it.'],
    ],
    answer:
      'Done. `invoice.ts` rounded a second time; I took that out. The new test covers three items of 3.335.',
  },
  { ask: 'Run everything once more.', calls: [PASSED], answer: 'All 214 tests pass.' },
  {
    ask: 'Write the changelog entry.',
    answer: '> **Fixed:** order totals are rounded once, after the discount.',
    isCompacted: true,
  },
]

const OPUS = 'claude-opus-4-5'
const SONNET = 'claude-sonnet-4-5'
const HAIKU = 'claude-haiku-4-5'

/** Turns of an ordinary session; one of them is more than that. */
function usual(ask: string, count: number, at = -1, more: Partial<Turn> = {}): readonly Turn[] {
  const tools = [READ, EDIT, PASSED]
  return Array.from(
    { length: count },
    (_, turn): Turn => ({
      ask: turn === 0 ? ask : `Good. Now step ${turn + 1}.`,
      calls: Array.from({ length: 2 + ((turn * 5 + count) % 9) }, (__, call) => tools[call % 3] ?? READ),
      answer: 'Done, and the tests pass.',
      ...(turn === at ? more : {}),
    }),
  )
}

function story(
  project: string,
  title: string,
  ago: number,
  [model, turns]: [string, readonly Turn[]],
): Story {
  return { project, title, ago, model, turns }
}

const left: Partial<Turn> = { isLeft: true }
const compacted: Partial<Turn> = { isCompacted: true }
const explored: Partial<Turn> = {
  agents: [['Explore', 'Look around in the code', 'Three places read the flag.']],
}

const STORIES: readonly Story[] = [
  story('shop', 'Round order totals once', 0, [OPUS, ROUNDING]),
  story('shop', 'Refunds in the admin pages', 1, [
    OPUS,
    usual('Let support refund an order, or a part of it', 9, 1, explored),
  ]),
  story('atlas', 'Tiles load twice after a zoom', 2, [
    SONNET,
    usual('Every tile is fetched twice when I zoom. Find out why.', 6, 2, left),
  ]),
  story('notes', 'Import from plain folders', 4, [
    SONNET,
    usual('Read a folder of Markdown files as a notebook', 12, 7, compacted),
  ]),
  story('atlas', 'Offline maps: what would it take?', 7, [
    OPUS,
    usual('How would maps work without a network? Do not write code yet.', 4, 1, explored),
  ]),
  story('shop', 'Flaky checkout test', 9, [
    SONNET,
    usual('checkout.test.ts fails one run in ten', 5, 3, left),
  ]),
  story('notes', 'Rename tags everywhere', 13, [
    HAIKU,
    usual('Renaming a tag should rename it in all notes', 3),
  ]),
  story('shop', 'Split the price module', 16, [
    OPUS,
    usual('price.ts has 900 lines. Split it where it makes sense.', 16, 9, compacted),
  ]),
  story('atlas', 'Faster routing with a heap', 21, [
    OPUS,
    usual('Routes over 200 km take four seconds. Profile it first.', 11, 4, explored),
  ]),
  story('notes', 'Search as one types', 24, [SONNET, usual('Show hits while I type', 8)]),
  story('shop', 'Upgrade to Node 24', 30, [SONNET, usual('Bring the shop to Node 24', 5)]),
  story('atlas', 'Contour lines', 37, [OPUS, usual('Draw contour lines from the height tiles', 13, 6, left)]),
  story('notes', 'Keyboard shortcuts', 41, [HAIKU, usual('Every action should have a key', 6)]),
]
