/** A9: subagents of which only the progress rows of their session are left. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CarryOptions, carryInProgress, expandShape, type TextFile } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { planCheckout } from '../src/edit/index.js'
import { parseRow } from '../src/index.js'
import { carriedRecord } from '../src/parse/entries/progress.js'
import { packRows, unpackRows, withCarried } from '../src/parse/index.js'
import { agents, problems } from './ask.js'
import { lostIn } from './checks.js'
import { findCorpus } from './corpus.js'
import { editable, MAKE, resultOf } from './edit-support.js'
import { type Drawn, drawnOf, everything, graphInParts, graphOfFiles, rowsOf } from './support.js'

const CALL = 's1: u1 a1[t1:Task>x]'
const ALONE = `${CALL} / s1/x: u2 a2[t2] r2[t2] a3=a2[t3] r3[t3] a4 / s1: a1 > r1[t1>x] a5`
const X: CarryOptions = { agent: 'x', call: 'toolu_t1' }

interface Carried extends Drawn {
  readonly files: readonly TextFile[]
}

function carried(shape: string, ...options: readonly CarryOptions[]): Carried {
  const drawn = expandShape(shape)
  const files = options.reduce((made: readonly TextFile[], each) => carryInProgress(made, each), drawn.files)
  return { ...drawnOf(drawn, graphOfFiles(files, drawn.metas)), files }
}

describe('subagents in progress rows', () => {
  it('[A9] the messages are a line of their own, at the call that the rows name', () => {
    const d = carried(ALONE, X)
    expect(d.branches()).toEqual(['agent u2 a2 r2 a3 r3 (live)'])
    expect(agents(d)).toEqual(['x general-purpose 1 complete: t1 of a1 by progress'])
    expect(d.graph.agents()[0]?.source).toBe('progress')
    expect(problems(d)).toEqual(['info dag/missing-agent-file s1.jsonl:3 u2'])
  })

  it('[A9] the conversation of the session is what it is without them', () => {
    const d = carried(ALONE, X)
    expect(d.live()).toBe('u1 a1 r1 a5')
    expect(d.trunk().replaceAll(/\S+-f000-\S+ /g, '')).toBe('u1 a1 r1 a5')
    expect(lostIn(d.graph)).toEqual([])
  })

  it('[P1] a row that carries a message is one entry', () => {
    const { rows, entries, blank, damaged } = carried(ALONE, X).graph.totals()
    expect([rows, entries, blank, damaged]).toEqual([9, 9, 0, 0])
  })

  it('[A9] the own file wins: nothing is listed or counted twice', () => {
    const d = carried(ALONE, { ...X, keepsFile: true })
    expect(d.branches()).toEqual(['agent u2 a2 r2 a3 r3 a4 (live)'])
    expect(d.graph.agents()[0]?.source).toBe('file')
    expect([...d.graph.usage()]).toHaveLength(4)
    expect(d.graph.node(d.node('a2')).file).toBe('s1/subagents/agent-x.jsonl')
    expect(problems(d)).toEqual([])
    expect(lostIn(d.graph)).toEqual([])
  })

  it('[A9] what the own file has lost is read from the progress rows', () => {
    const shape = expandShape(ALONE)
    const files = carryInProgress(shape.files, { ...X, keepsFile: true }).map(file => {
      const rows = file.text.split('\n')
      return file.path.includes('agent-') ? { ...file, text: rows.toSpliced(2, 1).join('\n') } : file
    })
    const d = drawnOf(shape, graphOfFiles(files))
    expect(d.branches()).toEqual(['agent u2 a2 r2 a3 r3 a4 (live)'])
    expect(d.graph.node(d.node('r2')).file).toBe('s1.jsonl')
    expect(d.graph.agents()[0]).toMatchObject({ source: 'file', state: 'complete' })
  })

  it('[A9] an agent file without any entry is ignored', () => {
    const shape = expandShape(ALONE)
    const empty = { path: 's1/subagents/agent-x.jsonl', text: '' }
    const d = drawnOf(shape, graphOfFiles([...carryInProgress(shape.files, X), empty]))
    expect(agents(d)).toEqual(['x general-purpose 1 complete: t1 of a1 by progress'])
    expect(d.graph.agents()[0]?.source).toBe('progress')
  })

  it('[A9] two at once are told apart, though their rows stand between each other', () => {
    const shape =
      's1: u1 a1[t1:Task>x,t2:Task>y] / s1/x: u2 a2[t3] r3[t3] a3 / s1/y: u4 a4[t5] r5[t5] a5 / s1: a1 > r1[t1>x] r2[t2>y] a6'
    const d = carried(shape, X, { agent: 'y', call: 'toolu_t2' })
    expect(d.branches()).toEqual(['agent u2 a2 r3 (live)', 'agent u4 a4 r5 (live)'])
    expect(agents(d).map(line => line.split(': ')[1])).toEqual([
      't1 of a1 by progress',
      't2 of a1 by progress',
    ])
  })

  it.each([
    ['a result', 'complete', 's1: a1 > r1[t1>x] a5'],
    ['an error', 'incomplete', 's1: a1 > r1[t1!] a5'],
    ['nothing', 'incomplete', 's1: a1 > u5'],
    ['a launch', 'incomplete', 's1: a1 > r1[t1>x]+{"toolUseResult":{"isAsync":true,"agentId":"x"}} a5'],
    [
      'a launch and its end',
      'complete',
      's1: a1 > r1[t1>x]+{"toolUseResult":{"isAsync":true,"agentId":"x"}} a5 n1[t1>x] a6',
    ],
  ])('[A9] the call ends in %s: the agent is %s', (_, state, end) => {
    const d = carried(`${CALL} / s1/x: u2 a2[t2] r2[t2] a3 / ${end}`, X)
    expect(d.graph.agents().map(agent => agent.state)).toEqual([state])
  })

  it('[A9] a message that is carried again is one entry, and its largest output counts', () => {
    const [session, ...others] = carryInProgress(expandShape(ALONE).files, X)
    const rows = (session?.text ?? '').split('\n')
    const again = rows
      .filter(row => row.includes('"agent_progress"') && row.includes('"output_tokens"'))
      .map((row, nth) =>
        row.replace('-f000-', `-e00${nth}-`).replace(/"output_tokens":\d+/, '"output_tokens":99'),
      )
    const text = [...rows.slice(0, -2), ...again, ...rows.slice(-2)].join('\n')
    const graph = graphOfFiles([{ path: 's1.jsonl', text }, ...others])
    expect(again.length).toBeGreaterThan(0)
    expect(graph.agents().map(({ domain }) => domain.roots.length)).toEqual([1])
    expect([...graph.usage()].filter(({ usage }) => usage.output === 99)).toHaveLength(1)
    expect(lostIn(graph)).toEqual([])
  })

  it('[A9] a forked session repeats the rows: the subagent stays one', () => {
    const shape = expandShape(ALONE)
    const [session] = carryInProgress(shape.files, X)
    const text = (session?.text ?? '').replaceAll('"sessionId":"s1"', '"sessionId":"s2"')
    const graph = graphOfFiles([{ path: 's2.jsonl', text }, ...carryInProgress(shape.files, X)])
    expect(graph.agents().map(({ id, source }) => `${id} ${source}`)).toEqual(['x progress'])
    expect(lostIn(graph)).toEqual([])
  })

  it('[G8] [A9] the order of files and of appending changes nothing', () => {
    for (const keepsFile of [false, true]) {
      const { files } = carried(ALONE, { ...X, keepsFile })
      const whole = JSON.stringify(everything(graphOfFiles(files)))
      expect(JSON.stringify(everything(graphOfFiles(files.toReversed())))).toBe(whole)
      for (let cut = 0; cut <= 10; cut++)
        expect(JSON.stringify(everything(graphInParts(files, [], [cut / 10])))).toBe(whole)
    }
  })

  it('[A9] the record is that of the own file, without its parent; a listener hears of both', () => {
    const d = carried(ALONE, X)
    const row = d.files[0]?.text.split('\n')[2] ?? ''
    const heard: string[] = []
    const see = withCarried((json, record) => heard.push(`${record.kind} ${String(json['isSidechain'])}`))
    parseRow({ row: 1, offset: 0, length: row.length, text: row, whole: true }, see)
    expect(heard).toEqual(['progress false', 'user true'])
    expect(carriedRecord(JSON.parse(row))).toMatchObject({ type: 'user', agentId: 'x', sessionId: 's1' })
    expect(carriedRecord({ type: 'user', data: { type: 'agent_progress' } })).toBeNull()
  })

  it('[E4] [A9] checked out as a session of its own: the messages inside the rows, as one line', () => {
    const source = editable(carried(ALONE, X).files)
    const line = source.graph.lines().find(({ kind }) => kind === 'agent')
    const plan = planCheckout(source, line?.nodes.at(-1) ?? -1, MAKE)
    if (typeof plan === 'string') throw new RangeError(plan)
    const { fault, rows, live } = resultOf(source, plan)
    expect(fault).toBeNull()
    expect(live).toHaveLength(5)
    const messages = rows.filter(({ type }) => type === 'user' || type === 'assistant')
    expect(messages.map(({ type, isSidechain, agentId }) => [type, isSidechain, agentId])).toEqual(
      ['user', 'assistant', 'assistant', 'user', 'user'].map(type => [type, false, undefined]),
    )
    expect(rows.some(({ type }) => type === 'progress')).toBe(false)
  })

  it('[I1] packed rows give the same graph', () => {
    const rows = rowsOf(carried(ALONE, X).files[0]?.text ?? '')
    expect(unpackRows(packRows(rows))).toEqual(rows)
  })
})

const root = findCorpus()
if (root === null) {
  process.stderr.write(
    'not run: subagents in progress rows of the corpus (no DAGLINE_CORPUS, no ../shared/corpus/projects.tar.xz)\n',
  )
}

describe.runIf(root !== null)('the public corpus', () => {
  it('[A9] every subagent of progress rows has a line at its call, and can be checked out', {
    timeout: 120_000,
  }, () => {
    const faults: string[] = []
    const sessions = new Set<number | string>()
    let count = 0
    for (const name of readdirSync(root ?? '').sort()) {
      const files = filesWithProgress(join(root ?? '', name))
      if (files.length === 0) continue
      const source = editable(files)
      for (const { id, source: from, spawnedBy, domain } of source.graph.agents()) {
        if (from !== 'progress') continue
        count++
        sessions.add(`${name} ${domain.session}`)
        const line = source.graph.lines().find(({ kind, domain: own }) => kind === 'agent' && own === domain)
        const plan = planCheckout(source, line?.nodes.at(-1) ?? -1, MAKE)
        const fault = typeof plan === 'string' ? plan : resultOf(source, plan).fault
        if (fault !== null) faults.push(`${name} ${id}: ${fault}`)
        if (spawnedBy?.evidence !== 'progress' || line?.at !== spawnedBy.node)
          faults.push(`${name} ${id}: no call`)
      }
      faults.push(...lostIn(source.graph))
    }
    expect(faults).toEqual([])
    expect([count, sessions.size]).toEqual([66, 31])
  })
})

/** The files of a project, if any of them has subagents in progress rows. */
function filesWithProgress(dir: string): readonly TextFile[] {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.jsonl'),
  )
  const files = paths.sort().map(path => ({ path, text: readFileSync(join(dir, path), 'utf8') }))
  return files.some(({ text }) => text.includes('"agent_progress"')) ? files : []
}
