/** What the outside world sees: exit codes, streams, colors, hostile texts, readers who go away. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openFaceHistory, type ReportKey, type UsageReport } from '@dagline/app'
import type { TestHome } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { sessionLines } from '../src/commands/ls.js'
import type { Console } from '../src/console.js'
import { styleFor } from '../src/print/style.js'
import { usageTable } from '../src/print/usage.js'
import { widthOf } from '../src/print/width.js'
import { allCommands } from './in-process.js'
import { BUNDLE, cleanEnv, dagline, onRecorded, onShape, type Ran, RECORDED, SAMPLES } from './run.js'

describe('help', () => {
  it('exits silently when its reader has gone', () => {
    const words = ['-c', '"$0" "$1" --help | true', process.execPath, BUNDLE]
    expect(spawnSync('sh', words, { encoding: 'utf8', env: cleanEnv() }).stderr).toBe('')
  })
})

describe('options of a hub', () => {
  it('[HU53] are named by the help of commands that a hub answers, and by no other', async () => {
    const withHub = (await allCommands()).filter(command => command.helpInformation().includes('--hub'))
    const names = withHub.map(command => command.name())
    expect(names).toEqual(expect.arrayContaining(['ls', 'search', 'usage', 'log', 'checkout', 'hub']))
    expect(names).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(now|tail|serve|repair|blame)$/)]),
    )
  })
})

describe('errors', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    [
      'a path that is not there',
      ['graph', '/no/such/path'],
      '/no/such/path does not exist. Give a transcript',
    ],
    ['a root that is not there', ['ls', '--root', '/no/such/root'], '/no/such/root does not exist'],
    [
      'an unknown session',
      ['log', 'zzz', '--root', RECORDED],
      'No session begins with zzz. Run `dagline ls --everywhere --all`',
    ],
    ['an ambiguous session', ['log', '4', '--root', RECORDED], '2 sessions begin with 4: 4'],
    [
      'a session file that is not there',
      ['log', 'none.jsonl'],
      'none.jsonl does not exist. Give a session id',
    ],
    ['an empty session', ['log', '', '--root', RECORDED], 'The SESSION is empty'],
    ['help of an unknown command', ['help', 'frobnicate'], 'There is no command or topic frobnicate'],
    ['an argument too many', ['history', 'x'], 'too many arguments'],
    ['an unknown role', ['search', 'x', '--role', 'robot'], 'Allowed choices are human'],
    [
      'an unknown entry',
      ['explain', 'zzz', '--root', RECORDED],
      'No session, branch, subagent or entry is called zzz',
    ],
    ['an ambiguous entry', ['show', 'a', '--root', RECORDED], 'entries begin with a: '],
    ['an unknown command', ['frobnicate'], 'There is no command frobnicate'],
    ['a command that is misspelt', ['lgo'], 'Did you mean `dagline log`?'],
    ['an unknown option', ['ls', '--frob'], "unknown option '--frob'; see `dagline ls --help`."],
    ['an option that is misspelt', ['ls', '--limti'], "unknown option '--limti' (Did you mean --limit?)"],
    ['an option that is another', ['waste', '--sort', 'x'], "unknown option '--sort'; see"],
    ['an unknown option of none', ['--frob'], "unknown option '--frob'; see `dagline --help`."],
    ['a word with a dash', ['search', 'a', '-cursor'], 'write words that begin with - after --'],
    ['a missing word', ['show'], "missing required argument 'ref'"],
    ['options that exclude each other', ['log', 'x', '--live', '--all'], 'cannot be used with'],
    ['sessions where there are none', ['log', 'latest'], 'No transcripts in'],
  ]

  it.each(cases)('%s: exit code 1 and one sentence', (_, words, message) => {
    const { stdout, stderr, code } = dagline(words)
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toContain(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('[P1] broken input does not change the exit code', async () => {
    const ran = await onShape('s1: u1 a1\ns1: ! {"type": broken', run => run('graph', '--summary'))
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('parse/not-json')
  })

  it('an empty folder is not an error', async () => {
    const ran = await onShape('s1: u1', (_, home) =>
      dagline(['ls', '--json', home.dir.replace(/$/, '/.claude/projects/-home-dev-proj/s1.jsonl')]),
    )
    expect(ran.code).toBe(0)
    const empty = dagline(['ls', '--json'])
    expect({ code: empty.code, json: JSON.parse(empty.stdout) }).toEqual({
      code: 0,
      json: { dagline: 1, sessions: [] },
    })
  })
})

describe('a transcript without permission to read it', () => {
  it('is named on stderr, and changes neither the rest nor the exit code', async () => {
    await onShape('s1: u1"readable" a1 / s2: u2 a2', (_, home) => {
      chmodSync(`${home.projects}/-home-dev-proj/s2.jsonl`, 0o000)
      for (const words of [['ls'], ['ls', home.projects], ['log', 's1']]) {
        const { stdout, stderr, code } = asNobody(words, home)
        expect(code).toBe(0)
        expect(stdout).toContain('readable')
        expect(stderr).toContain('-home-dev-proj/s2.jsonl: The file could not be read: permission denied.')
      }
    })
  })
})

/** Runs without the rights of an administrator, to whom no file is closed. */
function asNobody(words: readonly string[], home: TestHome): Ran {
  const isRoot = process.getuid?.() === 0
  mkdirSync(join(home.config, 'own'), { recursive: true })
  for (const folder of [home.dir, join(home.config, 'own')]) chmodSync(folder, 0o777)
  const own = join(home.config, 'own')
  const env = cleanEnv({ CLAUDE_CONFIG_DIR: home.config, XDG_CACHE_HOME: own, XDG_DATA_HOME: own })
  const options = { env, encoding: 'utf8', ...(isRoot ? { uid: 65534 } : {}) } as const
  const { stdout, stderr, status } = spawnSync(process.execPath, [BUNDLE, ...words], options)
  return { stdout, stderr, code: status }
}

describe('a terminal of 60 columns', () => {
  const console: Console = {
    options: {
      json: false,
      quiet: false,
      color: 'never',
      root: [],
      everywhere: false,
      hub: null,
      person: null,
      machine: null,
    },
    roots: [],
    here: null,
    history: openFaceHistory(),
    style: styleFor(false),
    width: 60,
    isTerminal: true,
    print: async () => {},
    write: async () => {},
    printJson: async () => {},
    printJsonLines: async () => {},
    page: async () => {},
    note: () => {},
    progress: () => {},
    unread: new Map(),
    fail: () => {},
  }
  const wide = (lines: Iterable<string>): readonly string[] => [...lines].filter(line => widthOf(line) > 60)

  it('ls fits, with the session, its time and its title', () => {
    const { sessions } = JSON.parse(onRecorded('ls', '--json').stdout)
    const rows = sessions.map((session: { last: string }) => ({
      ...session,
      last: Date.parse(session.last),
      called: 12,
      problems: 1200,
      cwd: `/home/dev/${'long/'.repeat(20)}`,
    }))
    const lines = [...sessionLines(console, rows)]
    expect(wide(lines)).toEqual([])
    expect(lines[0]).toMatch(/^session {5}last +turns .*title$/)
  })

  it.each([
    ['week', '2026-W27', /^2026-W27, from 2026-06-29 /],
    ['line', `${'03eb5929-52b3-4b13-ada3-b93ae35806b8'}@5270777a-197`, /^03eb5929@5270777a-197 /],
    ['model', 'claude-sonnet-4-5-20250929', /^claude-sonnet-4-5-20250929 /],
  ] as const)('[X4] usage by %s gives up figures before its key', (by, key, expected) => {
    const [, first] = [...usageTable(usageOf(by, key), console)]
    expect(first).toMatch(expected)
  })

  it('usage fits, with the cost', () => {
    const lines = [...usageTable(usageOf('day', '2026-01-01'), console)]
    expect(wide(lines)).toEqual([])
    expect(lines[0]).toMatch(/^day .*output.*cost/)
  })
})

function usageOf(by: ReportKey, key: string): UsageReport {
  const counts = { messages: 12345, input: 1e9, output: 1e9, cacheRead: 1e9, cacheWrite5m: 1e9 }
  const sum = { ...counts, cacheWrite1h: 1e9, webSearches: 9, cost: 1234.5, unpriced: 0 }
  const group = { ...sum, key, models: ['claude-opus-5-5'] }
  const undercounted = { messages: 0, output: 0, missing: 0 }
  const tally = { groups: [group], totals: sum, unpriced: [], undercounted }
  const none = { blocks: [], whole: null, projects: new Map(), titles: new Map(), paths: new Map() }
  return { by, tally, ...none, nothing: null }
}

describe('streams', () => {
  it('--quiet prints only data', () => {
    expect(onRecorded('log', '4539').stderr).not.toBe('')
    expect(onRecorded('log', '4539', '--quiet').stderr).toBe('')
    expect(dagline(['--quiet', 'log', '4539', '--root', RECORDED]).stderr).toBe('')
  })

  it('exits silently when the reader goes away', async () => {
    const ran = spawn(process.execPath, [BUNDLE, 'graph', RECORDED, '--json'], { env: cleanEnv() })
    let stderr = ''
    ran.stderr.on('data', (text: Buffer) => {
      stderr += text.toString()
    })
    ran.stdout.destroy()
    const [code] = await once(ran, 'exit')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('[O4] is successful when the reader of both streams goes away', () => {
    const words = ['-c', '{ "$0" "$@" 2>&1; echo $? >&3; } | true', process.execPath, BUNDLE]
    const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
    const ran = spawnSync('sh', [...words, 'log', '4539', '--root', RECORDED], {
      env: cleanEnv(),
      stdio: [...stdio],
    })
    expect(String(ran.output[3])).toBe('0\n')
  })

  it('starts where no cache folder can be made', () => {
    const env = { ...cleanEnv({ XDG_CACHE_HOME: '/proc/x' }), NODE_COMPILE_CACHE: '' }
    const bin = join(import.meta.dirname, '..', 'bin', 'dagline.js')
    const { status, stdout } = spawnSync(process.execPath, [bin, '--version'], {
      env,
      encoding: 'utf8',
      timeout: 120_000,
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it('has no colors without a terminal', () => {
    expect(onRecorded('log', 'a2a9', '--graph').stdout).not.toContain('\u001b')
  })
})

const hasTerminal = spawnSync('script', ['--version']).status === 0

/** Runs on a terminal of `script`. */
function onTerminal(words: string, env: Readonly<Record<string, string>> = {}): string {
  const command = `stty cols 100; ${process.execPath} ${BUNDLE} ${words} --root ${RECORDED}`
  const options = {
    env: cleanEnv({ TERM: 'xterm', COLUMNS: '', PAGER: '', ...env }),
    encoding: 'utf8',
  } as const
  return spawnSync('script', ['-qec', command, '/dev/null'], options).stdout
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('has colors on a terminal, unless they are disabled', () => {
    const color = '\u001b[3'
    expect(onTerminal('log a2a9 --graph')).toContain(color)
    expect(onTerminal('log a2a9 --graph --no-color')).not.toContain(color)
    expect(onTerminal('--no-color log a2a9 --graph')).not.toContain(color)
    expect(onTerminal('log a2a9 --graph', { NO_COLOR: '1' })).not.toContain(color)
  })

  it('shows a log in the pager, or without one if it is missing', () => {
    expect(onTerminal('log a2a9 --no-color', { PAGER: "sed 's/Answer/PAGED/'" })).toContain('PAGED A.')
    expect(onTerminal('log a2a9 --no-color', { PAGER: 'no-such-pager' })).toContain('Answer A.')
    expect(onTerminal('log a2a9 --no-color', { PAGER: 'head -1' })).not.toContain('Answer A.')
  })

  it.each(['ls', 'tree', 'doctor --all', 'doctor a2a9', 'usage', 'census', 'stats'])(
    'shows %s in the pager',
    words => {
      expect(onTerminal(`${words} --no-color`, { PAGER: "sed 's/^/PAGED /'" })).toContain('PAGED ')
    },
  )

  it.each(['ls', 'tree', 'stats', 'agents', 'files', 'branches', 'prompts', 'census'])(
    '[O4] %s fits a narrow one',
    line => {
      const { stdout } = dagline([...line.split(' '), '--root', SAMPLES], { COLUMNS: '60' })
      expect(stdout.split('\n').filter(text => widthOf(text) > 60)).toEqual([])
      expect(stdout).not.toBe('')
    },
  )

  it('[X18] the bars of a context fit a narrow one', () => {
    const { stdout } = dagline(['context', 'latest', '--root', SAMPLES], { COLUMNS: '60' })
    const bars = stdout.split('\n').filter(text => /[█▏▎▍▌▋▊▉]/.test(text))
    expect(bars.filter(text => widthOf(text) > 60)).toEqual([])
    expect(bars.length).toBeGreaterThan(2)
  })

  it('[O4] the pager gets UTF-8, whatever the language is', () => {
    const env = { LC_ALL: 'C', PAGER: 'cat >/dev/null; echo "charset=$LESSCHARSET"' }
    expect(onTerminal('log 4539', env)).toContain('charset=utf-8')
  })

  it('fits its width', () => {
    const lines = onTerminal('log af1c --graph --no-color -q').split(/\r?\n/)
    expect(lines.every(line => line.length <= 100)).toBe(true)
    expect(lines.some(line => line.endsWith('…'))).toBe(true)
  })
})

describe('hostile texts', () => {
  const evil =
    '\\u001b[31mred\\u001b[0m \\u001b]0;title\\u0007bell\\u0007 \\u009b1mx \\u202eabc\\u0000 \\r\\nnext'

  it('never reach the terminal raw', async () => {
    const outputs = await onShape(`s1: u1"${evil}" a1"${evil}" a2[t1:Bash] r1[t1]`, run =>
      [['ls'], ['log', 's1'], ['log', 's1', '--all'], ['tree'], ['branches', 's1', '--all'], []].map(
        words => run(...words).stdout,
      ),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    for (const text of outputs) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(outputs[1]).toContain('red bell x abc next')
  })

  it('count two columns for wide characters', async () => {
    const stdout = await onShape('s1: u1"漢字のタイトル" a1 / s2: u2"plain" a2', run => run('ls').stdout)
    expect(stdout).toContain('漢字のタイトル')
  })
})
