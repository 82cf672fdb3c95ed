import { mkdirSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary.js'
import { cacheFolder, defaultRoots } from './folders.js'

const home = join('some', 'home')
const rootsFor = (list: string) => defaultRoots({ CLAUDE_CONFIG_DIR: list }, home)

describe('a relative HOME', () => {
  it('[P8] is not below the working folder: the system knows the home', () => {
    const { HOME } = process.env
    process.env['HOME'] = 'relative'
    try {
      expect([isAbsolute(cacheFolder()), cacheFolder().startsWith(process.cwd())]).toEqual([true, false])
      expect(defaultRoots({})[0]).toMatch(/^(?:\/|[A-Z]:)/)
    } finally {
      if (HOME === undefined) delete process.env['HOME']
      else process.env['HOME'] = HOME
    }
  })
})

describe('a folder of XDG', () => {
  it('[P8] counts where it is absolute and folders can be made there', () => {
    const folder = (given: string): string =>
      cacheFolder({ env: { XDG_CACHE_HOME: given }, home: '/home/dev', platform: 'linux' })
    expect(folder('/srv/cache')).toBe('/srv/cache/dagline')
    for (const given of ['', 'cache', '/proc', '/proc/1/cache'])
      expect(folder(given)).toBe('/home/dev/.cache/dagline')
  })
})

describe('defaultRoots', () => {
  it('[P8] without a setting it is projects in ~/.claude', () => {
    expect(defaultRoots({}, home)).toEqual([join(home, '.claude', 'projects')])
    expect(rootsFor(' , ')).toEqual([join(home, '.claude', 'projects')])
  })

  it('[P8] CLAUDE_CONFIG_DIR may list several folders, each counted once', () => {
    const expected = ['a', 'b', 'c'].map(folder => join(folder, 'projects'))
    expect(rootsFor('a')).toEqual([join('a', 'projects')])
    expect(rootsFor('a, b,a,c')).toEqual(expected)
    expect(rootsFor(['a', 'b', 'c'].join(delimiter))).toEqual(expected)
  })

  it('[P8] a folder that exists under a name with separators is one folder', () => {
    const odd = join(temporaryFolder(), `a,b${delimiter}c`)
    mkdirSync(odd)
    expect(rootsFor(odd)).toEqual([join(odd, 'projects')])
  })
})
