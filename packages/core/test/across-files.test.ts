import { expandShape } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { appendRows, sessionId, startGraph } from '../src/index.js'
import {
  type Drawn,
  draw,
  drawnOf,
  everything,
  factsOf,
  graphInParts,
  graphOfFiles,
  rowsOf,
} from './support.js'

const tree = 's1: u1 a1 u2 a2 a3 u3 a4'

/** The session s1 in two project folders: its first rows in one, the rest in the other. */
function moved(text: string, firstRows: number): Drawn {
  const shape = expandShape(text)
  const rows = (shape.files[0]?.text ?? '').trimEnd().split('\n')
  const files = [
    { path: 'a-old/s1.jsonl', text: `${rows.slice(0, firstRows).join('\n')}\n` },
    { path: 'b-new/s1.jsonl', text: `${rows.slice(firstRows).join('\n')}\n` },
  ]
  return drawnOf(shape, graphOfFiles(files))
}

describe('a conversation that goes on in another file', () => {
  type Row = [name: string, shape: string, path: string, live: string]
  const rows: Row[] = [
    ['from the middle', `${tree} / s3: a3 > u5 a5 u6`, 's3.jsonl', 'u1 a1 u2 a2 a3 u5 a5 u6'],
    ['from its end', `${tree} / s2: a4 > u5 a5`, 's2.jsonl', 'u1 a1 u2 a2 a3 u3 a4 u5 a5'],
    [
      'behind a copied suffix',
      `${tree} / s2: u2 > a2 a3 u3 a4 u5 a5`,
      's2.jsonl',
      'u1 a1 u2 a2 a3 u3 a4 u5 a5',
    ],
    ['over two files', `${tree} / s2: a3 > u5 a5 / s3: a5 > u6 a6`, 's3.jsonl', 'u1 a1 u2 a2 a3 u5 a5 u6 a6'],
    [
      'with the parts and results beside the chain',
      's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 / s2: a3 > u5 a5',
      's2.jsonl',
      'u1 a1 a2 r1 r2 a3 u5 a5',
    ],
    ['with a result in the other file', 's1: u1 a1[t1] / s2: a1 > r1[t1] a2', 's2.jsonl', 'u1 a1 r1 a2'],
    [
      'with the parts of a message in both',
      's1: u1 a1 a2=a1[t1] / s2: a2 > a3=a1[t2] r2[t2] / s2: a2 > r1[t1] a4',
      's2.jsonl',
      'u1 a1 a2 a3 r2 r1 a4',
    ],
    [
      'with a copied part beside the chain, once',
      's1: u1 a1 a2=a1[t1] a3=a1[t2] / s1: a3 > r2[t2] / s1: a2 > r1[t1] a4 / s2: a1 > a2 a3 r2 / s2: a2 > r1 a4 u5 a5',
      's2.jsonl',
      'u1 a1 a2 a3 r2 r1 a4 u5 a5',
    ],
    ['cut at a compaction there', 's1: u1 a1 c1 k1 u2 a2 / s2: a2 > u5 a5', 's2.jsonl', 'k1 u2 a2 u5 a5'],
  ]
  it.each(rows)('[L11] is whole: %s', (_, text, path, live) => {
    const d = draw(text)
    expect(d.live(path)).toBe(live)
    const { shape } = d
    expect(drawnOf(shape, graphOfFiles([...shape.files].reverse())).live(path)).toBe(live)
  })

  it('[L11] does not change what is live in the file it began in', () => {
    expect(draw(`${tree} / s3: a3 > u5 a5 u6`).live()).toBe('u1 a1 u2 a2 a3 u3 a4')
  })

  it('[L5] is the same after appending to either file', () => {
    const shape = expandShape(`${tree} / s2: u2 > a2 a3 u3 a4 u5 a5 u6 a6 / s3: a3 > u7 a7[t7] r7[t7] a8`)
    const whole = everything(graphOfFiles(shape.files))
    for (const cut of [0.2, 0.4, 0.5, 0.7, 0.9]) {
      expect(everything(graphInParts(shape.files, [], [cut]))).toEqual(whole)
    }
  })

  it('[L5] sees a part that is written late in the file it began in', () => {
    const before = expandShape('s1: u1 a1 a2=a1 / s2: a2 > u5 a5 u6 a6')
    const after = expandShape('s1: u1 a1 a2=a1 a3=a1 / s2: a2 > u5 a5 u6 a6')
    const [old, grown] = [before.files[0], after.files[0]]
    const start = graphOfFiles(before.files)
    expect(drawnOf(before, start).live('s2.jsonl')).toBe('u1 a1 a2 u5 a5 u6 a6')
    const late = rowsOf(grown?.text ?? '').slice(rowsOf(old?.text ?? '').length)
    const graph = appendRows(start, [{ facts: factsOf('s1.jsonl'), rows: late }])
    expect(drawnOf(after, graph).live('s2.jsonl')).toBe(
      drawnOf(after, graphOfFiles(after.files)).live('s2.jsonl'),
    )
  })
})

describe('a session in two folders', () => {
  it('[L11] is whole, and its current file is the one with the newest entry', () => {
    const d = moved('s1: u1 a1[t1] r1[t1] a2 u2 a3', 3)
    expect(d.graph.currentFile(sessionId('s1'))?.facts.path).toBe('b-new/s1.jsonl')
    expect(d.live('b-new/s1.jsonl')).toBe('u1 a1 r1 a2 u2 a3')
    expect(d.trunk()).toBe('u1 a1 r1 a2 u2 a3')
  })

  it('[L4] statuses go by the file with the newest entry', () => {
    const d = moved('s1: u1 a1 u2 a2 / s1: a1 > u3 a3', 4)
    expect(d.branches()).toEqual(['u2 a2 (abandoned)', 'u3 a3 (live)'])
  })

  it('[S1] a session that nobody wrote has no current file', () => {
    expect(startGraph().build().currentFile(sessionId('s1'))).toBeNull()
  })
})
