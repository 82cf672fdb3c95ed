import { describe, expect, it } from 'vitest'
import { diagnosticsOf, lostIn } from './checks.js'
import { draw, everything, graphInParts, graphOfFiles } from './support.js'

const sdkFork = (token: string): string => `+{"forkedFrom":{"sessionId":"s1","messageUuid":"@{${token}}"}}`

describe('identity', () => {
  it('[G1] a uuid in two files is one node of the earlier session, with two sightings', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h a3')
    expect(d.graph.totals().nodes).toBe(6)
    expect(d.graph.node(d.node('a1')).session).toBe('s1')
    expect([d.trunk('s1'), d.trunk('s2')]).toEqual(['u1 a1 u2 a2', 'u3 a3'])
    expect([d.live('s1.jsonl'), d.live('s2.jsonl')]).toEqual(['u1 a1 u2 a2', 'u1 a1 u3 a3'])
    expect(d.graph.explain(d.node('a1')).find(({ rule }) => rule === 'G1')?.evidence).toContain('s2.jsonl')
  })

  it('[G1] the owner is the session that began first, whatever was read first', () => {
    const d = draw('s2: u1 a1 u2 / s1: u9@-1h a9 u2<a9')
    expect(d.graph.node(d.node('u2')).session).toBe('s1')
    expect(d.trunk('s1')).toBe('u9 a9 u2')
    expect(d.trunk('s2')).toBe('u1 a1')
  })

  it('[G1] where both begin at one instant, the copy is the one with fork stamps', () => {
    const d = draw(`s1: u1${sdkFork('u1')} a1 / s2: u1+{"forkedFrom":null} a1 u2 a2`)
    expect(d.graph.node(d.node('u1')).session).toBe('s2')
  })

  it('[G1] then the one whose own, uncopied rows begin first', () => {
    const d = draw('s1: u1 a1 u5@+5h a5 / s2: u1 a1 u2@-4h a2')
    expect(d.graph.node(d.node('u1')).session).toBe('s2')
  })

  it('[G1] a sighting with another parent keeps it in its own file (a fork after a compaction)', () => {
    const d = draw('s1: u1 a1 u2 a2 c1{a2} k1 u3 a3 / s2: c1 k1 a2<k1 u4<a2@+1h a4')
    expect(d.graph.node(d.node('a2')).parent).toBe(d.shape.uuid('u2'))
    expect(d.trunk('s1')).toBe('u1 a1 u2 a2 c1 k1 u3 a3')
    expect(d.live('s1.jsonl')).toBe('k1 a2 u3 a3')
    expect(d.live('s2.jsonl')).toBe('k1 a2 u4 a4')
  })

  it('[G1] a row written twice in one file counts once', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: u1 a1 u2 a2 / s1: a2 > u3 a3')
    expect(d.graph.totals()).toMatchObject({ rows: 10, entries: 10, nodes: 6 })
    expect(d.trunk()).toBe('u1 a1 u2 a2 u3 a3')
    expect(diagnosticsOf(d)).toEqual(['dag/duplicate-row info u1'])
  })
})

describe('links', () => {
  it('[G2] a missing parent makes a root, and the diagnostic names the likely one', () => {
    const d = draw('s1: u1 a1 / s1: ?9 > u2 a2')
    const [orphan] = d.graph.diagnostics()
    expect(diagnosticsOf(d)).toEqual(['dag/orphan warning u2'])
    expect(orphan?.message).toContain(d.shape.uuid('?9'))
    expect(orphan?.message).toContain(`${d.shape.uuid('a1')} on row 2`)
    expect(d.trunk()).toBe('u1 a1 u2 a2')
    expect(d.live()).toBe('u1 a1 u2 a2')
  })

  it('[G2] an orphan with nothing before it says so', () => {
    const d = draw('s1: ?9 > u1 a1')
    expect(diagnosticsOf(d)).toEqual(['dag/orphan warning u1'])
    expect(d.graph.diagnostics()[0]?.message).toContain('nothing stands before it')
  })

  it('[G2] hooks and progress without a parent are told quietly', () => {
    expect(diagnosticsOf(draw('s1: u1 a1 / s1: ?9 > p1 / s1: ?8 > h1'))).toEqual([
      'dag/orphan info p1',
      'dag/orphan info h1',
    ])
  })

  it('[G2] an entry that hangs on a sidechain is not an orphan', () => {
    const d = draw('s1: u1 a1[t1:Task] ~u2 ~a2 / s1: a2 > r1[t1] a3')
    expect(diagnosticsOf(d)).toEqual([])
    expect(lostIn(d.graph)).toEqual([])
  })

  it('[G2] a parent in another file of the project is found', () => {
    const d = draw('s1: u1 a1 / s2: a1 > u2@+1h a2')
    expect(diagnosticsOf(d)).toEqual([])
    expect(d.graph.node(d.node('u2')).parent).toBe(d.shape.uuid('a1'))
  })

  const cycles: [name: string, shape: string, diagnostics: string[], trunk: string][] = [
    ['of two', 's1: u1<a1 a1', ['dag/cycle warning u1'], 'u1 a1'],
    ['of three', 's1: u1<a2 a1 a2', ['dag/cycle warning u1'], 'u1 a1 a2'],
    [
      'with chains that lead into it',
      's1: u1<a2 a1 a2 / s1: a2 > u3 a3 / s1: a3 > h1',
      ['dag/cycle warning u1'],
      'u1 a1 a2 u3 a3 h1',
    ],
    ['entered from an earlier row', 's1: u9<a2 a9 / s1: u1<a2 a1 a2', ['dag/cycle warning u1'], ''],
    ['of one', 's1: u1 a1 / s1: u2<u2 a2', ['dag/self-parent warning u2'], ''],
    ['and another', 's1: u1<a1 a1 / s1: u2<a2 a2', ['dag/cycle warning u1', 'dag/cycle warning u2'], ''],
  ]
  it.each(cycles)('[G3] a cycle %s is cut once and told once', (_, shape, diagnostics, trunk) => {
    const d = draw(shape)
    expect(diagnosticsOf(d)).toEqual(diagnostics)
    expect(lostIn(d.graph)).toEqual([])
    if (trunk !== '') expect(d.trunk()).toBe(trunk)
  })

  it('[G3] only the cut link changes: every other parent is kept', () => {
    const d = draw('s1: u1<a2 a1 a2 / s1: a2 > u3 a3')
    const parents = ['u1', 'a1', 'a2', 'u3', 'a3'].map(token => d.graph.node(d.node(token)).parent)
    expect(parents).toEqual([null, ...['u1', 'a1', 'a2', 'u3'].map(d.shape.uuid)])
  })

  it('[G3] no cycle, no diagnostic: many leaves on one node', () => {
    const d = draw('s1: u1 a1 u2 a2 / s1: a2 > h1 / s1: a2 > h2 / s1: a2 > h3 / s1: a2 > h4 / s1: a2 > h5')
    expect(diagnosticsOf(d)).toEqual([])
    expect(d.verdict('a2')).toBe('F2 structural: h1 h2 h3 h4 h5')
  })

  it.each([
    ['one pair', 's1: a1<u1 / s1: u1', 'u1 a1'],
    ['in the middle', 's1: u1 a1 a2<u2 u2<a1 / s1: a2 > u3', 'u1 a1 u2 a2 u3'],
    ['a whole file backwards', 's1: a2<u2 u2<a1 a1<u1 u1<-', 'u1 a1 u2 a2'],
  ])('[G4] a child may stand before its parent: %s', (_, shape, wanted) => {
    const d = draw(shape)
    expect(d.trunk()).toBe(wanted)
    expect(d.live()).toBe(wanted)
    expect(diagnosticsOf(d)).toEqual([])
  })

  it('[G5] other relations are edges with a type and move no node', () => {
    const d = draw(`
      s1: ! {"type":"summary","summary":"old","leafUuid":"@{a2}"}
      s1: u1 a1[t1:Task>x] r1[t1>x] a2 c1{a2} k1
      s1: ! {"type":"queue-operation","operation":"enqueue","content":"prompt u3","sessionId":"s1","timestamp":"2026-01-01T10:01:00Z"}
      s1: ! {"type":"queue-operation","operation":"dequeue","sessionId":"s1","timestamp":"2026-01-01T10:01:01Z"}
      s1: k1 > u3 a3
      s1/x: u5 a5
      s2: u1'@+1h+{"forkedFrom":{"sessionId":"s1","messageUuid":"@{u1}"}}`)
    const token = (node: number | null): string => (node === null ? '-' : d.say([node]))
    const edges = [...d.graph.edges()].map(({ kind, from, to }) => `${kind} ${token(from)} ${token(to)}`)
    expect(edges).toEqual(
      expect.arrayContaining([
        'logicalParent c1 a2',
        'preserved c1 a2',
        "forkedFrom u1' u1",
        'spawned a1 u5',
        'answers r1 a1',
        'queued - u3',
        'summaryOf - a2',
      ]),
    )
    const parents = ['c1', "u1'", 'u5'].map(name => d.graph.node(d.node(name)).parent)
    expect(parents).toEqual([null, null, null])
  })
})

describe('copies', () => {
  it('[G6] a file wholly contained in another is marked a copy and keeps its sightings', () => {
    const d = draw('s1: u1 a1 u2 a2 / s2: u1 a1')
    expect(d.graph.lines().map(({ id, status, nodes }) => [id, status, nodes.length])).toEqual([
      ['s1', 'live', 4],
      ['s2', 'copy', 0],
    ])
    expect(d.graph.totals()).toMatchObject({ files: 2, nodes: 4, placed: 4 })
    expect(d.live('s2.jsonl')).toBe('u1 a1')
    const contained = d.graph.sessions().find(session => session.id === 's2')
    expect(contained?.parent?.at).toBe(d.node('a1'))
  })

  it('[G6] near miss: the same nodes and one more are not a duplicate', () => {
    expect(
      draw('s1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h')
        .graph.lines()
        .map(line => line.id),
    ).toEqual(['s1', 's2'])
  })

  it('[G7] a resume of 1.0.x: the history again in a new file, under new uuids and one new time', () => {
    const d = draw("s1: u1 a1[t1] r1[t1] a2 / s2: u1'@+1h a1'<u1'@=u1' r1'<a1'@=u1' a2'<r1'@=u1' u3 a3")
    expect(d.say(d.graph.folded().map(({ node }) => node))).toBe("u1' a1' r1' a2'")
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.live('s2.jsonl')).toBe("u1' a1' r1' a2' u3 a3")
    expect([...d.graph.usage()].map(({ message }) => message)).toEqual(['msg_a1', 'msg_a2', 'msg_a3'])
    expect(d.graph.sessions().find(({ id }) => id === 's2')?.parent?.at).toBe(d.node('a2'))
  })

  it('[G7] a replay before each streamed message in the same file', () => {
    const d = draw(
      "s1: u1 a1 / s1: u1'@+1h a1'<u1'@=u1' u2 a2 / s1: u1''@+1h a1''<u1''@=u1'' u2'<a1''@=u1'' a2'<u2'@=u1'' u3 a3",
    )
    expect(d.trunk()).toBe('u1 a1 u2 a2 u3 a3')
    expect(d.branches()).toEqual([])
    expect(d.live()).toBe("u1'' a1'' u2' a2' u3 a3")
    expect(lostIn(d.graph)).toEqual([])
    expect([...d.graph.usage()]).toHaveLength(3)
  })

  it('[G7] string prompts come back as text blocks', () => {
    const blocks = '+{"message":{"content":[{"type":"text","text":"prompt u1"}]}}'
    const d = draw(`s1: u1 a1 / s1: u1'@+1h${blocks} a1'<u1'@=u1' u2 a2`)
    expect(d.say(d.graph.folded().map(({ node }) => node))).toBe("u1' a1'")
  })

  it('[G7] an SDK fork: fresh uuids with a stamp', () => {
    const stamp = sdkFork
    const d = draw(`s1: u1 a1 u2 a2 / s2: u1'@+1h${stamp('u1')} a1'<u1'${stamp('a1')} u3 a3`)
    expect(d.graph.folded().map(({ node, under, why }) => `${d.say([node, under])} ${why}`)).toEqual([
      "u1' u1 copy",
      "a1' a1 copy",
    ])
    expect(d.trunk('s2')).toBe('u3 a3')
    expect(d.live('s2.jsonl')).toBe("u1' a1' u3 a3")
  })

  it('[G7] near miss: the same words typed again in another turn are no copy', () => {
    const d = draw('s1: u1"go on" a1 u2"go on" a2 u3"go on" a3')
    expect(d.graph.folded()).toEqual([])
    expect(d.trunk()).toBe('u1 a1 u2 a2 u3 a3')
  })

  const prompt = (...texts: readonly string[]): string =>
    `+${JSON.stringify({ message: { content: texts.map(text => ({ type: 'text', text })) } }).replaceAll(' ', '_')}`

  it('[G7] a prompt of several blocks comes back as one entry per block', () => {
    const d = draw(
      `s1: u1${prompt('file', 'words')} a1 / s1: u2@=u1${prompt('file')} u3@=u1${prompt('words')} a1'<u3 u4 a4`,
    )
    expect(d.graph.folded().map(({ node, under }) => d.say([node, under]))).toEqual([
      'u2 u1',
      'u3 u1',
      "a1' a1",
    ])
    expect(d.trunk()).toBe('u1 a1 u4 a4')
  })

  it('[G7] near miss: a prompt at the time of another one is not a copy of it, although the same reply follows', () => {
    const d = draw(`s1: u1${prompt('file', 'words')} a1 / s1: u2"other"@=u1 a1'<u2 u3 a3`)
    expect(d.graph.folded().map(({ node, under }) => d.say([node, under]))).toEqual(["a1' a1"])
    expect(d.graph.lineOf(d.node('u2'))?.nodes).toContain(d.node('u2'))
    const plain = draw(`s1: u1"one" a1 / s1: u2"other"@=u1 a1'<u2 u3 a3`)
    expect(plain.say(plain.graph.folded().map(({ node }) => node))).toBe("a1'")
  })

  const shapes = [
    's1: u1 a1 u2 a2 / s2: u1 a1 u3@+1h a3 / s3: u1 a1 u3 u4<a3@+2h a4',
    "s1: u1 a1[t1] r1[t1] a2 / s2: u1'@+1h a1'<u1'@=u1' r1'<a1'@=u1' a2'<r1'@=u1' u3 a3 / s3: a2 > u9@+2h a9",
    's1: u1 a1[t1:Task>x] r1[t1>x] a2 / s1/x: u5 a5 / s1+z: u6 a6 / s2: a2 > u7@+1d a7 / s2: a7 > u8 / s2: a7 > u9 a9',
    's1: u1 a1 u2 a2 c1{a2} k1 u3 a3 / s2: c1 k1 a2<k1 u4<a2@+1h a4 / s2: a2 > u5 a5',
    's3: u3<a3 a3 / s2: ?9 > u1@-1d a1 / s1: u1 a1 u4@+3d',
  ]
  it.each(shapes)('[G8] the order of the files does not matter: %s', text => {
    const { shape, graph } = draw(text)
    const { files, metas } = shape
    const wanted = everything(graph)
    expect(everything(graphOfFiles([...files].reverse(), metas))).toEqual(wanted)
    expect(everything(graphOfFiles([...files.slice(1), ...files.slice(0, 1)], metas))).toEqual(wanted)
  })

  it.each(shapes)('[G8] [L5] read in parts it is the same graph: %s', text => {
    const { shape, graph } = draw(text)
    for (const cuts of [[0.5], [0.2, 0.4, 0.6, 0.8], [0.9]]) {
      expect(everything(graphInParts(shape.files, shape.metas, cuts))).toEqual(everything(graph))
    }
  })
})
