import { expect, it } from 'vitest'
import { commandFor } from './browser.js'

const URL = 'http://127.0.0.1:1/?token=x'

it('opens an address with what the platform has for it', () => {
  expect(commandFor(URL, 'darwin', {})).toEqual(['open', URL])
  expect(commandFor(URL, 'win32', {})).toEqual(['cmd', '/c', 'start', '""', URL])
  expect(commandFor(URL, 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', URL])
  expect(commandFor(URL, 'linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open', URL])
  expect(commandFor(URL, 'linux', { WSL_DISTRO_NAME: 'Debian' })).toEqual(['wslview', URL])
})

it('opens nothing where there is no screen', () => {
  expect(commandFor(URL, 'linux', {})).toBeNull()
  expect(commandFor(URL, 'linux', { DISPLAY: '' })).toBeNull()
})
