import { expect, it } from 'vitest'
import { browserCommand } from './terminal.js'

const URL = 'http://127.0.0.1:1/?token=x'

it('opens an address with the command of the platform', () => {
  expect(browserCommand(URL, 'darwin', {})).toEqual(['open', URL])
  expect(browserCommand(URL, 'win32', {})).toEqual(['cmd', '/c', 'start', '""', URL])
  expect(browserCommand(URL, 'linux', { DISPLAY: ':0' })).toEqual(['xdg-open', URL])
  expect(browserCommand(URL, 'linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open', URL])
  expect(browserCommand(URL, 'linux', { WSL_DISTRO_NAME: 'Debian' })).toEqual(['wslview', URL])
})

it('opens nothing without a screen', () => {
  expect(browserCommand(URL, 'linux', {})).toBeNull()
  expect(browserCommand(URL, 'linux', { DISPLAY: '' })).toBeNull()
})
