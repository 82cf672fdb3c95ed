import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withHome } from '@dagline/testkit'
import { expect, it } from 'vitest'
import { redactionKey } from './redaction-key.js'

it('[R3] the key is made once, for its user only, and made again where it is damaged', async () => {
  await withHome([], ({ dir }) => {
    const path = join(dir, 'data', 'redaction.key')
    const key = redactionKey(path)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
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
