import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../store/test/temporary.js'
import { plainRemote, remotesOf } from './remotes.js'

describe('git remotes', () => {
  it.each([
    ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
    ['github.com:acme/shop', 'github.com/acme/shop'],
    ['https://github.com/acme/shop.git', 'github.com/acme/shop'],
    ['https://user:ghp_secret@GitHub.com/acme/shop/', 'github.com/acme/shop'],
    ['https://git.example:8443/acme/shop', 'git.example:8443/acme/shop'],
    ['ssh://git@git.example:2222/acme/shop.git', 'git.example/acme/shop'],
    ['git://git.example/shop', 'git.example/shop'],
    ['/srv/git/shop.git', null],
    ['../shop', null],
    ['file:///srv/git/shop', null],
    ['C:\\git\\shop', null],
    ['https://', null],
  ])('[HU13] %s is %s', (url, plain) => {
    expect(plainRemote(url)).toBe(plain)
  })

  it('[HU13] are those of the repository that a folder is in, also in a worktree, origin first', () => {
    const top = temporaryFolder()
    const main = join(top, 'shop')
    mkdirSync(join(main, '.git', 'worktrees', 'fix'), { recursive: true })
    mkdirSync(join(main, 'src', 'deep'), { recursive: true })
    writeFileSync(
      join(main, '.git', 'config'),
      '[core]\n\turl = no\n[remote "fork"]\n\turl = git@github.com:dev/shop.git\n[remote "origin"]\n  url = "https://github.com/acme/shop"\n\tfetch = +refs\n[branch "main"]\n\turl = no\n',
    )
    writeFileSync(join(main, '.git', 'worktrees', 'fix', 'commondir'), '../..\n')
    const fix = join(top, 'fix')
    mkdirSync(fix)
    writeFileSync(join(fix, '.git'), `gitdir: ${join(main, '.git', 'worktrees', 'fix')}\n`)
    const expected = ['github.com/acme/shop', 'github.com/dev/shop']
    expect(remotesOf(join(main, 'src', 'deep'))).toEqual(expected)
    expect(remotesOf(fix)).toEqual(expected)
    expect(remotesOf(top)).toEqual([])
    expect(remotesOf(join(top, 'gone'))).toEqual([])
  })
})
