import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeJson } from '../src/parse/index.js'
import { SECRET_KINDS } from '../src/redact/find.js'
import { createRedactor, findSecrets } from '../src/redact/index.js'
import { chars, FORMS, NOT_IN_NOISE, noise, PLANTS } from './redact-plants.js'

const redact = (text: string): string => createRedactor({ what: ['secrets'] }).text(text)

/** What another tool finds in a text. */
async function lint(content: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { filePath: 'session.txt', content, contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  })
  return messages.map(message => message.message)
}

describe('findSecrets', () => {
  it('knows more than 60 kinds', () => {
    expect(SECRET_KINDS.size).toBeGreaterThan(60)
    expect(PLANTS.size).toBeGreaterThan(45)
  })

  it.each([...PLANTS.keys()])('finds %s in every form', kind => {
    const plant = PLANTS.get(kind)
    if (plant === undefined) throw new RangeError(kind)
    fc.assert(
      fc.property(plant, fc.constantFrom(...FORMS), ({ secret, text }, [, form]) => {
        const written = form(text)
        const kinds = findSecrets(written).map(found => found.kind)
        expect(kinds).toContain(kind)
        expect(redact(written)).not.toContain(secret)
      }),
      { numRuns: 150 },
    )
  })

  it.each([...PLANTS.keys()].filter(kind => !NOT_IN_NOISE.includes(kind)))(
    'finds %s in the middle of base64',
    kind => {
      const plant = PLANTS.get(kind) ?? fc.constant({ kind, secret: '', text: '' })
      fc.assert(
        fc.property(plant, noise, noise, ({ secret, text }, before, after) => {
          expect(redact(`${before}${text}${after}`)).not.toContain(secret)
        }),
        { numRuns: 50 },
      )
    },
  )

  it('sees through escaped characters', () => {
    fc.assert(
      fc.property(
        chars('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 36),
        fc.nat(35),
        (body, at) => {
          const escaped = `\\u${body.charCodeAt(at).toString(16).padStart(4, '0')}`
          const text = `ghp_${body.slice(0, at)}${escaped}${body.slice(at + 1)}`
          expect(redact(`"${text}"`)).toBe('"[redacted:github-token-1]"')
          expect(redact(JSON.stringify(text))).toBe('"[redacted:github-token-1]"')
        },
      ),
    )
  })

  it('joins what a terminal broke over lines', () => {
    for (const kind of ['anthropic-key', 'jwt', 'github-token', 'pypi-token']) {
      const plant = PLANTS.get(kind) ?? fc.constant({ kind, secret: '', text: '' })
      fc.assert(
        fc.property(plant, fc.integer({ min: 24, max: 60 }), ({ secret }, width) => {
          const lines = secret.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
          fc.pre(lines.every(line => line.length > 8 && /\d/.test(line) && !line.startsWith('.')))
          expect(redact(`key\n${lines.join('\n')}\n\nnext`)).toBe(`key\n[redacted:${kind}-1]\n\nnext`)
        }),
        { numRuns: 60 },
      )
    }
  })

  it('takes a private key whose end is missing', () => {
    const body = fc.sample(chars('abcdefABCDEF0123456789+/', 64), { numRuns: 5, seed: 1 })
    const text = `-----BEGIN EC PRIVATE KEY-----\n${body.join('\n')}`
    expect(redact(`see:\n${text}`)).toBe('see:\n[redacted:private-key-1]')
  })

  it('finds the secret that follows the id of its key', () => {
    const [id = ''] = fc.sample(chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16), { numRuns: 1, seed: 3 })
    const [key = ''] = fc.sample(chars('abcdefghijABCDEFGHIJ0123456789+/', 40), { numRuns: 1, seed: 4 })
    expect(redact(`AKIA${id},${key}`)).toBe('[redacted:aws-key-1],[redacted:aws-secret-1]')
  })
})

/** What looks like a secret, and is none. */
const ORDINARY = [
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
  'd41d8cd98f00b204e9800998ecf8427e  file.txt',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '"uuid":"4539d2d0-eb7d-486f-a7f9-2dc9916cf162","sessionId":"4539d2d0-eb7d-486f-a7f9-2dc9916cf162"',
  'token=4539d2d0-eb7d-486f-a7f9-2dc9916cf162',
  '"integrity": "sha512-yDdWLgHEiqSFr1kNfCzYZxQ9b0tZ3mX4vJ8PqWnRrT5uHk2LsAeGc7oBiMfVxQzD6yN1jK0wUtE3hC9aSgOlRw=="',
  '"signature":"EqQBCgIYAhIkMDU2NzE5YWItYjM0Zi00ZTQyLTk5ZDgtMGE3ZjYzZDY1MmE4GgxJ0m3JbXk="',
  '"max_tokens": 200000, "cache_read_input_tokens": 123456789',
  'API_KEY=your-api-key-here',
  'export ANTHROPIC_API_KEY=<your key>',
  'token: "xxxxxxxxxxxxxxxxxxxxxxxxxxxx"',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-ant-api03-...',
  'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
  'password = process.env.DB_PASSWORD',
  'const token = await getAccessToken(user, options)',
  'password: str = Field(min_length=8)',
  `secret: ${'$'}{{ secrets.GITHUB_TOKEN }}`,
  'Authorization: Bearer $TOKEN',
  `-H "Authorization: Bearer ${'$'}{process.env.API_TOKEN}"`,
  'postgres://user:password@localhost:5432/db',
  'https://user:pass@host/path',
  'git@github.com:owner/repository.git',
  'primary_key: "users_pkey_2024_01_partition"',
  'const STORAGE_KEY = "dagline-theme-v2"',
  'cacheKey = "9fceb02d0ae598e95dc970b74767f19372d61af8"',
  'the task-oriented-disk-scheduler-for-background-jobs2 runs',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'import { createSecretKey } from "node:crypto"',
  'next_page_token: "CAUQAA"',
  'TokenKind::LeftParenthesis1 => TokenKind::RightParenthesis2',
  'nextToken = "TKSmartCardTokenDriver"',
  'cache-key-d41d8cd98f00b204e9800998ecf8427e',
  'task-9fceb02d0ae598e95dc970b74767f19372d61af8',
]

describe('what is left alone', () => {
  it.each(ORDINARY)('%s', text => {
    expect(findSecrets(text)).toEqual([])
    expect(findSecrets(JSON.stringify({ text }))).toEqual([])
  })

  it('hashes, uuids and base64 by chance', () => {
    const hex = '0123456789abcdef'
    const noise = fc.oneof(
      chars(hex, 40),
      chars(hex, 64),
      fc.uuid(),
      fc.uint8Array({ minLength: 3000, maxLength: 3000 }).map(bytes => Buffer.from(bytes).toString('base64')),
    )
    fc.assert(
      fc.property(noise, fc.constantFrom('commit ', 'id: ', '', '"hash":"', 'etag='), (text, lead) => {
        expect(findSecrets(`${lead}${text}`)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

const anyPlant = fc.oneof(...PLANTS.values())
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.lorem(),
      anyPlant.map(plant => plant.text),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join('\n'))

describe('createRedactor', () => {
  it('changes nothing without secrets, and nothing twice', () => {
    fc.assert(
      fc.property(anyText, text => {
        const once = redact(text)
        if (findSecrets(text).length === 0) expect(once).toBe(text)
        expect(findSecrets(once)).toEqual([])
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 400 },
    )
  })

  it('gives one secret one placeholder, in every form and wherever it stands', () => {
    fc.assert(
      fc.property(anyPlant, anyPlant, (one, other) => {
        fc.pre(
          one.secret !== other.secret && !one.text.includes(other.secret) && !other.text.includes(one.secret),
        )
        const redactor = createRedactor({ what: ['secrets'] })
        redactor.learn([one.text, other.text])
        const first = redactor.text(one.text)
        expect(redactor.text(other.text)).not.toBe(first)
        expect(redactor.text(one.text)).toBe(first)
        const [mark] = /\[redacted:[a-z0-9-]+\]/.exec(redactor.text(JSON.stringify(one.text))) ?? []
        expect(first).toContain(mark)
      }),
    )
  })

  it('knows a password again where nothing says that it is one', () => {
    const redactor = createRedactor({ what: ['secrets'] })
    redactor.learn({ env: 'DB_PASSWORD=Tr0ub4dor&3x' })
    expect(redactor.text('I tried Tr0ub4dor&3x twice')).toBe('I tried [redacted:password-1] twice')
  })

  it('reads data: fields by their names, pictures not at all, unchanged parts the same', () => {
    const redactor = createRedactor({ what: ['secrets'] })
    const image = { type: 'base64', media_type: 'image/png', data: 'AKIAABCDEFGHIJKLMNOP' }
    const plain = { list: [1, null, 'text', { image }] }
    expect(redactor.value(plain)).toBe(plain)
    const given = JSON.parse('{"__proto__":{"x":1},"input":{"password":"Tr0ub4dor&3x","user":"ada"}}')
    const redacted = redactor.value(given)
    expect(JSON.stringify(redacted)).toBe(
      '{"__proto__":{"x":1},"input":{"password":"[redacted:password-1]","user":"ada"}}',
    )
    expect(redactor.text('Tr0ub4dor&3x and again Tr0ub4dor&3x')).toBe(
      '[redacted:password-1] and again [redacted:password-1]',
    )
  })

  it('another tool finds nothing in the result', async () => {
    const samples = fc.sample(fc.array(anyPlant, { minLength: 40, maxLength: 60 }), { numRuns: 12, seed: 7 })
    for (const plants of samples) {
      const forms = [...FORMS.values()]
      const text = plants.map((plant, at) => forms[at % forms.length]?.(plant.text)).join('\n')
      expect((await lint(text)).length).toBeGreaterThan(5)
      expect(await lint(redact(text))).toEqual([])
    }
  })

  it('replaces user names in paths, e-mail addresses and names only where asked', () => {
    const text =
      'Ada Lovelace <ada@lovelace.io> works in /home/ada/shop, C:\\Users\\ada\\x, -home-ada-shop. Ada did.'
    expect(redact(text)).toBe(text)
    const all = createRedactor({
      what: ['secrets', 'paths', 'emails', 'names'],
      names: ['Ada Lovelace', 'jean-luc (x)'],
    })
    expect(all.text(text)).toBe(
      '[redacted:name-1] <[redacted:email-1]> works in /home/[redacted:user-1]/shop, C:\\Users\\[redacted:user-1]\\x, -home-[redacted:user-1]-shop. [redacted:name-2] did.',
    )
    expect(all.text(all.text(text))).toBe(all.text(text))
    expect(
      all.text(
        'git@github.com:a/b.git, noreply@anthropic.com, you@example.com, /Users/Shared/x, react@18.2.0',
      ),
    ).toBe('git@github.com:a/b.git, noreply@anthropic.com, you@example.com, /Users/Shared/x, react@18.2.0')
  })
})

describe('time', () => {
  const hostile: readonly (readonly [string, string])[] = [
    ['eyJ', 'eyJ'],
    ['eyJa.', 'eyJabcdefghijklmnop.'],
    ['AKIA', 'AKIA'],
    ['sk-', 'sk-'],
    ['ghp_', 'ghp_a1B2'],
    ['password=', 'password='],
    ['password: "', 'password: "'],
    ['key', 'key'],
    ['blanks', 'token = \t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t'],
    ['marks', '-----BEGIN PRIVATE KEY-----'],
    ['marks and base64', '-----BEGIN PRIVATE KEY-----\nMIIEabcdefghijkl'],
    ['addresses', 'a://b:c'],
    ['at', 'a@'],
    ['backslashes', '\\'],
    ['escapes', '\\\\u0041'],
    ['dots', 'a.abcdef.'],
    ['cookies', 'cookie: a=1;'],
    ['cookie', 'Cookie: session=a1;'],
    ['putty', 'Private-Lines: 14\nabc'],
    ['breaks', 'ghp_abcd1\n'],
    ['homes', '/home/'],
  ]
  it.each(hostile)('stays in proportion to the length: %s', (_, piece) => {
    const all = createRedactor({ what: ['secrets', 'paths', 'emails', 'names'], names: ['Ada'] })
    const timeOf = (length: number): number => {
      const text = piece.repeat(Math.ceil(length / piece.length))
      const start = performance.now()
      all.learn(text)
      return performance.now() - start
    }
    timeOf(30_000)
    const short = Math.max(2, timeOf(60_000))
    const long = timeOf(960_000)
    // Sixteen times the length; what grows with the square takes 256 times as long.
    expect(long).toBeLessThan(short * 100 + 400)
  })
})

describe('data of any depth', () => {
  const nested = (text: string): string =>
    `${'{"a":['.repeat(50_000)}${JSON.stringify(text)}${']}'.repeat(50_000)}`
  const mail = createRedactor({ what: ['emails'] })

  it('is the same data where nothing is replaced', () => {
    const value: unknown = JSON.parse(nested('plain'))
    expect(mail.value(value) === value).toBe(true)
  })

  it('loses nothing but what is replaced', () => {
    const value: unknown = JSON.parse(nested('write to ada@corp.io'))
    expect(mail.learn(value)).toEqual(['email'])
    expect(writeJson(mail.value(value)) === nested('write to [redacted:email-1]')).toBe(true)
  })
})
