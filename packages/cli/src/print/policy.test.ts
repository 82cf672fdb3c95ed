import { posix, win32 } from 'node:path'
import { expect, it } from 'vitest'
import { uriOf } from './policy.js'

it.each([
  ['/srv/a b/x.jsonl', '/srv', posix, 'a%20b/x.jsonl'],
  ['/other/a b.jsonl', '/srv', posix, 'file:///other/a%20b.jsonl'],
  ['C:\\work\\a\\x.jsonl', 'C:\\work', win32, 'a/x.jsonl'],
  ['D:\\other\\a b.jsonl', 'C:\\work', win32, 'file:///D:/other/a%20b.jsonl'],
])('[D27] SARIF names %s, seen from %s', (file, folder, path, uri) => {
  expect(uriOf(file, folder, path)).toBe(uri)
})
