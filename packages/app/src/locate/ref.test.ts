import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expandShape, inProject, tokenUuid, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { openHistory } from '../history.js'
import { type Host, silentHost } from '../host/host.js'
import { findLabelled } from './label-target.js'
import { openConversation, openRef, pathsOf, sessionWordOf } from './ref.js'
import { locateShown } from './shown.js'

const SHAPE = [
  's1: u1 a1[t1:Task] r1[t1] u2 a2 / s1: r1 > u3@+30m a3',
  's1/abcdef0123: u4 a4',
  's2: u5@+2h a5',
].join('\n')

async function onShape<T>(use: (host: Host, notes: string[], root: string) => T): Promise<T> {
  const { files, metas } = expandShape(SHAPE)
  return await withHome(inProject([...files, ...metas]), home => {
    const notes: string[] = []
    return use({ ...silentHost([home.projects]), note: text => notes.push(text) }, notes, home.projects)
  })
}

const uuid = (token: string): string => tokenUuid(token)
const whole = uuid('u2')

describe('a REF', () => {
  it('[U3] names a branch or a subagent in every form that is printed', async () => {
    await onShape(host => {
      const head = (ref: string): string => {
        const { loaded, node } = openRef(ref, host)
        return loaded.graph.id(node)
      }
      const branches = [`s1@${whole}`, `@${whole}`]
      const agents = [
        's1#agent-abcdef',
        's1#abcdef',
        '#abcdef0123',
        '#agent-abc',
        'agent-abcdef0',
        'abcdef0123',
      ]
      expect(branches.map(head)).toEqual(branches.map(() => uuid('u2')))
      expect(agents.map(head)).toEqual(agents.map(() => uuid('u4')))
      for (const word of [...branches, ...agents]) {
        const { session, line } = openConversation(word, host)
        expect([word, session.id, line?.kind]).toEqual([
          word,
          's1',
          agents.includes(word) ? 'agent' : 'branch',
        ])
        expect(findLabelled(word, host).id).toMatch(agents.includes(word) ? /^s1#agent-/ : /^s1@/)
        expect(locateShown(word, host).session).toBe('s1')
      }
      expect(() => head('#nosuch')).toThrow(/^No subagent is called #nosuch\. Run /)
      expect(() => head('s1@nosuch')).toThrow(/^No branch or subagent is called s1@nosuch\. Run /)
    })
  })

  it('[U3] names a subagent by its whole id, whatever that looks like', async () => {
    const { files, metas } = expandShape('s1: u1 a1[t1:Task] r1[t1]\ns1/a71c3: u4 a4\ns1/acompact-x: u6 a6')
    await withHome(inProject([...files, ...metas]), home => {
      const head = (ref: string): string => {
        const { loaded, node } = openRef(ref, silentHost([home.projects]))
        return loaded.graph.id(node)
      }
      expect(['a71c3', 'acompact-x'].map(head)).toEqual([uuid('u4'), uuid('u6')])
      expect(() => head('a71c')).toThrow(/^No session, branch, subagent or entry is called a71c\. /)
    })
  })

  it('[U3] stands for its session where one is needed, which is noted', async () => {
    await onShape((host, notes, root) => {
      const words = [uuid('a3'), `s1:${uuid('a1')}`, `@${whole}`, 'abcdef0123']
      expect(words.map(word => sessionWordOf(word, host))).toEqual(words.map(() => 's1'))
      expect(notes).toEqual(words.map(word => `${word} is a part of session s1; the whole session is taken.`))
      expect(pathsOf([uuid('a3')], host)).toEqual([join(root, '-home-dev-proj/s1.jsonl')])
      for (const word of ['s1', 'latest', 'nosuch', 's']) expect(sessionWordOf(word, host)).toBe(word)
    })
  })

  it('[U3] that is an entry opens the line it is on', async () => {
    await onShape(host => {
      const opened = (token: string): unknown => openConversation(uuid(token), host).line?.kind
      expect([opened('a2'), opened('a3'), opened('a4')]).toEqual(['branch', undefined, 'agent'])
    })
  })
})

describe('a conversation', () => {
  it('[U3] may be named by its project: the latest one of it', async () => {
    await onShape((host, notes) => {
      expect(openConversation('dev-proj', host).session.id).toBe('s2')
      expect(notes).toEqual([
        expect.stringMatching(/^dev-proj is a project; the latest session of .* is taken\.$/),
      ])
    })
  })
})

describe('candidates', () => {
  it('[U4] of a prefix that is not unique have times and titles', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dagline-candidates-'))
    const before = process.env['XDG_CACHE_HOME']
    process.env['XDG_CACHE_HOME'] = folder
    try {
      await onShape(async host => {
        await openHistory({ host }).sessions()
        expect(() => openConversation('s', host)).toThrow(
          /^2 sessions begin with s: s1 \(\d{4}-\d\d-\d\d \d\d:\d\d, .+\), s2 \(.+\); give more characters\.$/,
        )
        expect(() => openRef(uuid('u2').slice(0, 4), host)).toThrow(/entries begin with .*\(\d{4}-\d\d-\d\d/)
        expect(() => openRef('s1:', host)).toThrow(/^s1: has no uuid after the colon\. Run /)
      })
    } finally {
      if (before === undefined) delete process.env['XDG_CACHE_HOME']
      else process.env['XDG_CACHE_HOME'] = before
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
