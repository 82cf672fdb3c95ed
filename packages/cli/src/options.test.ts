import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { runHere } from '../test/in-process.js'
import { columnsOf, hasColors } from './console.js'
import { createProgram } from './program.js'

describe('options', () => {
  it('[U5] have one form and one meaning over all commands', async () => {
    const program = await createProgram()
    const options = [program, ...program.commands].flatMap(command =>
      command.options.map(option => ({ command: command.name(), ...option })),
    )
    for (const name of new Set(options.flatMap(({ long }) => long ?? []))) {
      const same = options.filter(({ long }) => long === name)
      expect(new Set(same.map(({ flags }) => flags)).size, `forms of ${name}`).toBe(1)
      const start = sharedStart(same.map(({ description }) => description))
      if (same.length > 1) expect(start.length, `meanings of ${name}`).toBeGreaterThanOrEqual(10)
    }
    const longOf = new Map<string, string | undefined>()
    for (const { short, long } of options) {
      if (short === undefined || short === '-h') continue
      expect(longOf.get(short) ?? long, short).toBe(long)
      longOf.set(short, long)
    }
  })
})

/** What texts begin with. */
function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let end = first.length
  while (!others.every(text => text.startsWith(first.slice(0, end)))) end--
  return first.slice(0, end)
}

describe('output', () => {
  it.each([
    ['always', false, { NO_COLOR: '1' }, true],
    ['never', true, { FORCE_COLOR: '1' }, false],
    ['auto', true, {}, true],
    ['auto', false, {}, false],
    ['auto', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['auto', false, { FORCE_COLOR: '1' }, true],
    ['auto', false, { CLICOLOR_FORCE: '1' }, true],
    ['auto', true, { FORCE_COLOR: '0' }, false],
    ['auto', true, { TERM: 'dumb' }, false],
  ] as const)('[O4] --color %s, terminal %s, %o: colors %s', (when, isTerminal, env, expected) => {
    expect(hasColors(when, isTerminal, env)).toBe(expected)
  })

  it('[O4] a pipe has no width, and COLUMNS gives one', () => {
    expect([columnsOf(false, {}), columnsOf(false, { COLUMNS: '200' })]).toEqual([Infinity, 200])
    expect([columnsOf(true, { COLUMNS: '90' }), columnsOf(false, { COLUMNS: 'x' })]).toEqual([90, Infinity])
  })
})

describe('completion', () => {
  it('[U6] knows all commands, their options and values', async () => {
    const { stdout: bash } = await runHere(['completion', 'bash'], { env: {}, isTerminal: false })
    const ask = (words: string): string =>
      `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _dagline; echo "\${COMPREPLY[*]}"`
    const script = `${bash}${ask('dagline lo')}\n${ask('dagline search --branch ""')}\n${ask('dagline log --gr')}`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['log\nlive abandoned all\n--graph\n', ''])
    for (const shell of ['zsh', 'fish']) {
      const { stdout: text } = await runHere(['completion', shell], { env: {}, isTerminal: false })
      for (const command of (await createProgram()).commands) expect(text).toContain(command.name())
    }
  })
})
