/** The health page of the viewer: the doctor works in a process of its own, and what it says is shown as it is. */
import { spawn } from 'node:child_process'
import type { SessionHealth } from '@dagline/core'
import { UserError } from '../user-error.js'
import { bundledCommand } from '../workers/entry.js'
import type { SyncOrder } from '../workers/sync.js'

/** A session after its examination. */
export type HealthResult = Pick<SessionHealth, 'session' | 'reach' | 'faults'>

/** Examines everything that is served, in another process; as `dagline doctor` does. */
export type Examine = () => Promise<readonly HealthResult[]>

/** How sessions are examined; null while sources run as they are. */
export function createExaminer({ paths, roots }: SyncOrder): Examine | null {
  const command = bundledCommand()
  if (command === null) return null
  const words = ['doctor', '--all', '--json', '--quiet']
  const orders = paths.length > 0 ? paths.map(path => [path]) : [roots.flatMap(root => ['--root', root])]
  return async () => (await Promise.all(orders.map(order => ask(command, [...words, ...order])))).flat()
}

interface Answer {
  readonly sessions: readonly HealthResult[]
}

function ask(command: string, words: readonly string[]): Promise<readonly HealthResult[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [answer, said] = ['', '']
    child.stdout.setEncoding('utf8').on('data', piece => {
      answer += piece
    })
    child.stderr.setEncoding('utf8').on('data', piece => {
      said += piece
    })
    child.once('error', reject).once('close', code => {
      if (code !== 0) return reject(new UserError(sentenceOf(said)))
      const { sessions }: Answer = JSON.parse(answer)
      resolve(sessions)
    })
  })
}

function sentenceOf(said: string): string {
  const sentence = said.trim().replace(/^dagline: /, '')
  return sentence === '' ? 'The examination ended early: try `dagline doctor` in a terminal.' : sentence
}
