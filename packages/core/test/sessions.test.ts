import { expandShape } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { examine } from '../src/faults/index.js'
import { type Graph, plainHead } from '../src/index.js'
import { idleSessions } from '../src/measure/index.js'
import { problems, sessions, title } from './ask.js'
import { type Drawn, draw, drawnOf, graphOfFiles } from './support.js'

/** The shape with its files read from last to first. */
function backwards(text: string): Drawn {
  const shape = expandShape(text)
  return drawnOf(shape, graphOfFiles([...shape.files].reverse(), shape.metas))
}

const note = (fields: object): string => `! ${JSON.stringify(fields)}`
const custom = (name: string): string => note({ type: 'custom-title', customTitle: name, sessionId: 's1' })
const ai = (name: string): string => note({ type: 'ai-title', aiTitle: name, sessionId: 's1' })
const summary = (name: string, leaf: string): string =>
  note({ type: 'summary', summary: name, leafUuid: `@{${leaf}}` })
const stamp = (session: string, token: string): string =>
  `+{"forkedFrom":{"sessionId":"${session}","messageUuid":"@{${token}}"}}`

describe('the session tree', () => {
  it('[S1] sessions that share nothing are roots, by their first time', () => {
    expect(sessions(draw('s2: u1 a1 / s1: u2 a2 / s3: u3 a3'))).toEqual(['s2', 's1', 's3'])
  })

  it('[S1] a session that goes on from another: its parent stands in that file', () => {
    const d = draw('s1: u1 a1 u2 a2 u3 / s2: u3 > a4 u5 a5')
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at u3 (resume)'])
    expect(d.trunk('s1')).toBe('u1 a1 u2 a2 u3')
    expect(d.trunk('s2')).toBe('a4 u5 a5')
  })

  it('[S1] two sessions at two nodes, the tree in the order of time', () => {
    const d = draw('s1: u1 a1 u2 a2 u3 / s2: u3 > a4 u5 a5 / s3: u2 > a6 u7 a7')
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at u3 (resume)', 's3 < s1 at u2 (resume)'])
    expect(problems(d)).toEqual([])
  })

  it('[S1] a chain of three sessions', () => {
    expect(sessions(draw('s1: u1 a1 / s2: a1 > u2 a2 / s3: a2 > u3 a3'))).toEqual([
      's1',
      's2 < s1 at a1 (resume)',
      's3 < s2 at a2 (resume)',
    ])
  })

  it('[S1] a fork by shared uuids, without any mark', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h a3')
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a1 (fork)'])
    expect(d.trunk('s1')).toBe('u1 a1 u2 a2')
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.live('s2.jsonl')).toBe('u1 a1 u3 a3')
    expect(d.graph.totals()).toMatchObject({ nodes: 6, placed: 6, folded: 0, forks: 0 })
  })

  it('[S1] /branch: shared uuids and a stamp on every copied row', () => {
    const d = draw(`s1: u1 a1 u2 a2 / s2: u1${stamp('s1', 'u1')} a1${stamp('s1', 'a1')} u3 a3`)
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a1 (branch)'])
    expect(d.graph.folded()).toEqual([])
  })

  it('[S1] an SDK fork: fresh uuids, stamped, folded as copies', () => {
    const d = draw(`s1: u1 a1 u2 a2 / s2: u1'${stamp('s1', 'u1')} a1'<u1'${stamp('s1', 'a1')} u3 a3`)
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a1 (fork)'])
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.graph.folded().map(({ node, under, why }) => `${d.say([node, under])} ${why}`)).toEqual([
      "u1' u1 copy",
      "a1' a1 copy",
    ])
    expect(d.live('s2.jsonl')).toBe("u1' a1' u3 a3")
    expect(d.graph.totals()).toMatchObject({ nodes: 8, placed: 6, folded: 2 })
  })

  it('[S1] /fork: a background session with copied history', () => {
    const bg = '+{"sessionKind":"bg"}'
    const d = draw(`s1: u1 a1 u2 a2 / s2: u1${bg} a1${bg} f1<a1${bg} u3${bg} a3${bg}`)
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a1 (background)'])
  })

  it('[S1] a resume of 1.0.66: new uuids, one new time, folded as replays', () => {
    const d = draw("s1: u1 a1[t1] r1[t1] a2 / s2: u1'@+1h a1'<u1'@=u1' r1'<a1'@=u1' a2'<r1'@=u1' u3 a3")
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a2 (resume)'])
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.graph.folded().map(({ node, under, why }) => `${d.say([node, under])} ${why}`)).toEqual([
      "u1' u1 replay",
      "a1' a1 replay",
      "r1' r1 replay",
      "a2' a2 replay",
    ])
    expect(d.live('s2.jsonl')).toBe("u1' a1' r1' a2' u3 a3")
  })

  it('[S1] a fork of 2.0.64: copied rows keep the old session id', () => {
    const old = '+{"sessionId":"s1"}'
    const d = draw(`s1: u1 a1 u2 a2 / s2: u1${old} a1${old} u3@+1h a3`)
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a1 (fork)'])
    expect(d.trunk('s1')).toBe('u1 a1 u2 a2')
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.live('s2.jsonl')).toBe('u1 a1 u3 a3')
  })

  it('[S1] a copy without rows of its own attaches where it ends', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u1 a1')
    expect(sessions(d)).toEqual(['s1', 's2 < s1 at a1 (fork)'])
  })

  it('[S1] a session that shares only its middle', () => {
    expect(sessions(draw('s1: u1 a1 u2 a2 / s2: u2 a2 u3@+1h a3'))).toEqual(['s1', 's2 < s1 at a2 (fork)'])
  })

  it('[S2] links are by uuid: the head of a session names the node it leaves, and that node its session', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h a3 / s3: u1 a1 u4@+2h a4')
    const heads = d.graph.lines().filter(({ id }) => id !== 's1')
    expect(heads.map(({ id, at }) => `${id} ${d.say([at])}`)).toEqual(['s2 a1', 's3 a1'])
    expect(d.verdict('a1')).toBe('none')
  })

  it('[S2] going back to shared history inside a fork is a branch of the fork', () => {
    const d = draw('s1: u1 a1 u2 a2 u9 / s2: u1 a1 u2 a2 u3@+1h a3 / s2: a1 > u4@+2h a4')
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.branches('s2')).toEqual(['u4 a4 (live)'])
    expect(d.live('s2.jsonl')).toBe('u1 a1 u4 a4')
  })
})

describe('who owns a node', () => {
  const owner = (d: Drawn, token: string): string => d.graph.node(d.node(token)).session

  it.each([
    ['the session that began first', 's2: u1 a1 / s1: u1@+1h a1 u3 a3', 'a1', 's2'],
    [
      'the session whose own rows begin first, where the copy has the same times',
      's2: u1 a1 u2 a2 / s1: u1 a1 u3@+1h a3',
      'a1',
      's2',
    ],
    [
      'the session without stamps',
      `s2: u1 a1 u2 a2 / s1: u1${stamp('s2', 'u1')} a1${stamp('s2', 'a1')} u3 a3`,
      'a1',
      's2',
    ],
    [
      'the session that is not a background fork',
      's2: u1 a1 u2 a2 / s1: u1+{"sessionKind":"bg"} a1+{"sessionKind":"bg"} f1<a1+{"sessionKind":"bg"}',
      'a1',
      's2',
    ],
    [
      'the session whose notes begin first',
      's2: ! {"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-01T09:59:59Z"}\ns2: u1 a1 / s1: u1 a1 u3@+1h a3',
      'a1',
      's2',
    ],
    ['the first by path, where nothing else decides', 's2: u1 a1 / s1: u1 a1', 'a1', 's1'],
  ])('[G1] %s', (_, shape, token, session) => {
    expect(owner(draw(shape), token)).toBe(session)
    expect(owner(backwards(shape), token)).toBe(session)
  })

  it('[G1] a sighting with another parent keeps it in the view of its own file', () => {
    const d = draw('s1: u1 a1 u2 a2 c1{a2} k1<c1 u3 a3 / s2: c1 k1 a2<k1 u4@+1h a4')
    expect(d.live('s2.jsonl')).toBe('k1 a2 u4 a4')
    expect(d.live('s1.jsonl')).toBe('k1 a2 u3 a3')
    expect(d.trunk('s1')).toBe('u1 a1 u2 a2 c1 k1 u3 a3')
  })
})

describe('roots', () => {
  it.each([
    ['a hook at the start', 's1: h1 / s1: u1 a1'],
    ['progress at the start', 's1: p1 / s1: u1 a1'],
    ['a local command', 's1: u1 a1 / s1: l1 o1 / s1: a1 > u2 a2'],
    ['a caveat', 's1: m1 l1 o1 / s1: u1 a1'],
    ['compactions', 's1: u1 a1 c1 k1 a2 c2 k2 a3'],
    ['an inline sidechain', 's1: u1 a1[t1:Task>u2] / s1: ~u2 ~a2 / s1: a1 > r1[t1] a3'],
    ['the rows of another session', 's1: u1 a1 / s2: a1 > u2 a2'],
    ['a first prompt sent again', 's1: u1 a1 / s1: u2@+1h a2'],
  ])('[S3] expected and silent: %s', (_, shape) => {
    expect(problems(draw(shape))).toEqual([])
  })

  it('[S3] any other second root is a warning', () => {
    const d = draw('s1: u1 a1 / s1: x2 u2 a3')
    expect(problems(d)).toEqual(['warning dag/second-root s1.jsonl:3 x2'])
  })
})

describe('titles', () => {
  it('[S4] the custom title before all others, the last one of them', () => {
    const d = draw(`s1: ${custom('one')}\ns1: u1 a1\ns1: ${custom('two')}\ns1: ${ai('by the model')}`)
    expect(title(d)).toBe('two')
  })

  it('[S4] then the last AI title', () => {
    expect(title(draw(`s1: u1 a1\ns1: ${ai('one')}\ns1: ${ai('two')}\ns1: ${summary('sum', 'a1')}`))).toBe(
      'two',
    )
  })

  it('[S4] then a summary in another file that names a leaf of this session', () => {
    const shape = `s1: u1 a1\ns2: ${summary('what s1 was about', 'a1')}\ns2: u2 a2`
    expect([title(draw(shape)), title(draw(shape), 's2')]).toEqual(['what s1 was about', 'prompt u2'])
    expect(title(backwards(shape))).toBe('what s1 was about')
  })

  it('[S4] a summary of a leaf that two sessions share names the owner, in every order', () => {
    const shape = `s1: u1 a1 u2 a2\ns2: u1 a1 u3@+1h a3\ns3: ${summary('shared', 'a1')}\ns3: u4@+2h a4`
    expect([title(draw(shape)), title(backwards(shape))]).toEqual(['shared', 'shared'])
    expect([title(draw(shape), 's2'), title(backwards(shape), 's2')].includes('shared')).toBe(false)
  })

  it('[S4] of two summaries the same one counts in every order', () => {
    const shape = `s1: u1 a1 u2 a2\ns2: ${summary('first', 'a1')}\ns2: u3 a3\ns3: ${summary('second', 'a2')}\ns3: u4 a4`
    expect(title(draw(shape))).toBe(title(backwards(shape)))
  })

  it('[S4] else the first real prompt, white space folded', () => {
    expect(title(draw('s1: m1 h1 u1"fix  the\\n bug" a1 u2 a2'))).toBe('fix the bug')
  })

  it('[S4] a prompt of a subagent is not a title', () => {
    expect(title(draw('s1: ~u2 ~a2 / s1: u1 a1'))).toBe('prompt u1')
  })

  it('[S4] commands as they were typed', () => {
    expect(title(draw('s1: l1 o1'))).toBe('/status')
    expect(title(draw('s1: l1"<bash-input>git status</bash-input>" o1'))).toBe('!git status')
    const message =
      '<command-message>review is running</command-message>\\n<command-name>/review</command-name>'
    expect(title(draw(`s1: l1"${message}" a1`))).toBe('/review')
    const args = '<command-args>12 now</command-args>'
    expect(title(draw(`s1: l1"${message}${args}" a1 u1 a2`))).toBe('/review 12 now')
  })

  it('[S4] a local command before the first real prompt is not the title', () => {
    const clear = 'l1"<command-name>/clear</command-name>" o1'
    expect(title(draw(`s1: m1 ${clear} u1"fix the bug" a1`))).toBe('fix the bug')
  })

  it('[S4] a summary of the same folder, unless it is the notice of a failed request', () => {
    const summary = (words: string) => `! {"type":"summary","summary":"${words}","leafUuid":"${uuid}"}`
    const uuid = draw('s1: u1 a1').graph.id(1)
    expect(title(draw(`s1: u1 a1\ns2: ${summary('Fixing the bug')}`))).toBe('Fixing the bug')
    expect(title(draw(`s1: u1 a1\ns2: ${summary('Invalid API key · Please run /login')}`))).toBe('prompt u1')
  })

  it('[S7] shows what was typed, without what the editor added', () => {
    const opened = '<ide_opened_file>The user opened the file a.ts in the IDE.</ide_opened_file>'
    expect(plainHead(`${opened}\nfix  it`)).toBe('fix it')
    expect(plainHead(opened)).toBe('The user opened the file a.ts in the IDE.')
    expect(plainHead('<system-reminder>x</system-reminder><ide_selection>y</ide_selection>Why?')).toBe('Why?')
    expect(plainHead('what does <command-name>/x</command-name> mean')).toContain('what does')
    expect(plainHead('<user-memory-input>be brief</user-memory-input>')).toBe('#be brief')
    expect(plainHead('<scheduled-task name="tidy" file="/a/b.md">\nTidy up.\n</scheduled-task>')).toBe(
      'tidy: Tidy up.',
    )
    expect(plainHead('<teammate-message teammate_id="lead">Look at')).toBe('Look at')
    const notice = '<task-notification>\n<task-id>b7</task-id>\n<status>completed</status>'
    expect(plainHead(`${notice}\n<summary>Tests ended</summary>\n</task-notification>`)).toBe('Tests ended')
    expect(plainHead(notice)).toBe('Background task b7 completed')
    expect(plainHead('<scheduled-tasks> are new')).toBe('<scheduled-tasks> are new')
  })

  it('[S4] notes of an agent file do not name the session', () => {
    expect(title(draw(`s1: u1 a1 / s1/x: u2 a2\ns1/x: ${custom('not me')}`))).toBe('prompt u1')
  })

  it('[S4] nothing to be called by', () => {
    expect(title(draw('s1: a1'))).toBe(null)
  })

  it('[S5] messages sent in rapid succession make one line', () => {
    const d = draw('s1: u1 a1 u2@+1ms a2 u3@+1ms a3')
    expect([d.trunk(), d.branches()]).toEqual(['u1 a1 u2 a2 u3 a3', []])
  })
})

describe('a session whose transcript is gone', () => {
  /** Agents as 2.0.x writes them: beside the sessions, which only their rows name. */
  const beside = (text: string): Graph => {
    const { files } = expandShape(text)
    const moved = files.map(file => ({ ...file, path: file.path.replace(/^.*\/subagents\//, '') }))
    return graphOfFiles(moved)
  }

  it('[S8] is a session with its subagents, and their words', () => {
    const graph = beside('s1/x: u1"Warmup" a1 / s1/y: u2"find it" a2 / s2: u3 a3')
    const found = graph.sessions().map(({ id, title: name, files }) => [id, name, files.length])
    expect(found).toEqual([
      ['s1', 'find it', 2],
      ['s2', 'prompt u3', 1],
    ])
    expect([...idleSessions(graph)]).toEqual([])
  })

  it('[S8] is idle where nothing but warm-ups is left', () => {
    expect([...idleSessions(beside('s1/x: u1"Warmup" a1 / s2: u3 a3'))]).toEqual(['s1'])
  })

  it('[S8] is not examined, nor is a file without entries; a file of another name has the session of its entries', () => {
    const summary = `! {"type":"summary","summary":"x","leafUuid":"none"}`
    const { files } = expandShape(`s1/x: u1 a1 / s2: u2 a2 / s3: u3 a3\ns4: ${summary}`)
    const renamed = files.map(file => ({ ...file, path: file.path.replace('s3.jsonl', 'short.jsonl') }))
    expect(examine(graphOfFiles(renamed)).map(({ session }) => session)).toEqual(['s2', 's3'])
  })
})

describe('turns', () => {
  /** The tokens of the nodes that begin turns. */
  const turns = (shape: string): string => {
    const { graph, say } = draw(shape)
    const starts = graph.lines().flatMap(({ nodes }) => nodes.filter(node => graph.startsTurn(node)))
    return say(starts)
  }

  it.each([
    ['a command that the model answered', 's1: l1 h1 a1 u1 a2', 'l1 u1'],
    ['not a local command', 's1: u1 a1 m1 l1 o1', 'u1'],
    ['not a local command before a prompt', 's1: m1 l1 o1 u1 a1', 'u1'],
    ['not a command of whose output the model says more later', 's1: l1 o1 a1', ''],
    ['not a command that was replaced by another', 's1: l1 l2 a1', 'l2'],
    ['not a command before a compaction', 's1: u1 a1 l1 c1 k1 a2', 'u1'],
    ['not what was delivered in mid turn', 's1: u1 a1[t1] r1[t1] q1 a2', 'u1'],
    [
      'prompts on branches and of subagents',
      `${'s1: u1 a1 u2 a2'} / s1: a1 > u3@+1h a3 / s1/x: u4 a4`,
      'u1 u2 u3 u4',
    ],
  ])('[S6] begin with a prompt: %s', (_, shape, expected) => {
    expect(turns(shape).split(' ').sort().join(' ')).toBe(expected)
  })
})
