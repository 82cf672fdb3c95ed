/** Secrets of every kind as they are really made: beginnings, lengths and alphabets, filled by chance. */
import fc from 'fast-check'

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const ALNUM = LOWER + UPPER + DIGITS
const URL_SAFE = `${ALNUM}-_`
const BASE64 = `${ALNUM}+/`
const HEX = `${DIGITS}abcdef`

/** A secret, and a text that it stands in where it is only known by that. */
export interface Plant {
  readonly kind: string
  readonly secret: string
  readonly text: string
}

/** A random text that has everything in it that its alphabet has, as nearly every real one. */
export function chars(alphabet: string, length: number): fc.Arbitrary<string> {
  const places = fc.array(fc.nat(alphabet.length - 1), { minLength: length, maxLength: length })
  // Chance makes secrets, not the search for a simple example.
  return fc
    .noShrink(fc.noBias(places))
    .map(places => places.map(at => alphabet[at]).join(''))
    .filter(text => length < 8 || isMixed(text, alphabet))
}

function isMixed(text: string, alphabet: string): boolean {
  const needs = [/[a-z]/, /[A-Z]/, /[0-9]/].filter(kind => kind.test(alphabet))
  // What people write into examples is left alone, and chance writes it once in a million.
  const isExample =
    /x{6}|0{10}|your|test|demo|admin|fake|(?:^|[-_])(?:my|the|some|foo|bar|key)(?:[-_]|$)/i.test(text)
  return (
    needs.every(kind => kind.test(text)) && new Set(text).size >= Math.min(8, text.length / 2) && !isExample
  )
}

const begun = (start: string, alphabet: string, length: number): fc.Arbitrary<string> =>
  chars(alphabet, length).map(body => start + body)

/** Known wherever they stand. */
const ALONE: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'aws-key': begun('AKIA', `${UPPER}234567`, 16),
  'github-token': fc.oneof(
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(start => begun(start, ALNUM, 36)),
    fc.tuple(chars(ALNUM, 22), chars(ALNUM, 59)).map(([a, b]) => `github_pat_${a}_${b}`),
  ),
  'gitlab-token': begun('glpat-', URL_SAFE, 20),
  'slack-token': fc
    .tuple(chars(DIGITS, 12), chars(DIGITS, 13), chars(ALNUM, 24))
    .map(([team, bot, body]) => `xoxb-${team}-${bot}-${body}`),
  'slack-webhook': fc
    .tuple(chars(UPPER + DIGITS, 8), chars(UPPER + DIGITS, 10), chars(ALNUM, 24))
    .map(([team, bot, body]) => `T${team}/B${bot}/${body}`),
  'stripe-key': fc.oneof(
    begun('sk_live_', ALNUM, 24),
    begun('rk_live_', ALNUM, 99),
    begun('sk_test_', ALNUM, 99),
  ),
  'google-key': begun('AIza', URL_SAFE, 35),
  'google-oauth': begun('GOCSPX-', URL_SAFE, 28),
  'openai-key': fc.oneof(
    fc
      .tuple(chars(URL_SAFE, 74), chars(URL_SAFE, 73), chars(ALNUM, 1))
      .map(([a, b, c]) => `sk-proj-${a}T3BlbkFJ${b}${c}`),
    fc.tuple(chars(ALNUM, 20), chars(ALNUM, 20)).map(([a, b]) => `sk-${a}T3BlbkFJ${b}`),
  ),
  'anthropic-key': chars(URL_SAFE, 93).map(body => `sk-ant-api03-${body}AA`),
  'groq-key': begun('gsk_', ALNUM, 52),
  'npm-token': begun('npm_', ALNUM, 36),
  'pypi-token': begun('pypi-AgEIcHlwaS5vcmc', URL_SAFE, 130),
  'huggingface-token': begun('hf_', LOWER + UPPER, 34),
  'sendgrid-key': fc.tuple(chars(ALNUM, 22), chars(ALNUM, 43)).map(([a, b]) => `SG.${a}.${b}`),
  'twilio-key': begun('SK', HEX, 32),
  'mailgun-key': begun('key-', HEX, 32),
  'mailchimp-key': chars(HEX, 32).map(body => `${body}-us12`),
  jwt: fc
    .tuple(chars(URL_SAFE, 80), chars(URL_SAFE, 43))
    .map(([a, b]) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIi${a}.${b}`),
  'shopify-token': begun('shpat_', HEX, 32),
  'digitalocean-token': begun('dop_v1_', HEX, 64),
  'cloudflare-token': fc.tuple(chars(ALNUM, 40), chars(HEX, 8)).map(([a, b]) => `cfut_${a}${b}`),
  'vercel-token': begun('vcp_', ALNUM, 24),
  'supabase-key': begun('sbp_', HEX, 40),
  'linear-key': begun('lin_api_', ALNUM, 40),
  'notion-token': fc.tuple(chars(DIGITS, 11), chars(ALNUM, 35)).map(([a, b]) => `ntn_${a}${b}`),
  'figma-token': begun('figd_', URL_SAFE, 40),
  'docker-token': begun('dckr_pat_', URL_SAFE, 27),
  'databricks-token': begun('dapi', HEX, 32),
  'grafana-token': fc.tuple(chars(ALNUM, 32), chars(HEX, 8)).map(([a, b]) => `glsa_${a}_${b}`),
  'vault-token': begun('hvs.', URL_SAFE, 95),
  'tailscale-key': fc.tuple(chars(ALNUM, 17), chars(ALNUM, 32)).map(([a, b]) => `tskey-auth-${a}-${b}`),
  'age-key': begun('AGE-SECRET-KEY-1', UPPER + DIGITS, 58),
  'discord-token': fc
    .tuple(chars(ALNUM, 23), chars(ALNUM, 6), chars(URL_SAFE, 38))
    .map(([a, b, c]) => `M${a}.${b}.${c}`),
  'telegram-token': fc
    .tuple(chars('123456789', 10), chars(URL_SAFE, 33))
    .map(([id, body]) => `${id}:AA${body}`),
  'azure-secret': fc.tuple(chars(ALNUM, 3), chars(ALNUM, 34)).map(([a, b]) => `${a}8Q~${b}`),
}

/** Known by what is around them: the secret, and the text about it. */
const PLACED: Readonly<Record<string, fc.Arbitrary<readonly [string, string]>>> = {
  'slack-webhook': aloneOf('slack-webhook').map(path => [path, `https://hooks.slack.com/services/${path}`]),
  'aws-secret': chars(BASE64, 40).map(key => [key, `aws_secret_access_key = ${key}`]),
  'azure-key': chars(BASE64, 86).map(key => [
    `${key}==`,
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key}==;EndpointSuffix=core.windows.net`,
  ]),
  'discord-webhook': chars(URL_SAFE, 68).map(key => [
    key,
    `https://discord.com/api/webhooks/1012345678901234567/${key}`,
  ]),
  'database-login': chars(ALNUM, 14).map(word => [word, `postgres://app:${word}@db.internal:5432/shop`]),
  'url-login': chars(ALNUM, 14).map(word => [word, `https://deploy:${word}@git.company.io/app.git`]),
  authorization: fc.oneof(
    chars(URL_SAFE, 40).map((key): readonly [string, string] => [
      key,
      `curl -H 'Authorization: Bearer ${key}' https://api`,
    ]),
    chars(BASE64, 31).map((key): readonly [string, string] => [`${key}=`, `Authorization: Basic ${key}=`]),
  ),
  cookie: chars(ALNUM, 32).map(key => [key, `Cookie: theme=dark; session=${key}; lang=en`]),
  password: fc.oneof(
    chars(`${ALNUM}!@#%^*`, 14).map((word): readonly [string, string] => [word, `DB_PASSWORD=${word}`]),
    chars(ALNUM, 14).map((word): readonly [string, string] => [word, `password: "${word}"`]),
    chars(ALNUM, 14).map((word): readonly [string, string] => [word, `mysqldump --password ${word} shop`]),
  ),
  secret: chars(ALNUM, 32).map(key => [key, `client_secret: '${key}'`]),
  token: chars(ALNUM, 32).map(key => [key, `https://api.shop.io/v1/orders?access_token=${key}&page=2`]),
  'api-key': fc.oneof(
    chars(HEX, 32).map((key): readonly [string, string] => [key, `export DATADOG_API_KEY=${key}`]),
    chars(ALNUM, 40).map((key): readonly [string, string] => [key, `{"apiKey": "${key}"}`]),
  ),
  'private-key': keyBlock('RSA PRIVATE KEY', 'MII'),
  'ssh-key': keyBlock('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjE'),
  'pgp-key': keyBlock('PGP PRIVATE KEY BLOCK', 'lQOYBF'),
}

function aloneOf(kind: string): fc.Arbitrary<string> {
  return ALONE[kind] ?? fc.constant('')
}

function keyBlock(name: string, magic: string): fc.Arbitrary<readonly [string, string]> {
  return fc.array(chars(BASE64, 64), { minLength: 4, maxLength: 12 }).map(([first = '', ...rest]) => {
    const lines = [`${magic}${first}`.slice(0, 64), ...rest]
    return [lines[1] ?? '', [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`].join('\n')]
  })
}

/** One of any kind, in a text. */
export const PLANTS: ReadonlyMap<string, fc.Arbitrary<Plant>> = new Map([
  ...Object.entries(ALONE)
    .filter(([kind]) => kind !== 'slack-webhook')
    .map(([kind, made]): [string, fc.Arbitrary<Plant>] => [
      kind,
      made.map(secret => ({ kind, secret, text: secret })),
    ]),
  ...Object.entries(PLACED).map(([kind, made]): [string, fc.Arbitrary<Plant>] => [
    kind,
    made.map(([secret, text]) => ({ kind, secret, text })),
  ]),
])

/** Runs of base64 to put around a secret. */
export const noise: fc.Arbitrary<string> = fc
  .noShrink(fc.noBias(fc.uint8Array({ minLength: 30, maxLength: 60 })))
  .map(bytes => Buffer.from(bytes).toString('base64').replaceAll('=', ''))

/** Kinds that are only known with something around them, or whose beginning is in the middle of words too. */
export const NOT_IN_NOISE: readonly string[] = ['discord-token', 'mailgun-key', 'cookie', 'password']

/** Ways in which a text gets into a transcript. */
export const FORMS: ReadonlyMap<string, (text: string) => string> = new Map<string, (text: string) => string>(
  [
    ['by itself', text => text],
    ['in a sentence', text => `I found ${text} in the logs, is that right?`],
    ['in a line of output', text => `$ env\nPATH=/usr/bin\n${text}\nHOME=/root\n`],
    [
      'in a listing with line numbers',
      text =>
        text
          .split('\n')
          .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
          .join('\n'),
    ],
    ['in JSON', text => JSON.stringify({ output: `ok\n${text}\n` })],
    ['in JSON in JSON', text => JSON.stringify({ body: JSON.stringify({ log: `\t${text}\n"end"` }) })],
    ['in JSON in JSON in JSON', text => JSON.stringify(JSON.stringify(JSON.stringify({ a: [text] })))],
    ['in colours', text => `\u001b[32m${text}\u001b[0m done`],
    [
      'in a diff',
      text =>
        text
          .split('\n')
          .map(line => `+${line}`)
          .join('\n'),
    ],
    ['in base64', text => `iVBORw0KGgoAAAANSUhEUgAA ${text} AAAAB3NzaC1yc2EAAAADAQAB+/4=`],
    ['in Markdown', text => `Use \`${text}\` here.`],
  ],
)
