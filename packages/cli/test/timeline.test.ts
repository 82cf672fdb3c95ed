import { join } from 'node:path'
import { inProject, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { block, dagline, json, onRecorded, type Ran, REPOSITORY } from './run.js'

const SESSION = '11111111-1111-4111-8111-111111111111'

interface Row {
  readonly [field: string]: unknown
}

const at = (second: number): string => `2026-01-05T10:00:${String(second).padStart(2, '0')}.000Z`
const queue = (operation: string, second: number, content?: string): Row => ({
  type: 'queue-operation',
  operation,
  timestamp: at(second),
  sessionId: SESSION,
  ...(content === undefined ? {} : { content }),
})
const entry = (uuid: string, parentUuid: string | null, second: number, message: Row): Row => ({
  type: message['role'],
  uuid,
  parentUuid,
  sessionId: SESSION,
  timestamp: at(second),
  message,
})
const prompt = (uuid: string, parent: string | null, second: number, content: string): Row =>
  entry(uuid, parent, second, { role: 'user', content })
const answer = (uuid: string, parent: string, second: number, text: string): Row =>
  entry(uuid, parent, second, { role: 'assistant', id: `m-${uuid}`, content: [{ type: 'text', text }] })

/** Three messages are queued at once; the last has just left the queue. */
const RAPID: readonly Row[] = [
  prompt('u0', null, 0, 'hi'),
  answer('a0', 'u0', 5, 'hello'),
  queue('enqueue', 10, 'one'),
  queue('enqueue', 10, 'two'),
  queue('enqueue', 10, 'three'),
  queue('dequeue', 10),
  prompt('u1', 'a0', 10, 'one'),
  answer('a1', 'u1', 14, 'first'),
  queue('dequeue', 14),
  prompt('u2', 'a1', 14, 'two'),
  answer('a2', 'u2', 18, 'second'),
  queue('dequeue', 18),
]

/** Runs the command on a session with these rows. */
async function onRows(rows: readonly Row[], ...words: string[]): Promise<Ran> {
  const text = rows.map(row => `${JSON.stringify(row)}\n`).join('')
  return await withHome(inProject([{ path: `${SESSION}.jsonl`, text }]), home =>
    dagline(words, { CLAUDE_CONFIG_DIR: home.config }),
  )
}

describe('the queue', () => {
  it('[Q1] a text that has just left the queue is dequeued, not lost', async () => {
    const { queue: steps } = json(await onRows(RAPID, 'graph', '--json'))
    expect(steps.map(({ became }: Row) => became).join(' ')).toBe(
      'prompt prompt dequeued prompt prompt dequeued',
    )
  })

  it('[Q1] is lost once the process has ended without an entry for it', async () => {
    const ended = [...RAPID, { type: 'cost-state', sessionId: SESSION, totalCostUSD: 0 }]
    const { queue: steps } = json(await onRows(ended, 'graph', '--json'))
    expect(steps.map(({ became }: Row) => became).join(' ')).toBe('prompt prompt lost prompt prompt unknown')
  })

  it('[Q1] `log --all` shows queue and messages in one timeline', async () => {
    const { stdout } = await onRows(RAPID, 'log', 'latest', '--all')
    expect(block(stdout)).toMatchInlineSnapshot(`
      "
      11111111-1111-4111-8111-111111111111  hi
      2026-01-05
      10:00  Human   hi  u0
      10:00  Claude  hello
      10:00  ⧖ queued     one
      10:00  ⧖ queued     two
      10:00  ⧖ queued     three (left the queue; its entry is not written yet)
      10:00  ⧖ delivered  one
      10:00  Human   one  u1
      10:00  Claude  first
      10:00  ⧖ delivered  two
      10:00  Human   two  u2
      10:00  Claude  second
      10:00  ⧖ delivered  its entry is not written yet
      "
    `)
  })

  it('[Q1] `show` and `explain` say when a prompt was queued', async () => {
    expect((await onRows(RAPID, 'show', 'u2')).stdout).toContain('delivered 4 s later as prompt')
    const { because } = json(await onRows(RAPID, 'explain', 'u2', '--json'))
    expect(because.filter(({ rule }: Row) => rule === 'Q1').map(({ evidence }: Row) => evidence)).toEqual([
      'its text was queued at 2026-01-05T10:00:10.000Z (row 4) and became this prompt',
      'its text left the queue at 2026-01-05T10:00:14.000Z (row 9) and became this prompt',
    ])
  })
})

describe('timeline', () => {
  it('[C6] lists what happened to a session, by time', async () => {
    expect(block(onRecorded('timeline', 'a2a9607f').stdout)).toMatchInlineSnapshot(`
      "
      2026-11-15
      01:05:52  rewind       rewound and asked again  79cad093
      "
    `)
    expect(block(onRecorded('timeline', '3805e72d').stdout)).toMatchInlineSnapshot(`
      "
      2026-11-15
      01:05:36  queued       fork again #E#  aea55248
      01:05:36  fork         forked from 1e28b50b-b8c7-4992-b77a-346c12b32299  aea55248
      "
    `)
    const { events } = json(await onRows(RAPID, 'timeline', 'latest', '--json'))
    expect(events.map(({ kind, text }: Row) => `${kind} ${text}`)).toMatchInlineSnapshot(`
      [
        "queued one",
        "queued two",
        "queued three (left the queue; its entry is not written yet)",
        "delivered one",
        "delivered two",
        "delivered its entry is not written yet",
      ]
    `)
  })

  it('says so when nothing happened', async () => {
    const { stdout, stderr, code } = await onRows(RAPID.slice(0, 2), 'timeline', 'latest')
    expect([stdout, code]).toEqual(['', 0])
    expect(stderr).toMatch(
      /^The session has only prompts and answers\. Run `dagline log \w+` to print them\.$/m,
    )
  })
})

describe('workflow runs', () => {
  const root = join(REPOSITORY, 'fixtures', 'recordings', '2.1.325', 's24d_workflow', 'projects')

  it('[A6] have name, phases, subagents and state', () => {
    const { workflows } = json(dagline(['graph', root, '--json']))
    expect(workflows).toMatchInlineSnapshot(`
      [
        {
          "call": "9381b219-c046-4fc5-b9bd-720faeb6821f",
          "durationMs": 528,
          "id": "wf_03cfeb3d-98f",
          "name": "lab",
          "phases": [
            {
              "agents": [
                {
                  "agent": "a0481cdddb6284421",
                  "hasResult": true,
                  "label": "wfa",
                },
                {
                  "agent": "a3d42f8244dc150f7",
                  "hasResult": true,
                  "label": "wfb",
                },
              ],
              "title": "One",
            },
          ],
          "session": "3cdbddfc-e51b-4da2-9033-c2efbbde9897",
          "state": "completed",
          "summary": "lab workflow",
        },
      ]
    `)
  })

  it('[A6] are shown at the call that started them', () => {
    const { stdout } = dagline(['log', 'latest', '--root', root])
    expect(stdout).toContain('workflow lab, completed: One (2 subagents)')
  })
})

describe('graph --json', () => {
  it('[C6] [G5] has operations and typed edges', () => {
    const { operations, edges } = json(
      dagline(['graph', join(REPOSITORY, 'fixtures', 'recorded', 'projects'), '--json']),
    )
    const kinds = (list: readonly Row[]): string =>
      [...new Set(list.map(({ kind }) => kind))].sort().join(' ')
    expect([kinds(operations), kinds(edges)]).toMatchInlineSnapshot(`
      [
        "compact fork rewind",
        "logicalParent preserved queued spawned",
      ]
    `)
  })
})

describe('diagnostics of a session', () => {
  const orphan = [
    ...RAPID.slice(0, 2),
    prompt('u9', 'never-written', 40, 'and now?'),
    answer('a9', 'u9', 44, 'now'),
  ]

  it('[G2] `log` counts them, `log --all` lists them with row and rule', async () => {
    expect((await onRows(orphan, 'log', 'latest')).stderr).toContain(
      '1 diagnostic about this session; --all lists them.',
    )
    const { stderr } = await onRows(orphan, 'log', 'latest', '--all')
    expect(stderr).toMatch(/row 3: .*never-written.* \(dag\/orphan\)/)
  })
})
