#!/usr/bin/env node
// Starts the command on a Node that can run it. Plain JavaScript, since every Node must get as far as the message
// below. In a checkout the development dependency `node` brings a Node that is new enough; an installed package runs on
// the Node it was started with, or says which one it needs.
const { existsSync, mkdirSync } = await builtin('node:fs')
const module = await builtin('node:module')
const { constants, homedir } = await builtin('node:os')
const { dirname, isAbsolute, join } = await builtin('node:path')
const { fileURLToPath } = await builtin('node:url')

const OLDEST = [22, 16]
// A status line is printed several times a second, by a part that loads nothing else.
const isStatusLine = process.argv.length === 3 && process.argv[2] === 'statusline'
const COMMAND = new URL(isStatusLine ? '../dist/statusline.js' : '../dist/dagline.js', import.meta.url)
const isCheckout = existsSync(fileURLToPath(new URL('../src', import.meta.url)))

if (!existsSync(fileURLToPath(COMMAND))) {
  fail('dagline is not built: run `npm run bundle`, or `npm ci` without --ignore-scripts.')
} else if (isNewEnough(process.versions.node)) {
  keepCompiled()
  await import(COMMAND.href)
} else {
  await runOn(installedNode())
}

/** A built-in module. Importing one evaluates all that it could give, which takes longer than all that is done here. */
async function builtin(name) {
  return process.getBuiltinModule?.(name) ?? (await import(name)).default
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/** Code that was compiled once is taken from the cache folder: a tenth of a quick command's time. */
function keepCompiled() {
  const { XDG_CACHE_HOME = '' } = process.env
  // The same rule as for the index: below /proc Node never ends making folders.
  const isUsable = isAbsolute(XDG_CACHE_HOME) && !/^\/proc(?:\/|$)/.test(XDG_CACHE_HOME)
  const cache = isUsable ? XDG_CACHE_HOME : join(homedir(), '.cache')
  if (!isAbsolute(cache)) return
  try {
    mkdirSync(join(cache, 'dagline', 'code'), { recursive: true, mode: 0o700 })
    module.enableCompileCache?.(join(cache, 'dagline', 'code'))
  } catch {
    // It only takes longer.
  }
}

function installedNode() {
  if (!isCheckout) return null
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  try {
    return join(dirname(module.createRequire(import.meta.url).resolve('node/package.json')), 'bin', name)
  } catch {
    return null
  }
}

async function runOn(node) {
  const tooOld = () =>
    fail(`dagline needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`)
  if (!node) return tooOld()
  // A Node that can run the command never needs this.
  const { spawn } = await builtin('node:child_process')
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  // A signal for this process is meant for the command; Ctrl-C reaches both by itself.
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  process.on('SIGINT', () => {})
  child.on('error', tooOld)
  child.on('exit', (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status))
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
