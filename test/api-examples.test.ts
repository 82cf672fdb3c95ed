/** Examples in doc comments, which the pages of the API show: they call functions that are there. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../scripts/lib/sources.ts'

/** `query` is of the Agent SDK, `push` a method in a drawing. */
const OTHERS: ReadonlySet<string> = new Set(['query', 'push', 'for', 'await'])

const PAGES = globSync('packages/*/api.md', { cwd: ROOT }).map(path => readFileSync(join(ROOT, path), 'utf8'))

/** The lines of doc comments that are indented: examples and drawings. */
const EXAMPLES = PAGES.flatMap(page =>
  [...page.matchAll(/^\s*\* {3,}(\S.*)$/gm)].map(([, line = '']) => line),
)

it('examples in doc comments call public functions', () => {
  const known = new Set(
    PAGES.flatMap(page => [...page.matchAll(/\b(?:function|const) (\w+)/g)].map(([, name = '']) => name)),
  )
  const called = EXAMPLES.flatMap(line =>
    [...line.matchAll(/(?<![.\w])([a-z]\w*)\(/g)].map(([, name = '']) => name),
  )
  expect(called).toEqual(expect.arrayContaining(['buildGraph', 'openFiles', 'createSessionStore']))
  expect(called.filter(name => !known.has(name) && !OTHERS.has(name))).toEqual([])
})
