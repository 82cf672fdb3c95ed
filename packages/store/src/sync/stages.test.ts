import { fileId, sessionId } from '@dagline/core'
import { expect, it } from 'vitest'
import type { IndexedFacts } from '../db/facts.js'
import type { PresentFile } from './plan.js'
import { inStages, shareStage } from './stages.js'

const KINDS = { s: 'session', a: 'agent' } as const

/** A file such as `s1 s 5 100`: its session (`-` for none), its kind, its change time, its bytes. */
function opened(text: string): Parameters<typeof inStages>[0][number] {
  const [session = '', kind = 's', mtime = '0', bytes = '1'] = text.split(' ')
  const path = fileId(`p/${text.replaceAll(' ', '-')}.jsonl`)
  const facts: IndexedFacts = {
    path,
    kind: kind === 'a' ? KINDS.a : KINDS.s,
    session: session === '-' ? null : sessionId(session),
    agent: null,
    run: null,
    meta: null,
    title: null,
  }
  const known = { root: '/r', path, project: 'p', facts, bytes: Number(bytes), archive: null }
  return { file: { now: { ...known, mtime: Number(mtime) } }, job: known }
}

function stages(files: readonly string[], sessions: number, bytes = 1000): readonly (readonly string[])[] {
  const { first, rest } = inStages(files.map(opened), { sessions, bytes })
  const say = (list: typeof first): readonly string[] =>
    list.map(({ file }) => file.now.path.slice(2).replace('.jsonl', ''))
  return [say(first), say(rest)]
}

it('[I9] the newest sessions come first, each with the files of its subagents', () => {
  const files = ['s1 s 1 1', 's1 a 9 1', 's2 s 5 1', 's3 s 7 1', 's4 s 3 1']
  expect(stages(files, 2)).toEqual([
    ['s1-s-1-1', 's1-a-9-1', 's3-s-7-1'],
    ['s2-s-5-1', 's4-s-3-1'],
  ])
})

it('[I9] a session that is too large does not keep the others waiting', () => {
  expect(stages(['s1 s 9 900', 's2 s 8 90', 's3 s 7 20', 's4 s 6 10'], 9, 100)).toEqual([
    ['s2-s-8-90', 's4-s-6-10'],
    ['s1-s-9-900', 's3-s-7-20'],
  ])
})

it('[I9] a subagent beside sessions does not count as one', () => {
  expect(stages(['- a 9 1', '- a 8 1', 's1 s 7 1', '- a 6 1'], 1)).toEqual([
    ['--a-9-1', '--a-8-1', 's1-s-7-1'],
    ['--a-6-1'],
  ])
})

it('[I9] several roots share what comes first by the change times of their sessions', () => {
  const files = (...texts: readonly string[]): PresentFile[] => texts.map(text => opened(text).file.now)
  const old = files('s1 s 1 10', 's2 s 2 10')
  const mixed = files('s3 s 9 10', 's4 s 3 10').map(file => ({ ...file, root: '/other' }))
  const newest = files('s5 s 8 10', 's5 a 7 5', 's6 s 6 10').map(file => ({ ...file, root: '/third' }))
  expect(shareStage([old, mixed, newest], { sessions: 3, bytes: 1000 })).toEqual([
    { sessions: 0, bytes: 0 },
    { sessions: 1, bytes: 10 },
    { sessions: 2, bytes: 25 },
  ])
})
