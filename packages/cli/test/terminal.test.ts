/** What the outside world sees: exit codes, streams, colours, hostile texts, readers who go away. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { BUNDLE, cleanEnv, dagline, onSamples, onShape, SAMPLES } from './run.js'

describe('errors', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['a path that is not there', ['graph', '/no/such/path'], 'There is no /no/such/path: give a transcript'],
    ['a root that is not there', ['ls', '--root', '/no/such/root'], 'There is no /no/such/root'],
    [
      'an unknown session',
      ['log', 'zzz', '--root', SAMPLES],
      'No session begins with zzz: `dagline ls --all`',
    ],
    ['an ambiguous session', ['log', '4', '--root', SAMPLES], '2 sessions begin with 4: 4'],
    ['a session file that is not there', ['log', 'none.jsonl'], 'none.jsonl: give a session id'],
    ['an unknown entry', ['explain', 'zzz', '--root', SAMPLES], 'No entry begins with zzz'],
    ['an ambiguous entry', ['show', 'a', '--root', SAMPLES], 'entries begin with a: '],
    ['an unknown command', ['frobnicate'], 'There is no command frobnicate'],
    ['an unknown option', ['ls', '--frob'], "unknown option '--frob'; see `dagline --help`."],
    ['a missing word', ['log'], "missing required argument 'session'"],
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

  it('an empty folder is no error', async () => {
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

describe('streams', () => {
  it('--quiet says nothing beside the data', () => {
    expect(onSamples('log', '4539').stderr).not.toBe('')
    expect(onSamples('log', '4539', '--quiet').stderr).toBe('')
    expect(dagline(['--quiet', 'log', '4539', '--root', SAMPLES]).stderr).toBe('')
  })

  it('ends quietly when the reader goes away', async () => {
    const ran = spawn(process.execPath, [BUNDLE, 'graph', SAMPLES, '--json'], { env: cleanEnv() })
    let stderr = ''
    ran.stderr.on('data', (text: Buffer) => {
      stderr += text.toString()
    })
    ran.stdout.destroy()
    const [code] = await once(ran, 'exit')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('has no colours without a terminal', () => {
    expect(onSamples('log', 'a2a9', '--graph').stdout).not.toContain('\u001b')
  })
})

const hasTerminal = spawnSync('script', ['--version']).status === 0

/** Runs on a terminal of `script`. */
function onTerminal(words: string, env: Readonly<Record<string, string>> = {}): string {
  const command = `stty cols 100; ${process.execPath} ${BUNDLE} ${words} --root ${SAMPLES}`
  const options = { env: cleanEnv({ TERM: 'xterm', PAGER: '', ...env }), encoding: 'utf8' } as const
  return spawnSync('script', ['-qec', command, '/dev/null'], options).stdout
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('has colours, unless told otherwise', () => {
    const colour = '\u001b[3'
    expect(onTerminal('log a2a9 --graph')).toContain(colour)
    expect(onTerminal('log a2a9 --graph --no-color')).not.toContain(colour)
    expect(onTerminal('--no-color log a2a9 --graph')).not.toContain(colour)
    expect(onTerminal('log a2a9 --graph', { NO_COLOR: '1' })).not.toContain(colour)
  })

  it('shows a log through the pager, and without one where it is missing', () => {
    expect(onTerminal('log a2a9 --no-color', { PAGER: "sed 's/Answer/PAGED/'" })).toContain('PAGED A.')
    expect(onTerminal('log a2a9 --no-color', { PAGER: 'no-such-pager' })).toContain('Answer A.')
    expect(onTerminal('log a2a9 --no-color', { PAGER: 'head -1' })).not.toContain('Answer A.')
  })

  it('keeps to its width', () => {
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

  it('wide characters take the room they need', async () => {
    const stdout = await onShape('s1: u1"漢字のタイトル" a1 / s2: u2"plain" a2', run => run('ls').stdout)
    expect(stdout).toContain('漢字のタイトル')
  })
})
