import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProject, withHome } from './home.js'
import { expandShape } from './shape/expand.js'

describe('a temporary home', () => {
  it('holds the files below its projects root, and is gone afterwards', async () => {
    const shape = expandShape('s1: u1 / s1/x: u2 / s1/x: meta {"agentType":"x"}')
    const dir = await withHome(inProject([...shape.files, ...shape.metas], 'p'), async home => {
      const text = await readFile(join(home.projects, 'p', 's1', 'subagents', 'agent-x.jsonl'), 'utf8')
      expect(text).toBe(shape.files[1]?.text)
      expect(existsSync(join(home.projects, 'p', 's1', 'subagents', 'agent-x.meta.json'))).toBe(true)
      expect(home.projects).toBe(join(home.config, 'projects'))
      return home.dir
    })
    expect(existsSync(dir)).toBe(false)
  })

  it('is removed when the test fails, too', async () => {
    let dir = ''
    const failing = withHome([], home => {
      dir = home.dir
      throw new Error('as planned')
    })
    await expect(failing).rejects.toThrow('as planned')
    expect(existsSync(dir)).toBe(false)
  })
})
