/** Sessions that Claude Code has deleted: listed, counted, searched and shown from the archive. */
import { existsSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { json, onShape } from './run.js'

const SHAPE = `
s1: u1 a1 u2 a2
s2: u4 a4
`

describe('a session that is only in the archive', () => {
  it('[K10] is listed and marked, found, counted and shown as before', async () => {
    await onShape(SHAPE, (run, home) => {
      const before = json(run('ls', '--json')).sessions
      const [gone, kept] = before
      const usage = json(run('usage', '--json')).totals
      expect(run('archive').code).toBe(0)
      rmSync(join(home.projects, gone.file))

      const after = json(run('ls', '--json')).sessions
      expect(after.find(({ session }: { session: string }) => session === gone.session)).toEqual({
        ...gone,
        archivedOnly: true,
      })
      expect(after.find(({ session }: { session: string }) => session === kept.session).archivedOnly).toBe(
        false,
      )
      expect(json(run('usage', '--json')).totals).toEqual(usage)

      const found = json(run('search', '--json', '--regex', '.', '--session', gone.session))
      expect(found.total).toBeGreaterThan(0)
      const [hit] = found.hits
      expect(hit.label.archived).toBe(true)
      expect(hit.snippet).not.toBe('')
      for (const words of [
        ['log', gone.session],
        ['show', hit.node],
        ['explain', hit.node],
      ]) {
        const { code, stderr } = run(...words)
        expect({ code, stderr }).toMatchObject({
          code: 0,
          stderr: expect.stringContaining('in the archive only'),
        })
      }
    })
  })

  it('[U8] a file without a byte, as a full disk leaves one, is no archive', async () => {
    await onShape(SHAPE, (run, home) => {
      run('archive')
      const path = join(home.config, 'data', 'dagline', 'archive.db')
      expect(existsSync(path)).toBe(true)
      truncateSync(path)
      expect(run('ls', '--json').stderr).toBe('')
      expect(run('archive').code).toBe(0)
      expect(run('archive', 'verify').code).toBe(0)
    })
  })

  it('[K10] is read from the archive when the index is rebuilt', async () => {
    await onShape(SHAPE, (run, home) => {
      const [gone] = json(run('ls', '--json')).sessions
      run('archive')
      rmSync(join(home.projects, gone.file))
      const updated = run('ls', '--json').stdout
      rmSync(join(home.config, 'cache'), { recursive: true })
      expect(run('ls', '--json').stdout).toBe(updated)
    })
  })

  it('[I4] [G7] a copied entry is found once, at its original on disk', async () => {
    const shape = 's1: u1"begin" a1 u2"find me" a2\ns1: a1 > u3 a3'
    await onShape(shape, (run, home) => {
      const branch = json(run('branches', 's1', '--json')).forks[0].children[0].line
      const made = json(run('checkout', branch, '--json')).session
      expect(run('archive').code).toBe(0)
      const both = run('search', '"find me"')
      rmSync(join(home.projects, '-home-dev-proj', `${made}.jsonl`))
      const one = run('search', '"find me"')
      for (const { stdout } of [both, one]) {
        expect(stdout).toContain('1 match.')
        expect(stdout).toMatch(/^s1 {2}begin {2}dev\/proj$/m)
      }
    })
  })

  it('[K10] is an ordinary session again once it is restored', async () => {
    await onShape(SHAPE, (run, home) => {
      const before = run('ls', '--json').stdout
      const [gone] = JSON.parse(before).sessions
      run('archive')
      rmSync(join(home.projects, gone.file))
      run('ls')
      expect(run('restore', gone.session).code).toBe(0)
      expect(run('ls', '--json').stdout).toBe(before)
    })
  })
})
