/** The status line of Claude Code: what it prints at once, and what is measured for it. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { readStatusInput, statusText } from '../src/print/statusline.js'
import { styleFor } from '../src/print/style.js'
import { runHere } from './in-process.js'

const BIN = fileURLToPath(new URL('../bin/dagline.js', import.meta.url))

/** What 2.1.327 passes, shortened. */
const PASSED = {
  session_id: 's1',
  model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
  workspace: { current_dir: '/nowhere' },
  cost: { total_cost_usd: 0.5 },
  context_window: { total_input_tokens: 45_000, context_window_size: 1_000_000 },
}

const line = (passed: unknown): string => {
  const input = readStatusInput(typeof passed === 'string' ? passed : JSON.stringify(passed))
  const figures = { at: 0, session: 1.2, today: 5.4, block: 3.1, blockEnd: 7_800_000, branches: 2 }
  return statusText({ input, figures, gitBranch: 'main', now: 0 }, styleFor(false))
}

describe('the status line', () => {
  it('[J4] has what Claude Code passes and what was measured', () => {
    expect(line(PASSED)).toBe(
      'Opus 5.5 · 45k of 1M (5 %) · $1.20 · today $5.40 · block $3.10, 2h 10m left · main · 2 abandoned branches',
    )
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"session_id":'],
    ['other types', { session_id: 7, model: 'x', context_window: [], cost: { total_cost_usd: 'much' } }],
  ])('[J4] leaves out what is not there: %s', (_, passed) => {
    expect(line(passed)).toBe('$1.20 · today $5.40 · block $3.10, 2h 10m left · main · 2 abandoned branches')
  })

  it('[J4] [O1] text that is passed has no control characters on the terminal', () => {
    expect(line({ model: { display_name: 'a\u001b[31mb\nc\u202e' } }).split(' · ')[0]).toMatch(/^[\w [\]]+$/)
  })

  it('[J4] prints at once, and has the figures measured by a process that ends', async () => {
    const { files } = expandShape('s1: u1 a1 u2 a2')
    await withHome(inProject(files, '-home-dev-proj'), async home => {
      const env = {
        CLAUDE_CONFIG_DIR: home.config,
        XDG_CACHE_HOME: join(home.config, 'cache'),
        XDG_DATA_HOME: join(home.config, 'data'),
        NO_COLOR: '1',
      }
      const passed = JSON.stringify({ ...PASSED, session_id: 's1' })
      const print = (): string =>
        spawnSync(process.execPath, [BIN, 'statusline'], {
          input: passed,
          env: { ...process.env, ...env },
          encoding: 'utf8',
        }).stdout
      expect(print()).toBe('Opus 5.5 · 45k of 1M (5 %) · $0.50\n')
      await expect.poll(print).toMatch(/ · today \$0/)
      await runHere(['statusline', '--measure', 's1'], { env, isTerminal: false })
      await expect
        .poll(() => readdirSync(join(env.XDG_CACHE_HOME, 'dagline', 'status')))
        .toEqual([expect.stringMatching(/^[0-9a-f]{24}\.json$/)])
    })
  })
})
