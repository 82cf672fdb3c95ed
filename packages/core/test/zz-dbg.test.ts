import { generate } from '@dagline/testkit'
import { it } from 'vitest'
import { planFork, planCheckout, planRepair } from '../src/index.js'
import { editable, MAKE, resultOf } from './edit-support.js'
it.each([['2.1.325', 771020, 'checkout'], ['2.1.197', 407028, 'fork'], ['1.0.66', 293895, 'repair']] as const)('dbg %s', (style, seed, what) => {
  const made = generate(seed, { style, ...(what === 'repair' ? { damage: true } : {}) }); const source = editable(made.files, made.metas); const { graph } = source
  const talk = [...graph.nodes()].filter(node => ['user', 'assistant'].includes(graph.node(node).kind))
  const step = Math.max(1, Math.floor(talk.length / 6))
  const plans = what === 'repair' ? graph.files().filter(f => f.facts.kind === 'session').map(f => planRepair(source, f, MAKE, { only: [], inPlace: false })) : talk.filter((_, place) => place % step === 0).map(node => (what === 'fork' ? planFork : planCheckout)(source, node, MAKE))
  for (const plan of plans) {
    if (plan === null || typeof plan === 'string') continue
    const r = resultOf(source, plan); if (r.fault === null) continue
    console.log(style, seed, plan.from, r.fault, plan.changes.slice(0, 8))
    const ids = new Map(r.rows.map((x: any, i) => [x.uuid, i + 1]))
    console.log('PROMISE', plan.promise.map(x => ids.get(x)).join(' '))
    console.log(r.rows.map((x: any, i) => `${i + 1} ${x.type}/${x.subtype ?? ''}${x.isCompactSummary?'SUMMARY':''} <- ${ids.get(x.parentUuid) ?? x.parentUuid} ${plan.promise.includes(x.uuid) ? 'P' : ''} ${x.message?.id?.slice(-4) ?? ''} ${JSON.stringify(x.message?.content ?? '').slice(0, 60)} ${x.timestamp} ${x.compactMetadata ? 'log ' + ids.get(x.logicalParentUuid) + ' kept ' + x.compactMetadata.preservedMessages?.uuids?.map((u: any) => ids.get(u)) : ''}`).join('\n'))
    return
  }
})
