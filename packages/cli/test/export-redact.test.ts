import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import fc from 'fast-check'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { FORMS, PLANTS } from '../../core/test/redact-plants.js'
import { answer, called, onFiles, prompt, sessionFile, textOf } from './export-files.js'
import { dagline, json, ownFolders } from './run.js'

/** One secret of each kind. */
const SECRETS = [...PLANTS.values()].flatMap((plant, at) => fc.sample(plant, { numRuns: 1, seed: 100 + at }))
const forms = [...FORMS.values()]

/** Every kind in every place of a session: typed, said, thought, called, answered, recorded, put beside it. */
const records = SECRETS.flatMap(({ text }, at) => {
  const form = forms[at % forms.length] ?? (plain => plain)
  const written = form(text)
  return [
    prompt(`please look at this:\n${written}`),
    answer(
      { type: 'thinking', thinking: `hm, ${written}`, signature: 'EqQBCgIYAhIkMDU2' },
      { type: 'text', text: written },
    ),
    ...called(
      'Bash',
      { command: `echo '${text}'`, env: { note: written } },
      JSON.stringify({ out: written }),
      {
        stdout: written,
        stderr: '',
      },
    ),
  ]
})
const SPILL = '<persisted-output>\nOutput too large. Full output saved to: /home/ada/x/tool-results/big.txt\n'
const FILES = [
  sessionFile('s1', [
    ...records,
    { type: 'custom-title', customTitle: `Deploy ${SECRETS[1]?.text}` },
    ...called('Bash', { command: 'env' }, SPILL),
  ]),
  { path: '-home-dev-proj/s1/tool-results/big.txt', text: SECRETS.map(({ text }) => text).join('\n\n') },
]

async function lint(content: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { filePath: 'session.txt', content, contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  })
  return messages.map(({ message }) => message)
}

describe('export --redact', () => {
  it('[P9] jsonl: damaged pieces beside a record are kept, without their secrets', async () => {
    const token = `ghp_${'a8Kx92mQzL4pR7tVbN3cW6yD1eF5gH0jS2uT'}`
    const file = sessionFile('s1', [prompt('hello'), answer({ type: 'text', text: 'hi' })])
    const torn = `{"type":"user","message":{"content":"the key is ${token}", and the rest was torn `
    const [first = '', ...rest] = file.text.split('\n')
    const text = [first, `${torn}${rest[0]}`, ...rest.slice(1)].join('\n')
    const [exported] = await onFiles([{ ...file, text }], (run, out) => {
      const ran = run('export', 's1', '--format', 'jsonl', '--redact', '--out', out)
      return [textOf(out), ran] as const
    })
    expect(exported).toContain('and the rest was torn')
    expect(exported).not.toContain(token)
  })

  it.each(['html', 'md', 'json', 'jsonl'])(
    '[R4] %s: no planted secret survives, another tool finds none, and the report promises nothing',
    async format => {
      const [text, said] = await onFiles(FILES, (run, out) => {
        const target = join(out, `s1.${format}`)
        const ran = run('export', 's1', '--format', format, '--redact', '--out', target)
        return [existsSync(target) ? textOf(target) : '', ran.stderr]
      })
      expect(said).toMatch(
        /Replaced: .*github-token.*\. Unknown kinds may remain: look before you share it\.\n$/,
      )
      for (const { kind, secret } of SECRETS) expect(text, kind).not.toContain(secret)
      expect(text).toContain('[redacted:')
      expect(await lint(text)).toEqual([])
    },
  )

  it('parquet: the tables have no secrets', async () => {
    const text = await onFiles(FILES, async (run, out) => {
      expect(run('export', 's1', '--format', 'parquet', '--redact', '--out', out).code).toBe(0)
      const rows = await Promise.all(
        readdirSync(out).map(
          async name => await parquetReadObjects({ file: await asyncBufferFromFile(join(out, name)) }),
        ),
      )
      return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
    })
    for (const { kind, secret } of SECRETS) expect(text, kind).not.toContain(secret)
    expect(text).toContain('[redacted:')
  })

  it('[R3] is deterministic, and one secret has one placeholder in all sessions of a project', async () => {
    const [token = ''] = SECRETS.filter(({ kind }) => kind === 'github-token').map(({ secret }) => secret)
    const [other = ''] = SECRETS.filter(({ kind }) => kind === 'npm-token').map(({ secret }) => secret)
    const files = [
      sessionFile('s1', [prompt(`${other} and ${token}`), answer({ type: 'text', text: 'ok' })]),
      sessionFile('s2', [prompt(`again ${token}`), answer({ type: 'text', text: 'ok' })]),
    ]
    const [first, second] = await onFiles(files, (run, out) => {
      const words = ['export', '--project', 'proj', '--format', 'md', '--redact', '--out']
      run(...words, join(out, 'a'))
      run(...words, join(out, 'b'))
      const read = (folder: string): string =>
        ['s1.md', 's2.md', 'index.html'].map(name => readFileSync(join(out, folder, name), 'utf8')).join('\n')
      return [read('a'), read('b')]
    })
    expect(first).toBe(second)
    const [mark = ''] = /again (\[redacted:github-token-[0-9a-f]{8}\])/.exec(first)?.slice(1) ?? []
    expect(first).toMatch(/\[redacted:npm-token-[0-9a-f]{8}\] and \[redacted:github-token-/)
    expect(first.split(mark).length).toBeGreaterThan(2)
  })

  it('replaces paths, email addresses and names on request', async () => {
    const said = 'I am Ada Lovelace <ada@lovelace.io>, see /home/ada/proj/x.ts'
    const files = [
      sessionFile('s1', [prompt(said), answer({ type: 'text', text: 'Hello Ada' })], '-home-ada-proj'),
    ]
    const print = async (...words: string[]): Promise<string> =>
      await onFiles(files, run => run('export', 's1', '--format', 'md', '--out', '-', '-q', ...words).stdout)
    expect(await print('--redact')).toContain(said.replace('<', '&lt;'))
    expect(await print('--redact', 'paths')).toMatch(/\/home\/\[redacted:user-[0-9a-f]{8}\]\/proj\/x\.ts/)
    expect(await print('--redact', 'emails')).toMatch(/\[redacted:email-[0-9a-f]{8}\]/)
    const named = await print('--redact', 'secrets,paths,emails,names', '--name', 'Ada Lovelace')
    expect(named).not.toMatch(/ada|lovelace/i)
  })

  it('says what is not replaced: the rest of paths, and unknown names', async () => {
    const files = [sessionFile('s1', [prompt('see /home/ada/proj/x.ts')])]
    const say = (...words: string[]): Promise<string> =>
      onFiles(files, run => run('export', 's1', '--format', 'md', '--out', '-', '--redact', ...words).stderr)
    expect(await say('paths')).toContain('folders and files keep their names')
    expect(await say('emails')).not.toContain('folders and files')
    expect(await say('names', '--name', 'proj')).not.toContain('No name')
    expect(await say('emails', '--name', 'Zebedee')).not.toContain('No name')
  })

  // The account of whoever runs this may have a name that is looked for.
  it.skipIf(!/^(?:root|runner|node|ubuntu)$/.test(userInfo().username))(
    'says that no name is known',
    async () => {
      const { path, text } = sessionFile('s1', [prompt('hello')])
      const files = [{ path, text: text.replaceAll('/home/ada', '/srv') }]
      const said = await onFiles(files, (_, __, home) => {
        const env = { CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home), GIT_DIR: home.dir }
        const words = ['export', 's1', '--format', 'md', '--out', '-', '--redact', 'names']
        return [dagline(words, env).stderr, dagline([...words, '--name', 'Zebedee'], env).stderr]
      })
      expect(said[0]).toContain('No name was replaced, because none is known')
      expect(said[1]).toContain('No name was replaced: none of 1 known name was found')
    },
  )

  it('rows of a transcript without secrets keep their bytes', async () => {
    const [token = ''] = SECRETS.filter(({ kind }) => kind === 'github-token').map(({ secret }) => secret)
    const file = sessionFile('s1', [prompt('caf\u00e9'), prompt(`my ${token}`)])
    const spaced = file.text.replace('{"parentUuid":null', '{ "parentUuid" : null')
    const text = await onFiles(
      [{ ...file, text: spaced }],
      run => run('export', 's1', '--format', 'jsonl', '--redact', '--out', '-').stdout,
    )
    const [first, second] = text.split('\n')
    expect(first).toBe(spaced.split('\n')[0])
    expect(JSON.parse(second ?? '').message.content).toMatch(/^my \[redacted:github-token-[0-9a-f]{8}\]$/)
  })
})

describe('export with likely secrets', () => {
  it('fails without a terminal and says how many of which kind and where, but never the secret', async () => {
    const [{ secret, text }] = SECRETS.filter(({ kind }) => kind === 'github-token') as [
      (typeof SECRETS)[number],
    ]
    const files = [sessionFile('s1', [prompt('hi'), prompt(`${text} ${text}`)])]
    await onFiles(files, (run, out) => {
      const ran = run('export', 's1', '--out', join(out, 'a.html'))
      expect({
        code: ran.code,
        stdout: ran.stdout,
        isWritten: existsSync(out) && readdirSync(out).length > 0,
      }).toEqual({
        code: 1,
        stdout: '',
        isWritten: false,
      })
      expect(ran.stderr).toMatch(
        /^dagline: There are 2 likely secrets in it: 2 github-token \(00000000 row 2\)\. Use --redact to replace them, or --allow-secrets to export them\.\n$/,
      )
      expect(ran.stderr).not.toContain(secret)
      expect(run('export', 's1', '--allow-secrets', '--out', join(out, 'a.html')).code).toBe(0)
      expect(textOf(join(out, 'a.html'))).toContain(secret)
      expect(json(run('export', 's1', '--redact', '--json', '--out', join(out, 'b.html')))).toMatchObject({
        redacted: [{ kind: 'github-token', different: 1 }],
        left: 0,
        note: expect.stringMatching(/^Replaced: .* Unknown kinds may remain/),
      })
    })
  })

  it('also checks results in files of their own', async () => {
    const [{ text }] = SECRETS.filter(({ kind }) => kind === 'stripe-key') as [(typeof SECRETS)[number]]
    const files = [
      sessionFile('s1', [prompt('hi'), ...called('Bash', { command: 'env' }, SPILL)]),
      { path: '-home-dev-proj/s1/tool-results/big.txt', text: `KEY ${text}` },
    ]
    const ran = await onFiles(files, (run, out) => run('export', 's1', '--out', out))
    expect(ran.stderr).toContain('1 stripe-key (')
  })

  it('ignores what is not exported', async () => {
    const [{ text }] = SECRETS.filter(({ kind }) => kind === 'stripe-key') as [(typeof SECRETS)[number]]
    const files = [
      sessionFile('s1', [
        prompt('hi'),
        ...called('Bash', { command: 'env' }, text),
        answer({ type: 'text', text: 'done' }),
      ]),
    ]
    const ran = await onFiles(files, run => run('export', 's1', '--format', 'md', '--no-tools', '--out', '-'))
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
  })
})
