// Finds the browser for the tests of the page, and on Debian gets it where there is none. Prints its path, or a
// sentence that says what to do; the exit code is 0 in either case: without a browser those tests are left out.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstall, installPackage } from './lib/apt.ts'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** What to do where there is no browser. */
export const NO_CHROMIUM =
  'No Chromium here: the tests of the page in a browser are NOT RUN. ' +
  'Install it (Debian: apt-get install chromium), or set CHROMIUM to its path.'

/** The path of a Chromium: that of the variable CHROMIUM, else one in the usual places; null where there is none. */
export function findChromium(): string | null {
  const given = process.env['CHROMIUM']
  if (given !== undefined && given !== '') return existsSync(given) ? given : null
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  const named = folders.flatMap(folder => NAMES.map(name => join(folder, name)))
  return [...named, ...PLACES].find(path => existsSync(path)) ?? null
}

/** The same, after an attempt to install Debian's package where there is none. */
export function getChromium(): string | null {
  const found = findChromium()
  const isAsked = process.env['CHROMIUM'] === undefined
  if (found !== null || !isAsked || !canInstall()) return found
  console.log('Installing Chromium for the tests of the page…')
  return installPackage('chromium') ? findChromium() : null
}

if (import.meta.main) console.log(getChromium() ?? NO_CHROMIUM)
