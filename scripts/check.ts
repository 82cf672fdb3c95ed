// Runs all checks at once, or those whose names are given: `node scripts/check.ts imports spec`. The checks that read
// the syntax of the sources run in this process, one after the other, and read each file once.
import { spawn } from 'node:child_process'
import { checkImports } from './check-imports.ts'
import { checkMarkup } from './check-markup.ts'
import { checkOutput } from './check-output.ts'
import { checkSpec } from './check-spec.ts'
import { type Checked, report } from './lib/sources.ts'

const OF_SYNTAX: Readonly<Record<string, () => Checked>> = {
  imports: checkImports,
  markup: checkMarkup,
  output: checkOutput,
  spec: checkSpec,
}
/** Scripts of package.json. The public names are those that the compiler has written before. */
const SCRIPTS = [['types', 'check:api'], ['lint'], ['check:docs']] as const

const given = process.argv.slice(2)
const scripts = given.length === 0 ? SCRIPTS.map(runInTurn) : []
for (const [name, check] of Object.entries(OF_SYNTAX))
  if (given.length === 0 || given.includes(name)) report(`check-${name}`, check())
await Promise.all(scripts)

/** Runs scripts one after the other, also after one has failed. */
async function runInTurn(scripts: readonly string[]): Promise<void> {
  for (const script of scripts) await runScript(script)
}

/** Runs a script of package.json, and prints its output once it has ended. */
function runScript(script: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', script], { shell: process.platform === 'win32' })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      process.stdout.write(Buffer.concat(output))
      if (code !== 0) {
        console.log(`${script} failed`)
        process.exitCode = 1
      }
      resolve()
    })
  })
}
