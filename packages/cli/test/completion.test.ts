/** Completion in the real shells, as far as they are installed, on the samples. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLE, cleanEnv, dagline, SAMPLES } from './run.js'

const BRANCH = '019c5be1-3495-42e4-a993-ff363aeed7bd@07e8e1e4-cc4'
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

/** Lines to complete, and what each gives. */
const CASES: readonly (readonly [line: string, candidates: readonly string[]])[] = [
  ['dagline compl', ['completion']],
  ['dagline log tax', ['tax-rewrite']],
  ['dagline stats 7eb', ['7eb6b56b-c5b0-4ee9-a92e-76e228e62667']],
  ['dagline checkout 019c5be1-3495-42e4-a993-ff363aeed7bd@', [BRANCH]],
  ['dagline help env', ['environment']],
  ['dagline config get them', ['theme']],
  ['dagline archive ver', ['verify']],
]

describe('[U6] completion', () => {
  let home = ''
  let env: Record<string, string> = {}

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'dagline-completion-'))
    cpSync(SAMPLES, join(home, '.claude', 'projects'), { recursive: true })
    writeFileSync(join(home, 'dagline'), `#!/bin/sh\nexec "${process.execPath}" "${BUNDLE}" "$@"\n`, {
      mode: 0o755,
    })
    const own = { XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: join(home, 'data') }
    env = cleanEnv({ ...own, HOME: home, PATH: `${home}:${process.env['PATH']}` })
    dagline(['name', '019c5be1', 'tax-rewrite'], env)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  const run = (shell: string, script: string): string[] => {
    const options = { env, cwd: home, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync(shell, ['-c', script], options)
    expect(stderr).toBe('')
    return stdout.split('\n').filter(line => line !== '')
  }
  const script = (shell: string): string => dagline(['completion', shell], env).stdout

  it('completes in bash', () => {
    const asks = CASES.map(([line]) => {
      const words = line.split(' ')
      return `COMP_LINE='${line}' COMP_POINT=${line.length}; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _dagline; echo "\${COMPREPLY[*]}"`
    })
    expect(run('bash', `${script('bash')}\n${asks.join('\n')}`)).toEqual(
      CASES.map(([, candidates]) => candidates.join(' ')),
    )
  })

  it('completes kinds of problems in bash', () => {
    for (const line of ['dagline doctor --explain dup', 'dagline repair 019c5be1 --only dup']) {
      const words = line.split(' ')
      const ask = `COMP_LINE='${line}' COMP_POINT=${line.length}; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _dagline; echo "\${COMPREPLY[*]}"`
      expect(run('bash', `${script('bash')}\n${ask}`)).toEqual(['duplicate-tool-id duplicate-row'])
    }
  })

  it('completes the rest of a branch in bash, which breaks words at @', () => {
    const line = `dagline checkout ${BRANCH.slice(0, -6)}`
    const [session, rest = ''] = BRANCH.slice(0, -6).split('@')
    const ask = `COMP_LINE='${line}' COMP_POINT=${line.length}; COMP_WORDS=(dagline checkout '${session}' @ '${rest}'); COMP_CWORD=4; _dagline; echo "\${COMPREPLY[*]}"`
    expect(run('bash', `${script('bash')}\n${ask}`)).toEqual(['07e8e1e4-cc4'])
  })

  it('completes in fish', context => {
    if (!isInstalled('fish')) context.skip('fish is not installed: its completion was not run.')
    const asks = CASES.map(([line]) => `complete -C '${line}' | string split -f1 \\t`)
    const printed = run('fish', `${script('fish')}\n${asks.join('\n')}`)
    expect(printed).toEqual(CASES.flatMap(([, candidates]) => candidates))
  })

  it('completes in zsh', context => {
    if (!isInstalled('zsh')) context.skip('zsh is not installed: its completion was not run.')
    // The functions of zsh's own system work in an editor only: these print what they are given.
    const system = `compdef() { }; _files() { }; _describe() { print -rl -- \${(P)2} }
      _arguments() { local last=\${@[-1]}; last=\${last##*:}; case $last in (\\(*) print -rl -- \${=\${last#\\(}%\\)} ;; (*) $last ;; esac }`
    const asks = CASES.map(([line]) => `words=(${line}); CURRENT=$#words; _dagline; print -r -- --`)
    const printed = run('zsh', `${system}\n${script('zsh')}\n${asks.join('\n')}`)
    const parts = printed.join('\n').split('\n--')
    for (const [at, [, candidates]] of CASES.entries()) expect(parts[at]).toContain(candidates[0])
  })
})
