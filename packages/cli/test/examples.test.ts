/** Every example in the help of a command runs: on the samples, which come with the command, so that users can try it. */
import { describe, expect, it } from 'vitest'
import { helpTextsOf } from '../src/command.js'
import { createProgram } from '../src/program.js'
import {
  ALONE,
  atTheirTime,
  BEFORE,
  failuresOf,
  IN_REPOSITORY,
  inHome,
  isEndless,
  parse,
  wordsAfter,
} from './examples.js'
import { allCommands } from './in-process.js'

const COMMANDS = [await createProgram(), ...(await allCommands())].map(command => ({
  name: command.name(),
  command,
  examples: helpTextsOf(command).examples,
}))

describe('examples of help', () => {
  atTheirTime()

  it('are there for every command', () => {
    expect(COMMANDS.filter(({ examples }) => examples.length === 0)).toEqual([])
  })

  it('run for commands that read', { timeout: 120_000 }, async () => {
    const lines = COMMANDS.filter(({ name }) => !ALONE.has(name)).flatMap(({ examples }) => examples)
    await inHome(false, async run => expect(await failuresOf(lines, run)).toEqual([]))
  })

  it.each(COMMANDS.filter(({ name }) => ALONE.has(name)))(
    'run in a home of their own: $name',
    { timeout: 60_000 },
    async ({ name, examples }) => {
      await inHome(IN_REPOSITORY.has(name), async run => {
        for (const line of BEFORE[name] ?? []) await run(line)
        expect(await failuresOf(examples, run)).toEqual([])
      })
    },
  )

  it('have words that their commands accept', async () => {
    for (const { examples } of COMMANDS)
      for (const line of examples.filter(isEndless))
        expect(await parse(wordsAfter(line)), line).toBe('accepted')
  })
})
