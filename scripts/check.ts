// Runs all checks, two at a time: the compiler takes as long as all others together. Each check prints when it ends.
import { spawn } from 'node:child_process'

const LANES = [
  ['types', 'check:api'],
  ['lint', 'check:imports', 'check:exports', 'check:markup', 'check:size', 'check:spec', 'check:docs'],
] as const

const codes = await Promise.all(LANES.map(runLane))
process.exitCode = Math.max(...codes)

/** Runs all checks of a lane, also after one has failed; returns the highest exit code. */
async function runLane(checks: readonly string[]): Promise<number> {
  let highest = 0
  for (const check of checks) highest = Math.max(highest, await runCheck(check))
  return highest
}

function runCheck(check: string): Promise<number> {
  const child = spawn('npm', ['run', '--silent', check], { shell: process.platform === 'win32' })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      process.stdout.write(Buffer.concat(output))
      if (code !== 0) console.log(`${check} failed`)
      resolve(code ?? 1)
    })
  })
}
