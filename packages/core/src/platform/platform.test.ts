import { win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../model/source.js'
import {
  browserCommand,
  isFileName,
  isFolderOf,
  isLoopback,
  isSamePath,
  isWindowsPath,
  isWithinPath,
  pathKey,
  portableName,
  renamePause,
  userFolder,
} from './index.js'

describe('paths', () => {
  it('[O5] drive letters, case, slashes, shares and long forms do not matter on Windows', () => {
    for (const path of [
      'c:\\Users\\Me\\Shop',
      'C:/users/me/shop/',
      '\\\\?\\C:\\Users\\me\\shop',
      'C:\\users\\me\\shop\\',
    ])
      expect(isSamePath(path, 'C:\\Users\\me\\shop', 'win32')).toBe(true)
    expect(isSamePath('\\\\?\\UNC\\server\\share\\x', '\\\\Server\\share\\X', 'win32')).toBe(true)
    expect(isSamePath('C:\\a', 'D:\\a', 'win32')).toBe(false)
    expect(pathKey('C:\\', 'win32')).toBe('c:\\')
    expect(pathKey('c:', 'win32')).toBe('c:\\')
  })

  it('[O5] case and forms of letters do not matter on macOS, and do elsewhere', () => {
    expect(isSamePath('/Users/me/Shop', '/users/me/shop/', 'darwin')).toBe(true)
    expect(isSamePath('/u/caf\u00e9', '/u/cafe\u0301', 'darwin')).toBe(true)
    expect(isSamePath('/home/me/Shop', '/home/me/shop', 'linux')).toBe(false)
    expect(isSamePath('/home/me/shop/', '/home/me/shop', 'linux')).toBe(true)
  })

  it('[O5] a path of Windows keeps its rules on other systems', () => {
    expect(isSamePath('C:\\Users\\Me', 'c:\\users\\me', 'linux')).toBe(true)
    expect([
      isWindowsPath('C:\\x'),
      isWindowsPath('\\\\s\\x'),
      isWindowsPath('/c/x'),
      isWindowsPath('c'),
    ]).toEqual([true, true, false, false])
  })

  it('[O5] the folder of transcripts is found in whichever case the working directory is written', () => {
    const folder = 'C--Users-me-my-app'
    expect(isFolderOf(folder, 'C:\\Users\\me\\my app', 'win32')).toBe(true)
    expect(isFolderOf(folder, 'c:\\users\\me\\my app', 'win32')).toBe(true)
    expect(isFolderOf('--srv-share-app', '\\\\srv\\share\\app', 'win32')).toBe(true)
    expect(isFolderOf('-Users-me-App', '/users/me/app', 'darwin')).toBe(true)
    expect(isFolderOf('-home-me-App', '/home/me/app', 'linux')).toBe(false)
    const long = `C:\\${'deep\\'.repeat(80)}`
    expect(isFolderOf(projectFolder(long), long.toLowerCase(), 'win32')).toBe(true)
  })

  it('[O5] what lies below a folder is found, also below a root, and a longer name is another one', () => {
    expect(isWithinPath('C:\\a\\b', 'c:\\A', 'win32')).toBe(true)
    expect(isWithinPath('C:\\a', 'C:\\', 'win32')).toBe(true)
    expect(isWithinPath('C:\\ab', 'C:\\a', 'win32')).toBe(false)
    expect(isWithinPath('/a', '/', 'linux')).toBe(true)
    expect(isWithinPath('/ab', '/a', 'linux')).toBe(false)
    expect(isWithinPath('\\\\s\\share\\p\\x', '\\\\s\\share\\p', 'win32')).toBe(true)
  })

  it('[O5] on Windows the key is as Node resolves the path', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9_ -]{1,8}$/).filter(name => !/ $/.test(name))
    fc.assert(
      fc.property(
        fc.constantFrom('C:\\', 'd:/', '\\\\srv\\share\\'),
        fc.array(part, { maxLength: 4 }),
        (root, parts) => {
          const path = root + parts.join('/')
          expect(pathKey(path, 'win32')).toBe(pathKey(win32.resolve(path), 'win32'))
          const inside = parts.length === 0 || isWithinPath(path, root, 'win32')
          expect(inside).toBe(true)
        },
      ),
    )
  })
})

describe('names of files', () => {
  it.each(['con', 'NUL.txt', 'com1.jsonl', 'a:b', 'a.', 'a ', 'x\\y', 'a?b', 'tab\t'])(
    '[O6] %j cannot be a file on Windows, and its portable name can',
    name => {
      expect(isFileName(name, 'win32')).toBe(false)
      expect(isFileName(`${portableName(name)}.html`, 'win32')).toBe(true)
      expect(isFileName(name, 'linux')).toBe(true)
    },
  )

  it('[O6] ids of sessions stay as they are', () => {
    const id = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815'
    expect([portableName(id), isFileName(`${id}.jsonl`, 'win32'), isFileName('..', 'linux')]).toEqual([
      id,
      true,
      false,
    ])
  })
})

describe('the rest', () => {
  it('[O7] a rename is tried again on Windows while something has the file open, for two seconds at most', () => {
    const pauses = Array.from({ length: 20 }, (_, retries) => renamePause('EPERM', retries, 'win32') ?? 0)
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(2000)
    expect(pauses.at(-1)).toBe(0)
    expect(renamePause('ENOENT', 0, 'win32')).toBeNull()
    expect(renamePause('EPERM', 0, 'linux')).toBeNull()
  })

  it('only a host that names this machine, or an address of it, is local', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])
      expect(isLoopback(host), host).toBe(true)
    for (const host of ['127.0.0.1.example.com', '127.example.com', '0.0.0.0', 'localhost.example.com', ''])
      expect(isLoopback(host), host).toBe(false)
  })

  it('opens an address with the command of the system', () => {
    const url = 'http://127.0.0.1:1/?token=x&y'
    expect(browserCommand(url, 'darwin', {})).toEqual(['open', url])
    expect(browserCommand(url, 'win32', {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url])
    expect(browserCommand(url, 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', url])
    expect(browserCommand(url, 'linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open', url])
    expect(browserCommand(url, 'linux', { WSL_DISTRO_NAME: 'Debian' })).toEqual(['wslview', url])
    expect(browserCommand(url, 'linux', { DISPLAY: '' })).toBeNull()
  })

  it('[P8] folders of the user are where the system has them', () => {
    const at = (platform: string, env = {}): readonly string[] =>
      userFolder('cache', { env, home: platform === 'win32' ? 'C:\\Users\\me' : '/home/me', platform })
    expect(at('linux')).toEqual(['/home/me', '.cache'])
    expect(at('darwin')).toEqual(['/home/me', 'Library', 'Caches'])
    expect(at('win32')).toEqual(['C:\\Users\\me', 'AppData', 'Local'])
    expect(at('win32', { LOCALAPPDATA: 'D:\\Local' })).toEqual(['D:\\Local'])
    expect(at('win32', { XDG_CACHE_HOME: '\\\\srv\\me', LOCALAPPDATA: 'D:\\Local' })).toEqual(['\\\\srv\\me'])
    expect(at('win32', { XDG_CACHE_HOME: '/tmp/x' })).toEqual(['C:\\Users\\me', 'AppData', 'Local'])
    expect(at('linux', { XDG_CACHE_HOME: '/proc/1' })).toEqual(['/home/me', '.cache'])
  })
})
