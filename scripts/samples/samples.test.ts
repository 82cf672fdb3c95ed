import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../lib/sources.ts'
import { STORIES } from './stories.ts'
import { writeStories } from './writer.ts'

const FOLDER = join(ROOT, 'fixtures', 'samples', 'projects')

describe('the samples', () => {
  it('are what the stories give: node scripts/make-samples.ts renews them', () => {
    const told = writeStories(STORIES)
    expect(filesBelow(FOLDER)).toEqual(told.map(({ path }) => path).sort())
    for (const { path, text } of told) expect(readFileSync(join(FOLDER, path), 'utf8')).toBe(text)
  })

  it('give every entry an id of its own, except those that a fork repeats', () => {
    const forks = new Set(STORIES.filter(({ forkOf }) => forkOf !== undefined))
    const files = writeStories(STORIES.filter(story => !forks.has(story)))
    const ids = files.flatMap(({ text }) => [...text.matchAll(/"uuid":"([^"]+)"/g)].map(([, id]) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(folder, path)).isFile())
    .map(path => path.replaceAll('\\', '/'))
    .sort()
}
