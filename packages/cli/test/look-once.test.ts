/** I5: how often commands look through the roots, counted in this process. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { runHere } from './in-process.js'

const { files, metas } = expandShape('s1: u1"Begin" a1[t1:Task>x] r1[t1>x] a2\ns1/x: u9"Look" a9"Seen"')

/** How often a command lists the projects root. */
async function looksOf(words: readonly string[]): Promise<number> {
  return await withHome(inProject([...files, ...metas]), async home => {
    const world = { env: { CLAUDE_CONFIG_DIR: home.config }, isTerminal: false }
    expect((await runHere(['sync'], world)).code).toBe(0)
    const list = fs.readdirSync
    let looks = 0
    const counted = (...given: Parameters<typeof list>): ReturnType<typeof list> => {
      if (given[0] === home.projects) looks++
      return list(...given)
    }
    Object.assign(fs, { readdirSync: counted })
    syncBuiltinESMExports()
    try {
      expect((await runHere(words, world)).code).toBe(0)
    } finally {
      Object.assign(fs, { readdirSync: list })
      syncBuiltinESMExports()
    }
    return looks
  })
}

describe('an answer about a project', () => {
  it.each([
    ['ls --project dev-proj'],
    ['agents --project dev-proj'],
    ['files --project dev-proj'],
    ['prompts --project dev-proj'],
    ['usage --project dev-proj'],
    ['search Begin --project dev-proj'],
    ['stats dev-proj'],
    ['doctor dev-proj'],
  ])('[I5] %s looks through the roots once', async line => {
    expect(await looksOf(line.split(' '))).toBe(1)
  })
})
