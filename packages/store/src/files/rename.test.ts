import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary.js'
import { renameFile } from './rename.js'

/** Fails some times first. */
function failing(code: string, times: number): { readonly waits: number[]; readonly rename: () => void } {
  const waits: number[] = []
  let left = times
  const rename = (): void => {
    if (left-- > 0) throw Object.assign(new Error(code), { code })
  }
  return { waits, rename }
}

it('[O7] a rename that Windows refuses for a moment is done in the end', () => {
  const { waits, rename } = failing('EBUSY', 3)
  renameFile('a', 'b', { platform: 'win32', rename, wait: pause => waits.push(pause) })
  expect(waits).toEqual([10, 20, 40])
})

it('[O7] one that is refused for good fails, and elsewhere at once', () => {
  const always = failing('EPERM', 1000)
  const onWindows = {
    platform: 'win32',
    rename: always.rename,
    wait: (pause: number) => always.waits.push(pause),
  }
  expect(() => renameFile('a', 'b', onWindows)).toThrow('EPERM')
  expect(always.waits.length).toBe(10)
  expect(() => renameFile('a', 'b', { ...onWindows, platform: 'linux' })).toThrow('EPERM')
  expect(always.waits.length).toBe(10)
})

it('renames files of this system', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a'), '')
  renameFile(join(folder, 'a'), join(folder, 'b'))
  expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))]).toEqual([false, true])
})
