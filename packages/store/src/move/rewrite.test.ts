import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { movedPath } from './paths.js'
import { type RewriteOptions, startRewrite } from './rewrite.js'

const MOVES = [{ from: '/home/dev/shop', to: '/srv/store' }]

/** A text rewritten, given in pieces of a size. */
function rewritten(text: string, options: Partial<RewriteOptions> = {}, size = 7): string {
  const rewriter = startRewrite({ moves: MOVES, deep: false, ...options })
  const bytes = Buffer.from(text)
  // The same buffer again and again, as when a file is read.
  const buffer = Buffer.alloc(size)
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(buffer, 0, at, at + size)
    out.push(...rewriter.write(buffer.subarray(0, length)).map(piece => Buffer.from(piece)))
  }
  return Buffer.concat([...out, ...rewriter.end()]).toString()
}

describe('paths', () => {
  it('[M2] a path moves with what is below it, and with nothing beside it', () => {
    expect(movedPath('/home/dev/shop', MOVES)).toBe('/srv/store')
    expect(movedPath('/home/dev/shop/a b', MOVES)).toBe('/srv/store/a b')
    for (const path of ['/home/dev/shop2', '/home/dev/shop-old', '/home/dev', 'x/home/dev/shop', ''])
      expect(movedPath(path, MOVES)).toBeNull()
    expect(movedPath('C:\\x\\y', [{ from: 'C:\\x', to: 'D:\\z' }])).toBe('D:\\z\\y')
  })
})

describe('rewriting', () => {
  it('[M3] fields that hold paths change, and nothing else: not what was said, not how it is written', () => {
    const row = `{"cwd" : "/home/dev/shop","n":1.0,"n":2,"e":"\\u00e9\\/","message":{"content":"in /home/dev/shop"},"toolUseResult":{"file":{"filePath":"/home/dev/shop/a"}}}\r\n`
    expect(rewritten(row)).toBe(row.replace('"/home/dev/shop",', '"/srv/store",'))
  })

  it('[M3] values of any depth take time linear in their length', () => {
    const deep = `${'{"/home":'.repeat(100_000)}"/home/dev/shop"${'}'.repeat(100_000)}`
    const row = `{"message":${deep},"cwd":"/home/dev/shop"}\n`
    expect(rewritten(row, {}, 65_536)).toBe(row.replace('"cwd":"/home/dev/shop"', '"cwd":"/srv/store"'))
  })

  it('[M3] worktrees, file history, spilled output and the indexes beside transcripts', () => {
    const text = JSON.stringify({
      worktreeSession: { worktreePath: '/home/dev/shop/.claude/worktrees/x', worktreeName: '/home/dev/shop' },
      snapshot: {
        trackedFileBackups: {
          '/home/dev/shop/a.b': { realParentDir: '/home/dev/shop' },
          'c.d': { realParentDir: '/home/dev/shop/e' },
        },
      },
      entries: [{ projectPath: '/home/dev/shop', firstPrompt: '/home/dev/shop' }],
      projects: { '/home/dev/shop': { allowedTools: ['/home/dev/shop'] }, '/home/dev/shop2': {} },
    })
    const moved = JSON.stringify({
      worktreeSession: { worktreePath: '/srv/store/.claude/worktrees/x', worktreeName: '/home/dev/shop' },
      snapshot: {
        trackedFileBackups: {
          '/srv/store/a.b': { realParentDir: '/srv/store' },
          'c.d': { realParentDir: '/srv/store/e' },
        },
      },
      entries: [{ projectPath: '/srv/store', firstPrompt: '/home/dev/shop' }],
      projects: { '/srv/store': { allowedTools: ['/home/dev/shop'] }, '/home/dev/shop2': {} },
    })
    expect(rewritten(text)).toBe(moved)
  })

  it('[M3] however a path is escaped', () => {
    expect(rewritten('{"cwd":"\\/home\\/dev\\/shop\\u002fa"}\n')).toBe('{"cwd":"/srv/store/a"}\n')
    const windows = [{ from: 'C:\\dev\\ü', to: 'D:\\x"y' }]
    expect(rewritten(JSON.stringify({ cwd: 'C:\\dev\\ü\\a' }), { moves: windows })).toBe(
      JSON.stringify({ cwd: 'D:\\x"y\\a' }),
    )
    expect(rewritten('{"cwd":"C:\\\\dev\\\\\\u00fc"}', { moves: windows })).toBe('{"cwd":"D:\\\\x\\"y"}')
  })

  it('[M3] rows that are cut, joined or not JSON pass unchanged, and the next row is read right', () => {
    const good = '{"cwd":"/home/dev/shop"}\n'
    const moved = '{"cwd":"/srv/store"}\n'
    for (const bad of [
      '{"cwd":"/home/dev/sh\n',
      '{"a":"x\\\n',
      '}}]]"\n',
      '\n',
      'not json "\n',
      '{"a":[{"b":\n',
      '\u0000\u0000\n',
    ])
      expect(rewritten(bad + good)).toBe(bad + moved)
    expect(rewritten(`{"a":1}${good}`)).toBe(`{"a":1}${moved}`)
  })

  it('[M3] a long text in the middle of a row is passed through, wherever it is cut', () => {
    const long = `{"message":"${'\\"x\\\\'.repeat(40_000)}","cwd":"/home/dev/shop"}\n`
    for (const size of [4093, 65_536, 1_000_003])
      expect(rewritten(long, {}, size)).toBe(long.replace('/home/dev/shop', '/srv/store'))
  })

  it('[M4] with deep also inside of what was said, only where a path begins and ends', () => {
    const said = (text: string): string => JSON.stringify({ message: { content: [{ text }] } })
    const deep = (text: string): string =>
      JSON.parse(rewritten(said(text), { deep: true })).message.content[0].text
    for (const text of [
      'cd /home/dev/shop',
      '/home/dev/shop/a:3',
      '"/home/dev/shop"',
      'a\n/home/dev/shop\n',
      'in /home/dev/shop.',
      'file:///home/dev/shop/x',
      'PATH=/home/dev/shop:/bin',
    ])
      expect(deep(text)).toBe(text.replace('/home/dev/shop', '/srv/store'))
    for (const text of [
      '/home/dev/shop2',
      '/home/dev/shop.txt',
      '/home/dev/shop-old',
      'x/home/dev/shop',
      '/mnt/home/dev/shop',
      '~/home/dev/shop',
      '/home/dev/shopü',
    ])
      expect(deep(text)).toBe(text)
  })

  it('[M4] thinking is signed, and records of requests carry hashes: they stay', () => {
    const thinking =
      '{"message":{"content":[{"type":"thinking","thinking":"/home/dev/shop","signature":"/home/dev/shop"}]}}\n'
    const sealed = '{"type":"api-request-blob","hash":"h","message":{"content":"/home/dev/shop"}}\n'
    expect(rewritten(thinking + sealed, { deep: true })).toBe(thinking + sealed)
  })

  it('[M3] gives what a parser would give, for any record and any cut', () => {
    const path = fc.constantFrom(
      '/home/dev/shop',
      '/home/dev/shop/src',
      '/home/dev/shop2',
      '/x',
      'shop',
      '"\\/ü💥',
    )
    const field = fc.constantFrom('cwd', 'message', 'relocatedCwd', 'project', 'a"b', 'type')
    const record = fc.dictionary(field, fc.oneof(path, fc.jsonValue(), fc.dictionary(field, path)))
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.integer({ min: 1, max: 64 }), (records, size) => {
        const text = records.map(each => `${JSON.stringify(each)}\n`).join('')
        const naive = records.map(each => {
          const moved = Object.entries(each).map(([name, value]) => {
            const isPath = ['cwd', 'relocatedCwd', 'project'].includes(name) && typeof value === 'string'
            return [name, isPath ? (movedPath(value, MOVES) ?? value) : value]
          })
          return `${JSON.stringify(Object.fromEntries(moved))}\n`
        })
        expect(rewritten(text, {}, size)).toBe(naive.join(''))
      }),
      { numRuns: 400 },
    )
  })

  it('[M3] counts rows, rows that change, and values', () => {
    const rewriter = startRewrite({ moves: MOVES, deep: false })
    rewriter.write(
      Buffer.from(
        '{"cwd":"/home/dev/shop","relocatedCwd":"/home/dev/shop"}\n\n{"cwd":"/x"}\n{"cwd":"/home/dev/shop"}',
      ),
    )
    rewriter.end()
    expect(rewriter.count).toEqual({ rows: 3, changedRows: 2, values: 3 })
  })
})
