#!/usr/bin/env node
// Starts the command on a Node that can run it. Plain JavaScript, since every Node must get as far as the message
// below. In a checkout the development dependency `node` brings a Node that is new enough.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST = [22, 13]
const COMMAND = new URL('../dist/dagline.js', import.meta.url)

if (!existsSync(fileURLToPath(COMMAND))) {
  fail('dagline is not built: run `npm run bundle`, or `npm ci` without --ignore-scripts.')
} else if (isNewEnough(process.versions.node)) {
  await import(COMMAND.href)
} else {
  runOn(installedNode())
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

function installedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', name)
  } catch {
    return null
  }
}

function runOn(node) {
  const ran = node && spawnSync(node, process.argv.slice(1), { stdio: 'inherit' })
  if (!ran || ran.error) {
    fail(`dagline needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`)
  } else {
    process.exit(ran.signal ? 128 + constants.signals[ran.signal] : ran.status)
  }
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
