import { describe, expect, it } from 'vitest'
import { runHere } from '../test/in-process.js'
import { reflow } from './print/reflow.js'
import { TOPICS } from './topics.js'

const help = (...words: string[]): ReturnType<typeof runHere> =>
  runHere(['help', ...words], { env: {}, isTerminal: false })

describe('[U10] help TOPIC', () => {
  it.each(Object.entries(TOPICS))('prints %s within the width of help', async (name, { text }) => {
    const { stdout, stderr, code } = await help(name)
    expect([stderr, code]).toEqual(['', 0])
    expect(stdout).toContain(reflow(text.slice(1), 100))
    expect(stdout.split('\n').filter(line => line.length > 100)).toEqual([])
  })

  it('is listed by help', async () => {
    const { stdout } = await help()
    for (const [name, { about }] of Object.entries(TOPICS))
      expect(stdout).toMatch(new RegExp(`^  ${name} +${about}$`, 'm'))
  })

  it('follows the help of a command with the same name', async () => {
    const { stdout } = await help('branches')
    expect(stdout).toMatch(/^Usage: dagline branches[\s\S]*Examples:[\s\S]*\n\nA rewind in Claude Code/)
    expect((await runHere(['branches', '--help'], { env: {}, isTerminal: false })).stdout).not.toContain(
      'A rewind in',
    )
  })

  it('suggests the nearest name', async () => {
    expect(await help('envronment')).toEqual({
      stdout: '',
      stderr:
        'dagline: There is no command or topic envronment. Run `dagline help` to list them. Did you mean `dagline help environment`?\n',
      code: 1,
    })
  })
})
