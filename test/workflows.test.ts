/** What the workflows of the repository run exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, '.github', 'workflows')

it('every script and every file that a workflow names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const texts = readdirSync(FOLDER).map(name => readFileSync(join(FOLDER, name), 'utf8'))
  const named = texts.flatMap(text =>
    [...text.matchAll(/npm (?:run )?(test(?::\w+)?|conformance|site)\b/g)].map(match => match[1]),
  )
  expect(new Set(named)).toEqual(new Set(['test', 'test:packages', 'test:lab', 'conformance', 'site']))
  expect(named.filter(name => scripts[name ?? ''] === undefined)).toEqual([])
  const paths = texts.flatMap(text => [...text.matchAll(/(packages\/\w+)\b/g)].map(match => match[1] ?? ''))
  expect(paths.filter(path => !existsSync(join(ROOT, path, 'package.json')))).toEqual([])
})
