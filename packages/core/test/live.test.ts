import { describe, expect, it } from 'vitest'
import { appendRows, sessionId, walkSession } from '../src/index.js'
import { diagnosticsOf } from './checks.js'
import { draw, drawnOf, factsOf, graphOfFiles, rowsOf } from './support.js'

const on = '+{"is_active":true}'
const off = '+{"is_active":false}'
const version = (name: string): string => `+{"version":"${name}"}`
const promptNoted = 's1: ! {"type":"last-prompt","sessionId":"s1","lastPrompt":"u2"}'
const ended = 's1: ! {"type":"cost-state","sessionId":"s1"}'

type Row = [name: string, shape: string, live: string]

describe('the live leaf', () => {
  const leaves: Row[] = [
    ['the chain node on the last row', 's1: u1 a1 u2 a2', 'u1 a1 u2 a2'],
    ['by row, never by time', 's1: u1 a1 u2@+5h a2 / s1: a1 > u3@-4h a3', 'u1 a1 u3 a3'],
    [
      'the older branch, where it was written to last',
      's1: u1 a1 u2 a2 / s1: a1 > u3 a3 / s1: a2 > u4',
      'u1 a1 u2 a2 u4',
    ],
    [
      'not a late hook or notice on another branch',
      's1: u1 a1 u2 a2 / s1: a1 > u3 a3 / s1: a2 > h1 s9',
      'u1 a1 u3 a3',
    ],
    ['not an inline sidechain', 's1: u1 a1[t1:Task] r1[t1] a2 / s1: ~u5 ~a5', 'u1 a1 r1 a2'],
    ['a reply on a row before its prompt', 's1: u1 a1 a2<u2 u2<a1', 'u1 a1 u2 a2'],
    ['a chain of rows before their parents', 's1: u1 a1 a3<u3 u3<a2 a2<u2 u2<a1', 'u1 a1 u2 a2 u3 a3'],
    ['is_active on the older branch', `s1: u1 a1 u2 a2${on} / s1: a1 > u3${off} a3${off}`, 'u1 a1 u2 a2'],
    [
      'is_active on a whole branch',
      `s1: u1${on} a1${on} u2${off} a2${off} / s1: a1 > u3${on} a3${on} / s1: a2 > u4${off}`,
      'u1 a1 u3 a3',
    ],
    [
      'what follows a marked node, though it has no mark',
      `s1: u1 a1 u2${on} a2 / s1: a1 > u3 a3`,
      'u1 a1 u2 a2',
    ],
    [
      'the branch written to last at an unmarked fork below a marked node',
      `s1: u1 a1 u2${on} a2 u4 a4 / s1: a2 > u5 a5 / s1: a1 > u3 a3`,
      'u1 a1 u2 a2 u5 a5',
    ],
    [
      'the marked child, whatever is marked below the other',
      `s1: u1 a1 u2${on} a2 / s1: a1 > u3 a3${on}`,
      'u1 a1 u2 a2',
    ],
    ['over a compaction behind the marks', `s1: u1${on} a1${on} c1 k1 u2 a2`, 'k1 u2 a2'],
    ['the row, where is_active is nowhere true', `s1: u1 a1 u2${off} a2${off}`, 'u1 a1 u2 a2'],
  ]
  it.each(leaves)('[L2] %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it('[L2] nothing is live in an empty file, or in one without conversation', () => {
    expect(draw('s1: ! ').live()).toBe('')
    expect(draw('s1: h1 p1 s9').live()).toBe('')
    expect(draw('s1: u1').live('never.jsonl')).toBe('')
  })
})

describe('the live set', () => {
  const sets: Row[] = [
    [
      'all parts of a message, results as written',
      's1: u1 a1 a2=a1[t1] a3=a1[t2] a4=a1[t3] / s1: a4 > r3[t3] / s1: a2 > r1[t1] / s1: a3 > r2[t2] a5',
      'u1 a1 a2 a3 a4 r3 r1 r2 a5',
    ],
    [
      'parts by their chain, not by their rows',
      's1: u1 a2<a1=a1[t1] a1<u1 / s1: a2 > r1[t1] a3',
      'u1 a1 a2 r1 a3',
    ],
    [
      'a part written after a result of its message (s25)',
      's1: u1 a1[t1] a2=a1[t2] r2[t2] a3=a1[t3] / s1: a1 > r1[t1] / s1: a3 > r3[t3] a4',
      'u1 a1 a2 a3 r2 r1 r3 a4',
    ],
    [
      'hooks between parts and results are passed over',
      's1: u1 a1[t1] h1 a2=a1[t2] h2 r2[t2] h3 / s1: h1 > r1[t1] h4 / s1: h3 > a3',
      'u1 a1 a2 r2 r1 a3',
    ],
    ['linear results of 2.0.x', 's1: u1 a1[t1] a2=a1[t2] r2[t2] r1[t1] a3', 'u1 a1 a2 r2 r1 a3'],
    [
      'what a hook tells between two results, where it stands (1.0.x)',
      's1: u1 a1[t1] a2=a1[t2] r2[t2] u9+{"isMeta":true} r1[t1] a3',
      'u1 a1 a2 r2 u9 r1 a3',
    ],
    ['a call that still runs, in the last message', 's1: u1 a1[t1]', 'u1 a1'],
    ['one of two calls that still runs', 's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1]', 'u1 a1 a2 r1'],
    ['a caveat and commands on the chain', 's1: u1 a1 m1 l1 o1 u2 a2', 'u1 a1 m1 l1 o1 u2 a2'],
    ['a queued command is not a message of its own', 's1: u1 a1[t1] r1[t1] q1 a2', 'u1 a1 r1 a2'],
    ['interrupt notes', 's1: u1 a1 i1 u2 a2', 'u1 a1 i1 u2 a2'],
    ['over a parent that was never written', 's1: u1 a1 / s1: ?9 > u2 a2', 'u1 a1 u2 a2'],
  ]
  it.each(sets)('[L3] sent: %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  const unsent: Row[] = [
    ['a call without any result, once the conversation went on', 's1: u1 a1 a2=a1[t1] u2 a3', 'u1 a1 u2 a3'],
    ['a whole message of such calls', 's1: u1 a1[t1] u2 a2', 'u1 u2 a2'],
    [
      'only the call without result, of two',
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] u2 a3',
      'u1 a1 r1 u2 a3',
    ],
    ['a killed call beside the chain', 's1: u1 a1 a2=a1[t1] / s1: a1 > u2 a3', 'u1 a1 u2 a3'],
    ['a message of thinking only', 's1: u1 d1 u2 a2', 'u1 u2 a2'],
    ['but thinking with an answer is', 's1: u1 d1 a1=d1 u2 a2', 'u1 d1 a1 u2 a2'],
    ['and thinking that is last', 's1: u1 a1 u2 d2', 'u1 a1 u2 d2'],
    ['an API error notice', 's1: u1 e1 u2 a2', 'u1 u2 a2'],
    ['an API error notice at the end', 's1: u1 a1 u2 e2', 'u1 a1 u2'],
    ['retries in the chain', 's1: u1 v1 v2 a1', 'u1 a1'],
    [
      'an API error under a parallel result',
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] e1 / s1: a2 > r2[t2] a3',
      'u1 a1 a2 r1 r2 a3',
    ],
    ['a late api_error beside the answer', 's1: u1 a1 / s1: u1 > v1 / s1: a1 > u2 a2', 'u1 a1 u2 a2'],
    [
      'a late local_command beside a stub',
      's1: u1 a1 l1 y1 u2 a2 / s1: l1 > s9+{"subtype":"local_command"}',
      'u1 a1 l1 y1 u2 a2',
    ],
    ['another branch', 's1: u1 a1 u2 a2 / s1: a1 > u3 a3', 'u1 a1 u3 a3'],
    ['the prompt taken back', 's1: u1 a1 u2 / s1: a1 > u3 a3', 'u1 a1 u3 a3'],
  ]
  it.each(unsent)('[L7] not sent: %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it('[L9] the answer to a blocking stop hook is sent, though it stands beside the chain', () => {
    const blocked = '+{"attachment":{"type":"hook_blocking_error"}}'
    const d = draw(`s1: u1 a1 h1${blocked} a2 / s1: h1 > s9@=h1+{"subtype":"stop_hook_summary"} u2 a3`)
    expect(d.live()).toBe('u1 a1 a2 u2 a3')
  })

  const late = 's1: u1 a1[t1] r1[t1] a2 / s1: a1 > p1@=a1 p2@=a1 u2 a3'
  it('[L9] rows written late: the process that runs goes on from the end of the turn, one that resumes has lost it', () => {
    expect(draw(late).live()).toBe('u1 a1 r1 a2 u2 a3')
    expect(draw(late).trunk()).toBe('u1 a1 p1 p2 r1 a2 u2 a3')
    expect(draw(late).branches()).toEqual([])
    expect(draw(`${late}\n${ended}\ns1: a3 > u3 a4`).live()).toBe('u1 a1 r1 u2 a3 u3 a4')
  })

  it('[L9] rows written late: a process that gets its next prompt at once has not ended, whatever is noted', () => {
    const noted = `${late}\n${promptNoted}\n`
    expect(draw(`${noted}s1: a3 > u3 a4`).live()).toBe('u1 a1 r1 u2 a3 u3 a4')
    expect(draw(`${noted}s1: a3 > u3@=a3 a4`).live()).toBe('u1 a1 r1 a2 u2 a3 u3 a4')
  })

  it('[L9] rows written late: one that leaves the last turn is of another process, however soon it follows', () => {
    const noted = `${late}\ns1: a3 > u4 a5\n${promptNoted}\n`
    expect(draw(`${noted}s1: a5 > u3@=a5 a4`).live()).toBe('u1 a1 r1 a2 u2 a3 u4 a5 u3 a4')
    expect(draw(`${noted}s1: a3 > u3@=a5 a4`).live()).toBe('u1 a1 r1 u2 a3 u3 a4')
  })

  const startHook = '+{"attachment":{"type":"hook_success","hookName":"SessionStart:resume"}}'
  it('[L9] rows written late: a hook that runs at the start of a process tells that it has loaded the file', () => {
    expect(draw(`${late}\ns1: a3 > h2${startHook} u3 a4`).live()).toBe('u1 a1 r1 u2 a3 u3 a4')
    const compacts = startHook.replace('resume', 'compact')
    expect(draw(`${late}\ns1: a3 > h2${compacts} u3 a4`).live()).toBe('u1 a1 r1 a2 u2 a3 u3 a4')
  })

  it('[L9] rows written late: a process that cleared its conversation does not come back to it', () => {
    const clear = '! {"type":"queue-operation","operation":"enqueue","content":"/clear"}'
    expect(draw(`${late}\ns1: ${clear}\ns1: a3 > u3 a4`).live()).toBe('u1 a1 r1 u2 a3 u3 a4')
    expect(draw(`${late}\ns1: ${clear}\ns1: a3 > m1 u3 a4`).live()).toBe('u1 a1 r1 a2 u2 a3 m1 u3 a4')
  })

  it('[L10] a result on a row before its call is sent where it was got', () => {
    const shape =
      's1: u1 a1[t1] / s1: r2[t2]<a3 / s1: a1 > a2=a1[t3] r3[t3] / s1: r3 > a3=a1[t2] / s1: a1 > r1[t1] a4'
    expect(draw(shape).live()).toBe('u1 a1 a2 a3 r3 r2 r1 a4')
    const late = 's1: u1 a1[t1] / s1: r2[t2]<a2@+1h / s1: a1 > a2=a1[t2]@=a1 / s1: a1 > r1[t1]@=a2 a4'
    expect(draw(late).live()).toBe('u1 a1 a2 r1 r2 a4')
  })

  it('[L9] rows written late: a prompt behind a reply that was broken off is of another process, which has lost it', () => {
    const stop = (reason: string | null): string => `+{"message":{"stop_reason":${JSON.stringify(reason)}}}`
    const shape = `s1: u1 a1[t1] r1[t1] a2${stop('end_turn')} / s1: a1 > p1@=a1 u2`
    expect(draw(`${shape} a3${stop(null)} u3 a4`).live()).toBe('u1 a1 r1 u2 a3 u3 a4')
    expect(draw(`${shape} a3${stop('end_turn')} u3 a4`).live()).toBe('u1 a1 r1 a2 u2 a3 u3 a4')
    const silent = shape.replace('a1[t1]', `a1[t1]${stop(null)}`).replace(stop('end_turn'), stop(null))
    expect(draw(`${silent} a3${stop(null)} u3 a4`).live()).toBe('u1 a1 r1 a2 u2 a3 u3 a4')
  })

  const lateRows: Row[] = [
    [
      'hung on a call, the answer on the result of another',
      's1: u1 a1[t1] a2=a1[t2] r2[t2] / s1: a1 > r1[t1] a3 / s1: a2 > p1@=a2 u2 a4',
      'u1 a1 a2 r2 r1 a3 u2 a4',
    ],
    ['a failed request, hung on the prompt', 's1: u1 a1 / s1: u1 > v1@=u1 u2 a2', 'u1 a1 u2 a2'],
    ['before a notification', 's1: u1 a1[t1] r1[t1] a2 / s1: r1 > p1@=r1 n1 a3', 'u1 a1 r1 a2 n1 a3'],
    ['beside another process (507 of 2.1.101)', 's1: u1 a1 u2 a2 / s1: a1 > s9@=a1 u3 a3', 'u1 a1 u3 a3'],
    ['not late but new: a rewind', 's1: u1 a1[t1] r1[t1] a2 / s1: a1 > p1 u2 a3', 'u1 a1 r1 u2 a3'],
  ]
  it.each(lateRows)('[L9] rows written late: %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it.each([
    ['1.0.128', 'u1 e1 u2 a2'],
    ['2.0.31', 'u1 e1 u2 a2'],
    ['2.0.47', 'u1 u2 a2'],
    ['2.0.64', 'u1 u2 a2'],
    ['2.1.325', 'u1 u2 a2'],
  ])('[L7] notices of failed requests as %s handled them', (name, live) => {
    expect(draw(`s1: u1 e1${version(name)} u2 a2`).live()).toBe(live)
  })

  it.each([
    ['within the turn of the request', `s1: u1 a1[t1] e1${version('1.0.128')} r1[t1]`, 'u1 a1 r1'],
    ['by 2.0.35, whose process has it in memory', `s1: u1 e1${version('2.0.35')} u2@=e1 a2`, 'u1 u2 a2'],
  ])('[L7] notices of failed requests are not sent %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it('[L7] a notice is sent by a process of 2.0.35 that may have loaded it', () => {
    expect(draw(`s1: u1 e1${version('2.0.35')} u2 a2`).live()).toBe('u1 e1 u2 a2')
  })

  it.each([
    ['2.0.64', 'u1 d1 u2 a2'],
    ['2.1.101', 'u1 u2 a2'],
  ])('[L7] thinking alone as %s handled it', (name, live) => {
    expect(draw(`s1: u1 d1${version(name)} u2 a2`).live()).toBe(live)
  })

  it('[L8] resumed in the middle of a message: cut for the process that asked so, whole for the next', () => {
    const cut = `s1: u1 a1 a2=a1[t1] r1[t1] a3\n${ended}\ns1: a1 > u2 a4`
    expect(draw(cut).live()).toBe('u1 a1 u2 a4')
    expect(draw(`${cut}\n${ended}\ns1: a4 > u3 a5`).live()).toBe('u1 a1 a2 r1 u2 a4 u3 a5')
  })

  it('[L8] resumed in the middle of a message by a notification: cut there, too', () => {
    const cut = `s1: u1 a1 a2=a1[t1] r1[t1] a3\n${ended}\ns1: a1 > n1 u2 a4`
    expect(draw(cut).live()).toBe('u1 a1 n1 u2 a4')
  })

  const old = version('2.0.50')
  const linear = `s1: u1 a1 a2=a1[t1] a3=a1[t2] r2[t2] r1[t1] a4\ns1: a3 > u2${old} a5`
  const summary = 's9+{"subtype":"stop_hook_summary"}'
  it.each([
    ['the process that was started so sends calls without results', linear, 'u1 a1 a2 a3 u2 a5'],
    ['a later one leaves the calls out, too', `${linear} u3 a6`, 'u1 a1 u2 a5 u3 a6'],
    [
      'a hook summary shows that the same process goes on',
      `${linear} ${summary} u3 a6`,
      'u1 a1 a2 a3 u2 a5 u3 a6',
    ],
    [
      'a prompt that follows at once is of the same process',
      `${linear} u3@=a5 a6`,
      'u1 a1 a2 a3 u2 a5 u3 a6',
    ],
  ])('[L8] resumed in the middle of a message by 2.0.x: %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it.each([
    ['not within the turn', 's1: u1 a1[t1] a2[t2] r2[t2]', 'u1 a2 r2'],
    ['from the next turn on', 's1: u1 a1[t1] a2 u2', 'u1 a1 a2 u2'],
    ['not by a process that has loaded the file', `s1: u1 a1[t1] a2\n${ended}\ns1: a2 > u2`, 'u1 a2 u2'],
  ])('[L7] a call of a reply that broke off and was asked for again is sent %s', (_, shape, live) => {
    expect(draw(shape).live()).toBe(live)
  })

  it('[L8] two readings that were both sent are reported', () => {
    expect(diagnosticsOf(draw(`s1: u1 a1 a2=a1[t1] r1[t1] a3\n${ended}\ns1: a1 > u2 a4`))).toContain(
      'dag/ambiguous-live info u2',
    )
  })

  it('[L11] the history replayed by 1.0.66 is sent once, as the last copy', () => {
    const d = draw("s1: u1 a1[t1] r1[t1] a2 / s1: u1'@+1h a1'<u1'@=u1' r1'<a1'@=u1' a2'<r1'@=u1' u2 a3")
    expect(d.live()).toBe("u1' a1' r1' a2' u2 a3")
  })

  it('[L11] rows written again with the same uuids are sent once', () => {
    expect(draw('s1: u1 a1[t1] r1[t1] a2 / s1: u1 a1 r1 a2 / s1: a2 > u2 a3').live()).toBe(
      'u1 a1 r1 a2 u2 a3',
    )
  })

  it('[L11] a copy written as one line: the session reads it like the original', () => {
    const d = draw(
      's1: u1 a1[t1] a2=a1[t2] / s1: a2 > r2[t2] / s1: a1 > r1[t1] a3 / s2: u1 a1 a2 r2<a2 r1<r2 a3<r1 u4@+1h a4',
    )
    expect(d.live('s2.jsonl')).toBe('u1 a1 a2 r2 r1 a3 u4 a4')
    expect(d.live('s1.jsonl')).toBe('u1 a1 a2 r2 r1 a3')
  })

  it('[F1] [L3] going on from a parallel result after a crash drops the turns since, and is reported', () => {
    const d = draw('s1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 u2 a4 / s1: r1 > u3 a5')
    expect(d.live()).toBe('u1 a1 a2 r1 r2 u3 a5')
    expect(
      d
        .branches()
        .filter(branch => branch.includes('abandoned'))
        .join(),
    ).toContain('u2 a4')
    expect(diagnosticsOf(d).join()).toContain('dag/forgotten-turns warning')
  })

  it('[L3] an agent file has a live conversation of its own', () => {
    const d = draw(
      's1: u1 a1[t1:Task] r1[t1>x] a2 / s1/x: u5 a5[t5] a6=a5[t6] / s1/x: a6 > r6[t6] / s1/x: a5 > r5[t5] a7',
    )
    expect(d.live('s1/subagents/agent-x.jsonl')).toBe('u5 a5 a6 r6 r5 a7')
    expect(d.live()).toBe('u1 a1 r1 a2')
  })
})

describe('status and growth', () => {
  it('[L4] each branch has a status', () => {
    const d = draw(
      "s1: u1 a1 u2 a2 / s1: a1 > u2' a2' / s1: a1 > u3 / s1: a1 > u4 e4 / s1: a1 > u5 a5 u6 a6 / s1: a5 > u7 a7",
    )
    expect(d.branches()).toEqual([
      'u2 a2 (abandoned)',
      'u3 (taken-back)',
      'u4 e4 (retry)',
      'u5 a5 (live)',
      'u6 a6 (abandoned)',
      'u7 a7 (live)',
    ])
  })

  it('[L4] is_active decides the status, too', () => {
    const d = draw(`s1: u1 a1 u2 a2${on} / s1: a1 > u3${off} a3${off}`)
    expect(d.branches()).toEqual(['u2 a2 (live)', 'u3 a3 (abandoned)'])
  })

  it('[L6] a view leaves out branches, agents and structural nodes, and counts what it left out', () => {
    const { graph, say } = draw(
      's1: u1 a1[t1:Task] r1[t1>x] h1 a2 u2 a3 / s1: a2 > u3 h2 a4 / s1: a4 > p1 / s1/x: u5 a5',
    )
    const isMessage = (g: typeof graph, node: number): boolean => /^(user|assistant)$/.test(g.node(node).kind)
    const bare = walkSession(graph, sessionId('s1'), { branches: 'fold', agents: 'fold', shows: isMessage })
    const nodes = bare.rows.filter(row => row.kind === 'node').map(row => row.node)
    expect(say(nodes)).toBe('u1 a1 r1 a2 u3 a4')
    expect(bare.left).toEqual({ branches: 1, agents: 1, structural: 3 })
    const full = walkSession(graph, sessionId('s1'), { branches: 'show', agents: 'show', shows: () => true })
    expect(full.rows.filter(row => row.kind === 'node')).toHaveLength(graph.totals().nodes)
    expect(full.left).toEqual({ branches: 0, agents: 0, structural: 0 })
  })

  const growing = [
    's1: u1 a1[t1] a2=a1[t2] / s1: a2 > r2[t2] / s1: a1 > r1[t1] a3 u2 a4 / s1: a3 > u3 a5',
    's1: u1 a1 u2 a2 c1{u2,a2} k1 / s1: a2 > m1 l1 o1 u3 a3 / s1: a1 > u4 a4 c2 k2 u5',
    "s1: u1 a1 u2 a2 / s1: a1 > u2' a2' u3 a3 / s1: a3 > u4 e4 / s1: a3 > u5 d5 / s1: a3 > u6 a6",
    's1: u1 d1 a1=d1[t1] u2 a2 / s1: a1 > r1[t1] u3 a3 a5<u5 u5<a3 / s1: ?9 > u7 a7',
    's1: u1 a1 / s1: u2 a2 c1 u3 a3 / s1: k1<c1 u4 a4 / s1: h1 / s1: a4 > y1 u5',
  ]
  it.each(growing)('[L5] row by row the live conversation equals that of a full build: %s', text => {
    const { shape } = draw(text)
    const [file] = shape.files
    if (file === undefined) throw new RangeError('a shape without files')
    const facts = factsOf(file.path)
    const rows = rowsOf(file.text)
    const lines = file.text.split('\n')
    let graph = graphOfFiles([])
    rows.forEach((row, i) => {
      graph = appendRows(graph, [{ facts, rows: [row] }])
      const grown = drawnOf(shape, graph)
      const whole = drawnOf(
        shape,
        graphOfFiles([{ path: file.path, text: `${lines.slice(0, i + 1).join('\n')}\n` }]),
      )
      expect([i, grown.live(), grown.trunk(), grown.branches()]).toEqual([
        i,
        whole.live(),
        whole.trunk(),
        whole.branches(),
      ])
    })
  })
})
