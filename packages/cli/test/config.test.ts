/** `dagline config`: settings, what counts before them, and that each is honoured. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '@dagline/app'
import { withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { hasColors } from '../src/console.js'
import { dagline, json, ownFolders, type Ran, SAMPLES } from './run.js'

type Run = (words: readonly string[], env?: Readonly<Record<string, string>>) => Ran

/** A home without sessions; settings go into a folder of it. */
async function onConfig<T>(use: (run: Run, file: string) => T): Promise<T> {
  return await withHome([], home => {
    const env = { HOME: home.config, XDG_CONFIG_HOME: join(home.config, 'xdg'), ...ownFolders(home) }
    const file = join(home.config, 'xdg', 'dagline', 'config.json')
    return use((words, more = {}) => dagline(words, { ...env, ...more }), file)
  })
}

const keyOf = (key: string): string => (key === 'prices' ? 'prices.claude-opus-4-5' : key)

describe('[U9] config', () => {
  it('sets, gets, lists and unsets every setting of the table', async () => {
    await onConfig((run, file) => {
      for (const { key, example, text, parse } of SETTINGS) {
        expect(run(['config', 'set', keyOf(key), ...example]).code).toBe(0)
        expect(run(['config', 'get', keyOf(key)]).stdout).toBe(`${text(parse(example))}\n`)
        const listed = json(run(['config', '--json'])).settings
        expect(listed).toContainEqual(expect.objectContaining({ key: keyOf(key), source: 'file' }))
        expect(run(['config', 'unset', keyOf(key)]).code).toBe(0)
        expect(run(['config', 'get', keyOf(key)]).stderr).toContain('is not set')
      }
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ prices: {} })
    })
  })

  it('refuses what is not valid, by the table, and writes nothing', async () => {
    const wrong = [
      ['theme', 'purple'],
      ['color', 'auto', 'never'],
      ['port', '70000'],
      ['port', '0x10'],
      ['redact', 'secrets,everything'],
      ['roots', ''],
      ['archive', 'a', 'b'],
      ['prices.m', 'input=1'],
      ['prices.m', 'input=1', 'output=-2'],
      ['prices.m', 'input=1', 'output='],
      ['prices.m', 'input=1', 'output=2', 'tea=3'],
    ]
    await onConfig(run => {
      for (const words of wrong) {
        const { code, stderr } = run(['config', 'set', ...words])
        expect([words, code, stderr]).toEqual([words, 1, expect.stringMatching(/ is not valid\. Give /)])
      }
      expect(run(['config', 'set', 'colour', 'never']).stderr).toMatch(
        /There is no setting colour\. Give one of roots,/,
      )
      expect(run(['config', 'drop']).stderr).toContain('There is no action drop.')
      expect(
        json(run(['config', '--json'])).settings.every((each: { value: unknown }) => each.value === null),
      ).toBe(true)
    })
  })

  it('says what is wrong with a file in a sentence, and goes on without it', async () => {
    await onConfig((run, file) => {
      mkdirSync(join(file, '..'), { recursive: true })
      for (const [text, expected] of [
        ['{"theme":', /is not valid JSON\. Correct it or remove it\./],
        ['[1]', /does not hold a JSON object/],
        ['{"theme":3}', /theme is not valid and was left out\. Give one of system, light, dark\./],
        ['{"prices":{"m":{"input":"1"}}}', /prices\.m is not valid/],
        ['{"color\\u0007":1}', /has an unknown setting color/],
      ] as const) {
        writeFileSync(file, text)
        const { code, stderr, stdout } = run(['ls', '--root', SAMPLES])
        expect([text, code, stderr]).toEqual([text, 0, expect.stringMatching(expected)])
        expect(stdout).toContain('Round order totals once')
        expect(run(['ls', '--root', SAMPLES, '--quiet']).stderr).toBe('')
      }
    })
  })

  it('roots are read, unless an option or CLAUDE_CONFIG_DIR names others', async () => {
    await onConfig(run => {
      run(['config', 'set', 'roots', SAMPLES])
      expect(run(['ls']).stdout).toContain('Round order totals once')
      expect(run(['ls'], { CLAUDE_CONFIG_DIR: '/no/such' }).stdout).not.toContain('Round order')
      expect(run(['ls'], { DAGLINE_ROOTS: '/no/such' }).stdout).not.toContain('Round order')
      expect(run(['ls', '--root', '/no/such']).stdout).not.toContain('Round order')
    })
  })

  it('[X5] prices of the user count before the list, also in figures that are kept', async () => {
    await onConfig(run => {
      run(['config', 'set', 'roots', SAMPLES])
      const cost = (): number => json(run(['usage', '--json'])).totals.costUSD
      const inStats = (): string => run(['stats']).stdout
      const [before, stats] = [cost(), inStats()]
      run(['config', 'set', 'prices.claude-opus-4-5', 'input=5000', 'output=25000', 'cacheRead=500'])
      expect(cost()).toBeGreaterThan(before * 100)
      expect(inStats()).not.toBe(stats)
      expect(run(['usage']).stdout).toContain('Prices set with `dagline config` override the list.')
      run(['config', 'unset', 'prices.claude-opus-4-5'])
      expect([cost(), inStats()]).toEqual([before, stats])
    })
  })

  it('archive and index are used where no option names others', async () => {
    await onConfig((run, file) => {
      const [archive, index] = ['archive', 'index'].map(name => join(file, '..', `${name}.db`))
      run(['config', 'set', 'roots', SAMPLES])
      run(['config', 'set', 'archive', archive ?? ''])
      run(['config', 'set', 'index', index ?? ''])
      run(['archive'])
      run(['sync'])
      expect([archive, index].map(path => readFileSync(path ?? '').length > 0)).toEqual([true, true])
    })
  })

  it('redact is what --redact replaces without a list', async () => {
    await onConfig(run => {
      run(['config', 'set', 'roots', SAMPLES])
      const exported = (...words: readonly string[]): string =>
        run(['export', '019c5be1', '--format', 'md', '--redact', ...words, '--out', '-']).stdout
      const before = exported()
      run(['config', 'set', 'redact', 'secrets,paths'])
      expect(exported()).not.toBe(before)
      expect(exported('secrets')).toBe(before)
    })
  })

  it('color counts after the option and the usual variables', () => {
    const env = { DAGLINE_COLOR: 'always' }
    expect(hasColors('auto', false, env)).toBe(true)
    expect(hasColors('never', true, env)).toBe(false)
    expect(hasColors('auto', true, { ...env, NO_COLOR: '1' })).toBe(false)
    expect(hasColors('auto', true, { DAGLINE_COLOR: 'never' })).toBe(false)
  })
})
