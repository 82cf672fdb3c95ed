import { createHash } from 'node:crypto'
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeJson } from '../src/parse/index.js'
import { SECRET_KINDS } from '../src/redact/find.js'
import { createRedactor, findAcross, findSecrets, PLACEHOLDER, type Redactor } from '../src/redact/index.js'
import { ORDINARY } from './redact-ordinary.js'
import { chars, ENCODINGS, FORMS, IN_NOISE, noise, PLANTS } from './redact-plants.js'

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 8)
const redactor = (): Redactor => createRedactor({ what: ['secrets'], hash })
const redact = (text: string): string => redactor().text(text)
/** The text with placeholders that have no hash. */
const marked = (text: string): string => redact(text).replace(PLACEHOLDER, unhashed)
const unhashed = (placeholder: string): string => placeholder.replace(/-[0-9a-f]+\]$/, ']')

/** What another tool finds in a text. */
async function lint(content: string): Promise<readonly string[]> {
  const { messages } = await lintSource({
    source: { filePath: 'session.txt', content, contentType: 'text' },
    options: { config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
  })
  return messages.map(message => message.message)
}

describe('findSecrets', () => {
  it('[R1] has an example of every kind, and more than 120 kinds', () => {
    expect(SECRET_KINDS.size).toBeGreaterThan(120)
    const shown = new Set([...PLANTS.values()].flatMap(plant => fc.sample(plant, 1).map(({ kind }) => kind)))
    expect([...SECRET_KINDS].filter(kind => !shown.has(kind))).toEqual([])
  })

  it.each([...PLANTS.keys()])('finds %s in every form', name => {
    const plant = PLANTS.get(name)
    if (plant === undefined) throw new RangeError(name)
    fc.assert(
      fc.property(plant, fc.constantFrom(...FORMS), ({ kind, secret, text }, [, form]) => {
        const written = form(text)
        const kinds = findSecrets(written).map(found => found.kind)
        expect(kinds).toContain(kind)
        expect(redact(written)).not.toContain(secret)
      }),
      { numRuns: 40 },
    )
  })

  it('[R7] finds the values of a manifest under any name, and leaves those of other kinds', () => {
    const manifest = (kind: string, value: string): string =>
      `apiVersion: v1\ndata:\n  dsn: ${value}\n  note: "{{ .Values.note }}"\nkind: ${kind}\n`
    const other = manifest('ConfigMap', 'c2hvcC1vcmRlcnM3')
    expect(marked(`${manifest('Secret', 'c2VjcmV0LTEyMzQ1')}---\n${other}`)).toBe(
      `${manifest('Secret', '[redacted:secret]')}---\n${other}`,
    )
  })

  it.each(IN_NOISE)('finds %s in the middle of base64', kind => {
    const plant = PLANTS.get(kind) ?? fc.constant({ kind, secret: '', text: '' })
    fc.assert(
      fc.property(plant, noise, noise, ({ secret, text }, before, after) => {
        expect(redact(`${before}${text}${after}`)).not.toContain(secret)
      }),
      { numRuns: 50 },
    )
  })

  it('sees through escaped characters', () => {
    fc.assert(
      fc.property(
        chars('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 36),
        fc.nat(35),
        (body, at) => {
          const escaped = `\\u${body.charCodeAt(at).toString(16).padStart(4, '0')}`
          const text = `ghp_${body.slice(0, at)}${escaped}${body.slice(at + 1)}`
          expect(marked(`"${text}"`)).toBe('"[redacted:github-token]"')
          expect(marked(JSON.stringify(text))).toBe('"[redacted:github-token]"')
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
          expect(marked(`key\n${lines.join('\n')}\n\nnext`)).toBe(`key\n[redacted:${kind}]\n\nnext`)
        }),
        { numRuns: 60 },
      )
    }
  })

  it('takes a private key whose end is missing', () => {
    const body = fc.sample(chars('abcdefABCDEF0123456789+/', 64), { numRuns: 5, seed: 1 })
    const text = `-----BEGIN EC PRIVATE KEY-----\n${body.join('\n')}`
    expect(marked(`see:\n${text}`)).toBe('see:\n[redacted:private-key]')
  })

  it('finds the secret that follows the id of its key', () => {
    const [id = ''] = fc.sample(chars('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16), { numRuns: 1, seed: 3 })
    const [key = ''] = fc.sample(chars('abcdefghijABCDEFGHIJ0123456789+/', 40), { numRuns: 1, seed: 4 })
    expect(marked(`AKIA${id},${key}`)).toBe('[redacted:aws-key],[redacted:secret]')
  })
})

describe('what is left alone', () => {
  it('500 lines of code, output and prose, by themselves, as data and together', () => {
    expect(ORDINARY.length).toBeGreaterThanOrEqual(500)
    const found = ORDINARY.filter(
      text => findSecrets(text).length + findSecrets(JSON.stringify({ text })).length > 0,
    )
    expect(found).toEqual([])
    expect(findSecrets(ORDINARY.join('\n'))).toEqual([])
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
        const known = redactor()
        known.learn([one.text, other.text])
        const first = known.text(one.text)
        expect(known.text(other.text)).not.toBe(first)
        expect(known.text(one.text)).toBe(first)
        const [mark] = /\[redacted:[a-z0-9-]+\]/.exec(known.text(JSON.stringify(one.text))) ?? []
        expect(first).toContain(mark)
      }),
    )
  })

  it('[R3] a secret has the same placeholder in whatever order and words it is found', () => {
    const texts = [
      'token=Kx93mQzL4pR7tVbN3cW6',
      "client_secret: 'Kx93mQzL4pR7tVbN3cW6'",
      'see Kx93mQzL4pR7tVbN3cW6 there',
    ]
    const orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1], [0]]
    const marks = orders.flatMap(order => {
      const known = redactor()
      known.learn(texts)
      return order.flatMap(at => known.text(texts[at] ?? '').match(PLACEHOLDER) ?? [])
    })
    expect(new Set(marks)).toEqual(new Set([`[redacted:secret-${hash('Kx93mQzL4pR7tVbN3cW6')}]`]))
  })

  it('[R1] data that has a name and its value in two fields', () => {
    const data = {
      env: [
        { name: 'DB_PASSWORD', value: 'kQ8vW3xK-Zq41' },
        { name: 'LEVEL', value: 'debug' },
      ],
    }
    const made = JSON.stringify(redactor().value(data)).replace(PLACEHOLDER, unhashed)
    expect(made).toBe(JSON.stringify(data).replace('kQ8vW3xK-Zq41', '[redacted:secret]'))
  })

  it('[R6] what stands below the name of a secret in a table', () => {
    const table = [
      '| user | password |',
      '|---|---|',
      '| ada | kQ8vW3xK-Zq41 |',
      '| type | varchar(255) |',
      '| ben | required |',
    ]
    expect(marked(table.join('\n'))).toBe(table.join('\n').replace('kQ8vW3xK-Zq41', '[redacted:secret]'))
    expect(marked('id,name,api_key\n1,ada,"aZ3kQ9xW1bT7mN5cR2vL8pY4"\n')).toBe(
      'id,name,api_key\n1,ada,"[redacted:secret]"\n',
    )
  })

  it('[R7] of a record as it is written, long texts are passed over, and what is beside them is not', () => {
    const value = 'kattegat-MAeXr6-9fQ2'
    const long = `${'a "quoted" word\\ '.repeat(40)} DB_PASSWORD=${value}`
    const found = (record: object): readonly string[] => {
      const text = JSON.stringify(record)
      return findAcross(text).map(({ start, end }) => text.slice(start, end))
    }
    expect(found({ content: long })).toEqual([])
    expect(found({ content: long, outputs: { db_password: { type: 'string', value } } })).toEqual([value])
    const key = 'c2hvcC1vcmRlcnM3'.repeat(60)
    expect(found({ note: long, kind: 'Secret', data: { 'tls.crt': key }, last: long })).toEqual([key])
  })

  it('[R2] text in base64 is found at every offset of a long run of other bytes', () => {
    const noise = Buffer.from(Array.from({ length: 900 }, (_, at) => 128 + ((at * 89) % 127))).toString(
      'base64',
    )
    const encoded = Buffer.from('password=kattegat-MAeXr6').toString('base64')
    for (let offset = 0; offset < 60; offset++) {
      const text = `${noise.slice(0, 300 + offset)}${encoded}${noise.slice(400)}`
      expect(findSecrets(text), `offset ${offset}`).toHaveLength(1)
    }
  })

  it('[R2] a secret in base64 of base64', () => {
    const [plant] = fc.sample(PLANTS.get('github-token') ?? fc.constant(null), { numRuns: 1, seed: 5 })
    const encode = (text: string): string => Buffer.from(text).toString('base64')
    const file = `apiVersion: v1\ndata:\n  token: ${encode(plant?.secret ?? '')}\n`
    expect(marked(`see ${encode(file)} there`)).toBe('see [redacted:secret] there')
  })

  it('[R2] a secret in base64 is found where a label has its lines in one', () => {
    const encoded = Buffer.from(`${'x'.repeat(90)}\npassword=kattegat-MAeXr6\n`).toString('base64')
    const label = encoded.replace(/.{76}/g, '$& ')
    expect(marked(label)).not.toContain(encoded.slice(-20))
    expect(marked(label)).toContain('[redacted:')
  })

  it('[R2] a secret over a line break is replaced, in keys and in encodings too', () => {
    for (const text of [
      '{"user":"maria","password":"correct-Hors\ne-41-battery"}',
      JSON.stringify({ user: 'maria', password: 'correct-Hors\ne-41-battery' }),
      JSON.stringify(JSON.stringify({ user: 'maria', password: 'correct-Hors\ne-41-battery' })),
    ]) {
      expect(redact(text)).not.toMatch(/Hors|e-41/)
      expect(findSecrets(redact(text))).toEqual([])
    }
    const value = redactor().value({
      'PGPASSWORD=Pg4ibh6t453oXh': { password: 'correct-Hors\ne-41-battery' },
    })
    expect(JSON.stringify(value)).not.toMatch(/Pg4ibh|Hors|e-41/)
  })

  it('[R2] what another search finds is replaced, and a text that cannot be cleaned is left out', () => {
    const known = redactor()
    known.add('odd-secret', 'qq-17')
    expect(known.text('aqq-17b')).toMatch(/^a\[redacted:odd-secret-[0-9a-f]+\]b$/)
    known.omit(['strange'])
    expect(known.text('something strange in it')).toMatch(/^\[redacted:text-left-out-[0-9a-f]+\]$/)
    expect(known.value({ a: 'strange', b: 'plain' })).toMatchObject({ b: 'plain' })
  })

  it('replaces what is left of a known secret where a title was cut', () => {
    const known = redactor()
    known.learn('DB_PASSWORD=Tr0ub4dor&3xQ9zz')
    expect(known.text('I tried Tr0ub4dor&…')).toMatch(/^I tried \[redacted:secret-[0-9a-f]+\]…$/)
    expect(known.text('I tried Tr0ub4dor&3')).toMatch(/^I tried \[redacted:secret-[0-9a-f]+\]$/)
    expect(known.text('I tried Tr0ub4dor& there')).toBe('I tried Tr0ub4dor& there')
  })

  it('knows a password again where nothing says that it is one', () => {
    const known = redactor()
    known.learn({ env: 'DB_PASSWORD=Tr0ub4dor&3x' })
    const mark = `[redacted:secret-${hash('Tr0ub4dor&3x')}]`
    expect(known.kindOf(mark)).toBe('password')
    expect(known.text('I tried Tr0ub4dor&3x twice')).toBe(`I tried ${mark} twice`)
  })

  it('reads data: fields by their names, pictures not at all, unchanged parts the same', () => {
    const known = redactor()
    const image = { type: 'base64', media_type: 'image/png', data: 'AKIAABCDEFGHIJKLMNOP' }
    const plain = { list: [1, null, 'text', { image }] }
    const mark = `[redacted:secret-${hash('Tr0ub4dor&3x')}]`
    expect(known.value(plain)).toBe(plain)
    const given = JSON.parse('{"__proto__":{"x":1},"input":{"password":"Tr0ub4dor&3x","user":"ada"}}')
    const redacted = known.value(given)
    expect(JSON.stringify(redacted)).toBe(`{"__proto__":{"x":1},"input":{"password":"${mark}","user":"ada"}}`)
    expect(known.text('Tr0ub4dor&3x and again Tr0ub4dor&3x')).toBe(`${mark} and again ${mark}`)
  })

  it('another tool finds nothing in the result', async () => {
    // Half of them are of kinds that the other tool knows, too.
    const shared = fc.oneof(...IN_NOISE.flatMap(name => PLANTS.get(name) ?? []))
    const many = fc.array(fc.oneof(shared, anyPlant), { minLength: 80, maxLength: 100 })
    for (const plants of fc.sample(many, { numRuns: 8, seed: 7 })) {
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
      hash,
    })
    expect(all.text(text).replace(PLACEHOLDER, unhashed)).toBe(
      '[redacted:name] <[redacted:email]> works in /home/[redacted:user]/shop, C:\\Users\\[redacted:user]\\x, -home-[redacted:user]-shop. [redacted:name] did.',
    )
    expect(all.text(all.text(text))).toBe(all.text(text))
    expect(
      all.text(
        'git@github.com:a/b.git, noreply@anthropic.com, you@example.com, /Users/Shared/x, react@18.2.0',
      ),
    ).toBe('git@github.com:a/b.git, noreply@anthropic.com, you@example.com, /Users/Shared/x, react@18.2.0')
  })
})

describe('encodings', () => {
  it.each(Object.keys(ENCODINGS))('[R2] %s: no kind survives', name => {
    const encode = ENCODINGS[name] ?? String
    const left: string[] = []
    for (const [kind, plant] of PLANTS)
      for (const { secret, text } of fc.sample(plant, { numRuns: 2, seed: 3 })) {
        // Text beyond ASCII is not looked for in base64.
        if (name.startsWith('base64') && /[^ -~\n]/.test(text)) continue
        const written = encode(text)
        const made = redact(written)
        const core = encode(secret)
          .replace(/^see |^\/a\/|^q=/, '')
          .slice(0, 40)
        if (
          made.includes(secret) ||
          (!name.startsWith('base64') && made.includes(core)) ||
          findSecrets(written).length === 0
        )
          left.push(`${kind}: ${made.slice(0, 120)}`)
      }
    expect(left).toEqual([])
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
    ['commands', 'mysql -p'],
    ['words of commands', "curl -u 'a:"],
    ['logins', 'login a password '],
    ['lines of .pgpass', 'a:5432:b:c:'],
    ['sentences', 'the password is '],
    ['sentences without end', 'password and '],
    ['words', 'river canyon '],
    ['base64', 'eHh4IGtl'],
    ['base64 over lines', `${'eHh4IGtl'.repeat(8)}\n`],
    ['marks of addresses', '%70'],
    ['marks of HTML', '&#112;'],
    ['hashes', '$6$'],
    ['pipes', 'echo a | '],
    ['yaml', 'password: |\n  '],
    ['tables', 'a|password|b\n'],
    ['CSV', 'a,password\nb,c\n'],
    ['variables', 'ENV PASSWORD '],
    ['logins in words', 'login as a / '],
    ['options together', 'curl -sSu '],
    ['calls', "page.fill('#password', "],
    ['connections', 'getConnection("a", "'],
    ['base64 of base64', 'ZUhoNElHdGw='],
    ['sending', 'password:\nsend "a'],
    ['sqlplus', 'sqlplus -s a/'],
    ['web keys', '"kty":}'],
    ['members of web keys', '{"kty":"d":"'],
    ['backup codes', 'backup codes: abcd1-abcd1\n'],
    ['codes', 'a1b2c-d3e4f\nbackup code: '],
    ['values of vault', 'vault kv put a a='],
    ['literals', '--from-literal a='],
    ['changes', 'password = "a" -> "'],
    ['logins in brackets', 'login (a/'],
    ['names in columns', 'password  '],
    ['announcements', 'the token:\n\n'],
    ['recovery keys', 'recovery key 123456-'],
    ['users', 'user a\npassword '],
    ['slashes in base64', 'aB3/EAA'],
  ]
  it.each(hostile)('stays in proportion to the length: %s', (_, piece) => {
    const all = createRedactor({ what: ['secrets', 'paths', 'emails', 'names'], names: ['Ada'], hash })
    const timeOf = (length: number): number => {
      const text = piece.repeat(Math.ceil(length / piece.length))
      const start = process.cpuUsage()
      all.learn(text)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
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
  const mail = createRedactor({ what: ['emails'], hash })

  it('is the same data where nothing is replaced', () => {
    const value: unknown = JSON.parse(nested('plain'))
    expect(mail.value(value) === value).toBe(true)
  })

  it('loses nothing but what is replaced', () => {
    const value: unknown = JSON.parse(nested('write to ada@corp.io'))
    expect(mail.learn(value)).toEqual([{ kind: 'email', text: 'ada@corp.io' }])
    expect(
      writeJson(mail.value(value)) ===
        nested('write to [redacted:email]').replace('email]', `email-${hash('ada@corp.io')}]`),
    ).toBe(true)
  })
})
