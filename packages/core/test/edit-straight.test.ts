/** E4: what is written is one line of parents, so that every release sends what was promised; branches stay branches. */

import { generate } from '@dagline/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type EditPlan,
  planCheckout,
  planFork,
  planPick,
  planSplit,
  planTrim,
  type TrimScope,
} from '../src/edit/index.js'
import { planRepair } from '../src/faults/index.js'
import type { Graph } from '../src/index.js'
import {
  type Editable,
  type EditedShape,
  editable,
  editShape,
  MAKE,
  readAgain,
  resultOf,
} from './edit-support.js'

const RELEASES = ['2.1.325', '2.1.197', '2.1.101', '2.1.41', '2.0.64', '1.0.66']
const LESS: TrimScope = { outputs: 10, images: true, thinking: false, progress: true }

/** Parallel calls with their results beside the chain, and a branch that was left in the middle of it. */
const PARALLEL =
  's1: u1 a1[t1] a2=a1[t2] / s1: a1 > r1[t1] / s1: a2 > r2[t2] a3 u2 a4 / s1: a3 > u3@+30m a5[t3] a6=a5[t4] / s1: a5 > r3[t3] / s1: a6 > r4[t4] a7'

/** What every release loads of the result, beside what was promised. */
function loads(edited: EditedShape, plan: EditPlan | string | null): readonly string[] {
  return [edited.promise(plan), ...RELEASES.map(version => edited.loaded(plan, version))]
}

const PLANS: Readonly<Record<string, (edited: EditedShape) => EditPlan | string | null>> = {
  trim: edited => planTrim(edited, edited.file(), MAKE, LESS),
  'fork at the end': edited => planFork(edited, edited.node('a7'), MAKE),
  'fork at an older branch': edited => planFork(edited, edited.node('a4'), MAKE),
  'fork in the middle of a message': edited => planFork(edited, edited.node('r1'), MAKE),
  'checkout of an older branch': edited => planCheckout(edited, edited.node('a4'), MAKE),
  'pick of an older turn': edited => planPick(edited, edited.node('a7'), [edited.node('u2')], MAKE),
  'split, the first half': edited => {
    const halves = planSplit(edited, edited.file(), edited.node('u3'), [MAKE, MAKE])
    return typeof halves === 'string' ? halves : halves[0]
  },
}

it('[E7] a fork names the first row after the point, not one before it that cannot be sent', () => {
  const blank = '{"message":{"role":"assistant","content":[{"type":"text","text":""}]}}'
  const edited = editShape(`s1: u1 a1+${blank} a2 u2 a3 u3 a4`)
  const plan = planFork(edited, edited.node('a3'), MAKE)
  const cut = typeof plan === 'string' ? null : plan.changes.find(({ what }) => what === 'cut-here')
  expect(cut?.node).toBe(edited.graph.id(edited.node('u3')))
})

describe('what is written', () => {
  it.each(Object.entries(PLANS))('[E16] is loaded whole by every release: %s', (_, planOf) => {
    const edited = editShape(PARALLEL)
    const [promise, ...loaded] = loads(edited, planOf(edited))
    expect(promise?.startsWith('u1 a1 a2 r1 r2')).toBe(true)
    expect(loaded).toEqual(RELEASES.map(() => promise))
  })

  it('[E16] [E6] is loaded whole by every release: repair', () => {
    const edited = editShape(`${PARALLEL} u4<?9 a8`)
    const plan = planRepair(edited, edited.file(), MAKE, { only: [], inPlace: false, mayLose: true })
    const [promise, ...loaded] = loads(edited, plan)
    expect(promise).toBe('u1 a1 a2 r1 r2 a3 u3 a5 a6 r3 r4 a7 u4 a8')
    expect(loaded).toEqual(RELEASES.map(() => promise))
    expect(edited.branches(plan)).toBe(edited.branches())
  })

  it('[E16] hangs results on one another in the order of sending', () => {
    const edited = editShape('s1: u1 a1[t1] a2=a1[t2] / s1: a2 > r2[t2] / s1: a1 > r1[t1] h1 a3')
    expect(edited.links(planTrim(edited, edited.file(), MAKE, LESS))).toBe(
      'u1<- a1<u1 a2<a1 r2<a2 r1<r2 h1<r1 a3<h1',
    )
  })

  it('[E16] steps over progress, entries of unknown types and notices of failed requests', () => {
    const edited = editShape('s1: u1 p1 a1 x1 u2 e1 u3 a3')
    const none: TrimScope = { outputs: null, images: false, thinking: false, progress: false }
    const trimmed = planTrim(edited, edited.file(), MAKE, none)
    expect(edited.links(trimmed)).toBe('u1<- p1<u1 a1<u1 x1<a1 u2<a1 e1<u2 u3<u2 a3<u3')
    const branched = editShape('s1: u1 p1 u2 e1 u3 a3 / s1: p1 > u4@+1h a4 / s1: e1 > u5@+2h a5')
    const kept = planTrim(branched, branched.file(), MAKE, none)
    expect(branched.links(kept)).toBe('u1<- p1<u1 u2<u1 e1<u2 u3<e1 a3<u3 u4<u1 a4<u4 u5<e1 a5<u5')
    const out = planCheckout(edited, edited.node('a3'), MAKE)
    expect(edited.links(out)).toBe('u1<- a1<u1 u2<a1 u3<u2 a3<u3')
  })

  it('[E16] goes on behind the summary where an entry hangs over a compaction', () => {
    const edited = editShape(
      's1: u1 a1 u2 a2 c1{u2,a2} k1<c1 / s1: a2 > u3@+1m a3[t1] a4=a3[t2] / s1: a3 > r1[t1] / s1: a4 > r2[t2] a5',
    )
    const plan = planTrim(edited, edited.file(), MAKE, LESS)
    expect(edited.promise(plan)).toBe('k1 u2 a2 u3 a3 a4 r1 r2 a5')
    for (const version of ['2.1.325', '2.1.197', '2.1.101'])
      expect([version, edited.loaded(plan, version)]).toEqual([version, 'k1 u2 a2 u3 a3 a4 r1 r2 a5'])
  })

  it('[E16] what a compaction kept hangs on one another, too', () => {
    const edited = editShape(
      's1: u1 a1 u2 a2[t1] a3=a2[t2] / s1: a2 > r1[t1] / s1: a3 > r2[t2] a4 c1{u2,a2,a3,r1,r2,a4} k1<c1 u3 a5',
    )
    const plan = planTrim(edited, edited.file(), MAKE, LESS)
    expect(edited.links(plan)).toBe('u1<- a1<u1 u2<a1 a2<u2 a3<a2 r1<a3 r2<r1 a4<r2 c1<- k1<c1 u3<k1 a5<u3')
  })

  it('[E16] ends with a notice only where the last message is not the last row', () => {
    const edited = editShape(PARALLEL)
    const typesOf = (plan: EditPlan | string): readonly unknown[] =>
      typeof plan === 'string' ? [] : resultOf(edited, plan).rows.map(({ subtype }) => subtype)
    expect(typesOf(planFork(edited, edited.node('a7'), MAKE))).not.toContain('informational')
    expect(typesOf(planFork(edited, edited.node('a4'), MAKE))).toContain('informational')
    expect(typesOf(planPick(edited, edited.node('a7'), [edited.node('u2')], MAKE))).toContain('informational')
  })

  it('[E16] of two entries at one time the later is where every release ends', () => {
    const edited = editShape('s1: u1 a1@=u1')
    const plan = planCheckout(edited, edited.node('a1'), MAKE)
    const rows = typeof plan === 'string' ? [] : resultOf(edited, plan).rows
    expect(rows.at(-2)).toMatchObject({ subtype: 'informational', parentUuid: rows[1]?.['uuid'] })
  })

  it('[E7] [E8] leaves open calls of messages out that are sent', () => {
    const edited = editShape('s1: u1 a1 a2=a1[t1] / s1: a1 > u2 a3[t2] r2[t2]')
    for (const plan of [
      planTrim(edited, edited.file(), MAKE, LESS),
      planFork(edited, edited.node('r2'), MAKE),
    ]) {
      expect(edited.promise(plan)).toBe('u1 a1 u2 a3 r2')
      expect(edited.links(plan)).not.toContain('a2')
    }
  })

  it('[E8] [G7] leaves a second copy of the history out', () => {
    const edited = editShape("s1: u1 a1[t1] r1[t1] a2 / s1: u1'<- a1'<u1' r1'<a1'[t1] a2'<r1' u3 a3")
    const plan = planTrim(edited, edited.file(), MAKE, LESS)
    const [promise, ...loaded] = loads(edited, plan)
    expect(promise).toBe('u1 a1 r1 a2 u3 a3')
    expect(loaded).toEqual(RELEASES.map(() => promise))
  })

  it('[E8] gives what the conversation went on with where a rewind undid a compaction', () => {
    const edited = editShape('s1: u1 a1 u2 a2 c1{a2} k1<c1 u3 a3 / s1: a1 > u4@+30m a4')
    const plan = planTrim(edited, edited.file(), MAKE, LESS)
    expect(edited.promise(plan)).toBe('u1 a1 u4 a4')
    expect(edited.loaded(plan, '2.1.325')).toBe('u1 a1 u4 a4')
  })
})

const runs = { numRuns: Number(process.env.DAGLINE_RUNS ?? 4) }
const seeds = fc.integer({ min: 1, max: 1_000_000 })
const STYLES = ['1.0.66', '2.0.64', '2.1.41', '2.1.101', '2.1.197', '2.1.325'] as const

/** Nothing was killed, and what one compaction kept no other takes away: both are told of by the doctor. */
const WEIGHTS = { kill: 0, unwritten: 0, compact: 0, autoCompact: 0, summarizeUpTo: 0, summarizeFrom: 0 }

describe.each(STYLES)('conversations written as %s does', style => {
  it('[E16] [E8] are trimmed so that every release loads what was promised', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const made = generate(seed, { style, weights: WEIGHTS })
        const source = editable(made.files, made.metas)
        for (const file of source.graph.files().filter(({ facts }) => facts.kind === 'session'))
          expect(differences(source, planTrim(source, file, MAKE, LESS))).toEqual([])
      }),
      runs,
    )
  })

  it('[E16] [E8] [F13] keep their forks when they are trimmed', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const made = generate(seed, { style, weights: WEIGHTS, oneSession: true })
        const source = editable(made.files, made.metas)
        const file = source.graph.files().find(({ facts }) => facts.kind === 'session')
        const plan = file === undefined ? '' : planTrim(source, file, MAKE, NOTHING)
        if (typeof plan === 'string') return
        const { rows } = resultOf(source, plan)
        const origins = new Map(rows.map(row => [String(row['uuid']), originOf(row)]))
        const again = readAgain(plan, resultOf(source, plan)).graph
        expect(rewinds(again, id => origins.get(id) ?? id)).toEqual(rewinds(source.graph, id => id))
      }),
      runs,
    )
  })
})

const NOTHING: TrimScope = { outputs: null, images: false, thinking: false, progress: false }

/** Per release, what is loaded and was not promised, or the other way round. Thoughts are sent or not by the model. */
function differences(source: Editable, plan: EditPlan | string): readonly string[] {
  if (typeof plan === 'string') return []
  const result = resultOf(source, plan)
  const { graph, loaded } = readAgain(plan, result)
  const thoughts = new Set(result.rows.filter(isThought).map(({ uuid }) => uuid))
  const promised = new Set(result.live.filter(id => !thoughts.has(id)))
  return RELEASES.filter(version => version !== SENDS_NOTICES).flatMap(version => {
    const sent = new Set(
      loaded(version)
        .map(node => String(graph.id(node)))
        .filter(id => !thoughts.has(id)),
    )
    const lost = [...promised].filter(id => !sent.has(id)).map(id => `${version} lost ${id}`)
    return [...lost, ...[...sent].filter(id => !promised.has(id)).map(id => `${version} more ${id}`)]
  })
}

/** It sends notices of failed requests on as the model's words. */
const SENDS_NOTICES = '1.0.66'

function isThought({ message }: Readonly<Record<string, unknown>>): boolean {
  return /"content":\[(\{"type":"thinking"[^{}]*\},?)+\]/.test(JSON.stringify(message) ?? '')
}

function originOf(row: Readonly<Record<string, unknown>>): string {
  return /"messageUuid":"([^"]+)"/.exec(JSON.stringify(row['forkedFrom']) ?? '')?.[1] ?? String(row['uuid'])
}

/** Where a conversation really parts, and into what. */
function rewinds(graph: Graph, name: (id: string) => string): readonly string[] {
  const isMain = (node: number): boolean => graph.node(node).agent === null
  const isMessage = (node: number): boolean => ['user', 'assistant'].includes(graph.node(node).kind)
  return graph
    .forks()
    .filter(({ kind, children }) => kind === 'rewind' && children.every(isMain))
    .map(({ children }) =>
      children
        .filter(isMessage)
        .map(child => name(graph.id(child)))
        .join(' '),
    )
    .sort()
}
