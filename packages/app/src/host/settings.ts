/**
 * U9: settings of the user: what options would repeat. One table says what each is and which values it takes. Every setting has
 * a variable, through which all parts and worker processes read it: an option counts first, then the variable, then the file.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { TOKEN_KINDS } from '@dagline/core/measure'
import { REDACT_WHAT } from '@dagline/core/redact'
import { configFolder } from '@dagline/store'
import { isObject, isOwnPrice, ownPricesIn } from './prices.js'
import { UserError } from './user-error.js'

/** A setting: what it is for, and how its value is given. */
export interface Setting {
  /** Its name in the file; `prices` has one more part, the model. */
  readonly key: string
  readonly variable: string
  readonly about: string
  /** What a value must be: `one of auto, always, never`. */
  readonly expected: string
  /** Words that are a valid value. */
  readonly example: readonly string[]
  /** The value of some words; null where they are not valid. */
  readonly parse: (words: readonly string[]) => unknown
  readonly isValid: (value: unknown) => boolean
  /** The value as text, for the variable and for people. */
  readonly text: (value: unknown) => string
}

type Values = Readonly<Record<string, unknown>>

/** All settings, in the order of their list. */
export const SETTINGS: readonly Setting[] = [
  {
    key: 'roots',
    variable: 'DAGLINE_ROOTS',
    about: 'projects roots to read, as with --root; CLAUDE_CONFIG_DIR overrides it',
    expected: 'one folder or more',
    example: ['/backup/projects'],
    parse: words =>
      words.length > 0 && words.every(word => word !== '') ? words.map(word => resolve(word)) : null,
    isValid: value => Array.isArray(value) && value.length > 0 && value.every(isPath),
    text: value => [value].flat().join(delimiter),
  },
  file('archive', 'archive file to use, as with --archive', '/backup/archive.db'),
  file('index', 'index file to use, as with --index', '/fast/index.db'),
  choice('color', 'when output has colors, as with --color; NO_COLOR and FORCE_COLOR override it', [
    'auto',
    'always',
    'never',
  ]),
  choice('theme', 'theme of the viewer, until another is chosen in the browser', ['system', 'light', 'dark']),
  {
    key: 'port',
    variable: 'DAGLINE_PORT',
    about: 'port of the viewer, as with --port',
    expected: 'a whole number from 1 to 65535',
    example: ['4000'],
    parse: ([word = '', ...rest]) => (rest.length === 0 && /^\d{1,5}$/.test(word) ? Number(word) : null),
    isValid: value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535,
    text: String,
  },
  {
    key: 'hub',
    variable: 'DAGLINE_HUB',
    about: 'hub that "dagline hub" uses, and other commands with --hub',
    expected: 'an address as https://... or postgres://...',
    example: ['https://hub.example.com'],
    parse: ([word = '', ...rest]) => (rest.length === 0 ? word : null),
    isValid: value => typeof value === 'string' && /^(?:https?|postgres(?:ql)?):\/\/\S+$/.test(value),
    text: String,
  },
  patterns('push', 'PUSH', 'projects whose sessions "dagline hub push" may send; nothing leaves without it', [
    'github.com/acme',
    '~/code/shop',
  ]),
  patterns('push-deny', 'PUSH_DENY', 'projects whose sessions never leave, whatever "push" says', [
    '~/private',
  ]),
  patterns('push-plain', 'PUSH_PLAIN', 'projects that are sent without replacing secrets', ['~/code/open']),
  {
    key: 'redact',
    variable: 'DAGLINE_REDACT',
    about: 'what "export --redact" replaces if it is given without a list',
    expected: `a list of ${REDACT_WHAT.join(', ')}`,
    example: ['secrets,paths'],
    parse: words => words.flatMap(word => word.split(',')).map(word => word.trim()),
    isValid: value =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every(part => REDACT_WHAT.some(known => known === part)),
    text: value => [value].flat().join(','),
  },
  {
    key: 'prices',
    variable: 'DAGLINE_PRICES',
    about: 'prices.MODEL: your own prices of a model, in USD per million tokens',
    expected: `input=N output=N, and optionally ${TOKEN_KINDS.slice(2).join(', ')}`,
    example: ['input=4', 'output=20', 'cacheRead=0.4'],
    parse: parsePrice,
    isValid: isOwnPrice,
    text: value =>
      Object.entries(value ?? {})
        .map(([name, price]) => `${name}=${price}`)
        .join(' '),
  },
]

function file(key: 'archive' | 'index', about: string, example: string): Setting {
  return {
    key,
    variable: `DAGLINE_${key.toUpperCase()}`,
    about,
    expected: 'a file',
    example: [example],
    parse: ([word = '', ...rest]) => (word === '' || rest.length > 0 ? null : resolve(word)),
    isValid: isPath,
    text: String,
  }
}

function patterns(key: string, name: string, about: string, example: readonly string[]): Setting {
  return {
    key,
    variable: `DAGLINE_${name}`,
    about,
    expected:
      'git remotes (github.com/acme), folders (~/work) or names of transcript folders; * stands for anything',
    example,
    parse: words => words.flatMap(word => word.split(',')).map(word => word.trim()),
    isValid: value => Array.isArray(value) && value.length > 0 && value.every(isPattern),
    text: value => [value].flat().join(','),
  }
}

function isPattern(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes(',')
}

function choice(key: string, about: string, choices: readonly string[]): Setting {
  return {
    key,
    variable: `DAGLINE_${key.toUpperCase()}`,
    about,
    expected: `one of ${choices.join(', ')}`,
    example: choices.slice(-1),
    parse: ([word = '', ...rest]) => (rest.length === 0 ? word : null),
    isValid: value => choices.some(known => known === value),
    text: String,
  }
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value)
}

function parsePrice(words: readonly string[]): unknown {
  const pairs = words.flatMap(word => word.split(',')).map(word => word.split('='))
  return Object.fromEntries(
    pairs.map(([name = '', price = '']) => [name, price === '' ? Number.NaN : Number(price)]),
  )
}

/** The file of settings. */
export function settingsFile(): string {
  return join(configFolder(), 'config.json')
}

/** The settings that the file holds, each with its key, and what is wrong with it in sentences. */
interface ReadSettings {
  readonly values: ReadonlyMap<string, unknown>
  readonly problems: readonly string[]
}

/** Reads the file. Nothing of it is fatal: what is not valid is left out, with a sentence. */
export function readSettings(): ReadSettings {
  const path = settingsFile()
  const whole = readObject(path)
  if (typeof whole === 'string') return { values: new Map(), problems: [whole] }
  const values = new Map<string, unknown>()
  const problems: string[] = []
  for (const [key, value] of flatKeys(whole)) {
    const setting = findSetting(key)
    if (setting === null)
      problems.push(`${path} has an unknown setting ${key}. Run \`dagline config unset ${key}\`.`)
    else if (setting.isValid(value)) values.set(key, value)
    else problems.push(`${path}: ${key} is not valid and was left out. Give ${setting.expected}.`)
  }
  return { values, problems }
}

/** The object in the file, or what is wrong with it. */
function readObject(path: string): Values | string {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(value) ? value : `${path} does not hold a JSON object. Correct it or remove it.`
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      return error.code === 'ENOENT' ? {} : `${path} could not be read (${error.code}).`
    return `${path} is not valid JSON. Correct it or remove it.`
  }
}

/** `prices` holds one value for each model. */
function flatKeys(values: Values): readonly (readonly [key: string, value: unknown])[] {
  return Object.entries(values).flatMap(([key, value]) =>
    key === 'prices' && isObject(value)
      ? Object.entries(value).map(([model, price]) => [`prices.${model}`, price] as const)
      : [[key, value] as const],
  )
}

/** The setting of a key; null where there is none. */
export function findSetting(key: string): Setting | null {
  const [, model] = /^prices\.(.+)$/.exec(key) ?? []
  const name = model === undefined ? key : 'prices'
  if (key === 'prices') return null
  return SETTINGS.find(setting => setting.key === name) ?? null
}

/** Stores a value, or removes it where there are no words. Throws `UserError` for a key or value that is not valid. */
export function changeSetting(key: string, words: readonly string[] | null): void {
  const path = settingsFile()
  const setting = findSetting(key)
  const old = readObject(path)
  if (typeof old === 'string') throw new UserError(old)
  // What an earlier version or another program has written can be removed.
  if (setting === null && (words !== null || !Object.hasOwn(old, key))) throw unknownSetting(key)
  const value = words === null ? undefined : setting?.parse(words)
  if (words !== null && setting?.isValid(value) !== true)
    throw new UserError(`${key} ${words.join(' ')} is not valid. Give ${setting?.expected}.`)
  const [, model] = /^prices\.(.+)$/.exec(key) ?? []
  const prices = isObject(old['prices']) ? old['prices'] : {}
  const next =
    model === undefined ? { ...old, [key]: value } : { ...old, prices: { ...prices, [model]: value } }
  writeSettings(path, next)
}

/** The error for a key that does not exist. */
export function unknownSetting(key: string): UserError {
  const known = SETTINGS.map(({ key: name }) => (name === 'prices' ? 'prices.MODEL' : name))
  return new UserError(`There is no setting ${key}. Give one of ${known.join(', ')}.`)
}

function writeSettings(path: string, values: object): void {
  const temporary = `${path}.${process.pid}.new`
  try {
    mkdirSync(configFolder(), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, path)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new UserError(`${path} could not be written (${reason}).`)
  }
}

/** Makes the settings of the file count for this process and those that it starts. Returns what is wrong with them. */
export function applySettings(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  const { values, problems } = readSettings()
  const prices = Object.fromEntries(
    [...values].flatMap(([key, value]) => (key.startsWith('prices.') ? [[key.slice(7), value]] : [])),
  )
  for (const { key, variable, text } of SETTINGS)
    if (env[variable] === undefined && values.has(key)) env[variable] = text(values.get(key))
  if (env['DAGLINE_PRICES'] === undefined && Object.keys(prices).length > 0)
    env['DAGLINE_PRICES'] = JSON.stringify(prices)
  if (ownPricesIn(env['DAGLINE_PRICES'] ?? '{}') !== null) return problems
  return [
    ...problems,
    'DAGLINE_PRICES is not valid. Give JSON such as {"my-model": {"input": 4, "output": 20}}.',
  ]
}
