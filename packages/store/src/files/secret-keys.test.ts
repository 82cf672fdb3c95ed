import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { redactionKey, viewerToken } from './secret-keys.js'

it('[R3] the key is made once, for its user only, and made again where it is damaged', async () => {
  await withHome([], ({ dir }) => {
    const path = join(dir, 'data', 'redaction.key')
    const key = redactionKey(path)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    const modes = [path, join(dir, 'data')].map(each => statSync(each).mode & 0o777)
    if (process.platform !== 'win32') expect(modes).toEqual([0o600, 0o700])
    expect(redactionKey(path)).toBe(key)
    writeFileSync(path, 'torn')
    const again = redactionKey(path)
    expect(again).not.toBe(key)
    expect(readFileSync(path, 'utf8').trim()).toBe(again)
  })
})

it('[R3] where nothing can be kept, a key serves for one run', async () => {
  await withHome([], ({ dir }) => {
    writeFileSync(join(dir, 'file'), '')
    const path = join(dir, 'file', 'redaction.key')
    expect(redactionKey(path)).not.toBe(redactionKey(path))
    expect(existsSync(path)).toBe(false)
  })
})

it('[V2] the token of the viewer stays the same, until another one is asked for or others could read it', async () => {
  await withHome([], ({ dir }) => {
    const path = join(dir, 'data', 'viewer.token')
    const { key, isKept } = viewerToken(false, path)
    expect([key, isKept]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), true])
    expect(viewerToken(false, path).key).toBe(key)
    const other = viewerToken(true, path).key
    expect(other).not.toBe(key)
    expect(viewerToken(false, path).key).toBe(other)
    if (process.platform === 'win32') return
    expect([path, join(dir, 'data')].map(each => statSync(each).mode & 0o777)).toEqual([0o600, 0o700])
    chmodSync(path, 0o644)
    expect(viewerToken(false, path).key).not.toBe(other)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    writeFileSync(join(dir, 'file'), '')
    expect(viewerToken(true, join(dir, 'file', 'viewer.token')).isKept).toBe(false)
  })
})
