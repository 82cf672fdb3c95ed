/** Control characters in every field, id and name, through every command and option: none is printed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMATS } from '@dagline/app'
import { type TestHome, withHome } from '@dagline/testkit'
import type { Command, Option } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase, hasPostgres } from '../../hub/test/postgres.js'
import { ACTIONS as CONFIG_ACTIONS } from '../src/commands/config.js'
import { HUB_ACTIONS } from '../src/commands/hub.js'
import { hostile, hostileFiles, WHOLE } from './hostile-home.js'
import { allCommands, runHere, type World } from './in-process.js'
import { hashes, settle } from './rested.js'
import { BUNDLE, cleanEnv, json, ownFolders, type Ran } from './run.js'

/** C0 less newline and tab, DEL, C1, marks of direction, characters without width, halves of characters. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u
/** Our own colors (bold, dim, six colors, and their ends) and the progress line. The hostile texts use others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what may be there
const OWN = /\u001b\[(?:1|2|22|3[1-6]|39)m|\r\u001b\[K/g

const SESSION = hostile('019c5be1-3495-42e4-a993-ff363aeed7bd')
/** Commands that run until they are stopped. */
const ENDLESS: ReadonlySet<string> = new Set(['open', 'serve', 'mcp', 'statusline'])
/** Commands that refuse a session with broken rows. */
const WRITING: ReadonlySet<string> = new Set(['pick', 'split', 'trim'])
/** Options that never end, or that are tried elsewhere. */
const NOT_HERE: ReadonlySet<string> = new Set(['--watch', '--hook', '--help', '--root', '--json', '--quiet'])

const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0

interface Place extends World {
  readonly home: TestHome
  /** The first and the last prompt of the live conversation. */
  readonly first: string
  readonly ref: string
}

describe('control characters in every field, id and name', { timeout: 600_000 }, () => {
  let commands: readonly Command[] = []
  beforeAll(async () => {
    commands = await allCommands()
  })

  it.each([
    ['piped', false],
    ['on a terminal', true],
  ])('[O1] [O2] none is printed by any command, %s', async (_, isTerminal) => {
    await withHome(hostileFiles(), async home => {
      const place = await placeOf(home, isTerminal)
      const codes = new Map<string, number>()
      for (const command of commands.filter(each => !ENDLESS.has(each.name())))
        for (const words of variantsOf(command, place)) {
          const ran = await runHere(words, place)
          expectClean(words, ran, isTerminal)
          expect({ words, stderr: ran.stderr, code: ran.code }).not.toMatchObject({ code: 2 })
          codes.set(command.name(), Math.min(codes.get(command.name()) ?? 1, ran.code ?? 1))
        }
      // Each command has worked at least once: an error message alone shows little.
      const failed = [...codes].filter(([, code]) => code !== 0).map(([name]) => name)
      expect(failed).toEqual([])
      for (const name of readdirSync(join(home.dir, 'out')).filter(each => each.endsWith('.md')))
        expect(readFileSync(join(home.dir, 'out', name), 'utf8')).not.toMatch(FORBIDDEN)
    })
  })

  it('[O1] none is printed by the bundle on a real terminal, in its pager, and where it serves', async () => {
    await withHome(hostileFiles(), async home => {
      const env = cleanEnv({
        CLAUDE_CONFIG_DIR: home.config,
        ...ownFolders(home),
        TERM: 'xterm',
        PAGER: 'cat',
      })
      const command = `"${process.execPath}" "${BUNDLE}"`
      const words = [
        [`log "$ID" --graph`],
        ['ls'],
        ['doctor'],
        ['show "$ID:x"'],
        ['checkout "$ID" --snapshot'],
      ]
      for (const [word] of HAS_TERMINAL ? words : []) {
        const typed = ['-qec', `stty -onlcr; ${command} ${word}`, '/dev/null']
        const { stdout } = spawnSync('script', typed, { env: { ...env, ID: SESSION }, encoding: 'utf8' })
        expect(stdout).not.toBe('')
        expectClean([word ?? ''], { stdout, stderr: '', code: 0 }, true)
      }
      const server = spawn(process.execPath, [BUNDLE, 'serve', '--no-open', sessionPath(home)], { env })
      const [[stdout]] = await Promise.all([once(server.stdout, 'data'), once(server.stderr, 'data')])
      server.kill()
      expectClean(['serve'], { stdout: String(stdout), stderr: '', code: 0 }, false)
    })
  })

  it.each([
    ['piped', false],
    ['on a terminal', true],
  ])('[O1] none is printed by any action of archive and config, %s', async (_, isTerminal) => {
    await withHome(hostileFiles(), async home => {
      const place = await placeOf(home, isTerminal)
      for (const name of ['archive', 'config']) {
        const command = commands.find(each => each.name() === name)
        expect([name, actionsOf(command).filter(action => ACTIONS[name]?.[action] === undefined)]).toEqual([
          name,
          [],
        ])
        for (const lines of Object.values(ACTIONS[name] ?? {}))
          for (const line of lines) await expectBoth([name, ...line], place)
      }
    })
  })

  it.runIf(hasPostgres('control characters on a hub')).each([
    ['piped', false],
    ['on a terminal', true],
  ])('[O1] none is printed by any action of the hub, %s', async (_, isTerminal) => {
    const hub = await freshDatabase()
    await withHome(hostileFiles(), async home => {
      const place = await placeOf(home, isTerminal)
      expect(Object.keys(HUB_ACTIONS).filter(action => !Object.hasOwn(ON_HUB, action))).toEqual([])
      await runHere(['config', 'set', 'push', '/home/dev'], place)
      for (const [action, lines] of Object.entries(ON_HUB))
        for (const line of lines) {
          const words = line.map(word => word.replace('URL', hub).replace('OUT', join(home.dir, 'fetched')))
          await expectBoth(['hub', action, ...words], place)
        }
    })
  })

  it('[O2] JSON has the same values as the file, and a printed transcript the same rows', async () => {
    await withHome(hostileFiles(), async home => {
      const place = await placeOf(home, false)
      const shown = json(await runHere(['show', `${hostile(WHOLE)}:${place.ref}`, '--json'], place))
      const file = readFileSync(sessionPath(home, WHOLE), 'utf8').trimEnd().split('\n')
      const rows = file.map((row): unknown => JSON.parse(row))
      expect(rows).toContainEqual(shown.parts[0].record)
      const words = ['export', hostile(WHOLE), '--format', 'jsonl', '--branch', 'all', '--out', '-']
      const printed = (await runHere(words, place)).stdout.trimEnd().split('\n')
      expect(printed.map((row): unknown => JSON.parse(row))).toEqual(rows)
    })
  })

  it('[O1] a command to copy names a folder with control characters', async () => {
    await withHome(hostileFiles(), async home => {
      const place = await placeOf(home, false)
      const { stdout } = await runHere(['fork', `${hostile(WHOLE)}:${place.ref}`], place)
      const word = /cd (\S+) &&/.exec(stdout)?.[1] ?? ''
      const read = spawnSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })
      expect(read.stdout).toBe(`/home/dev/${hostile('shop')}`)
    })
  })
})

/** What can be done with a command, as its usage lists it, or its table. */
function actionsOf(command: Command | undefined): readonly string[] {
  const [first] = command?.registeredArguments ?? []
  return command?.name() === 'config' ? Object.keys(CONFIG_ACTIONS) : (first?.name().split('|') ?? [])
}

/** Words for each action of a command. What an action needs is made by those before it. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>> = {
  archive: {
    path: [[]],
    verify: [['verify']],
    stats: [['stats']],
    hold: [
      ['hold', SESSION],
      ['hold', SESSION, '--release'],
      ['hold', hostile('nothing')],
    ],
    forget: [
      ['forget', SESSION, '--dry-run'],
      ['forget', SESSION, '--yes'],
      ['forget', hostile('nothing'), '--yes'],
      ['forget', '--older-than', hostile('1d'), '--yes'],
    ],
  },
  config: {
    set: [
      ['set', 'push', `/home/${hostile('dev')}`],
      ['set', 'theme', hostile('dark')],
      ['set', hostile('theme'), 'dark'],
      ['set', `prices.${hostile('model')}`, 'input=4'],
    ],
    list: [['list']],
    get: [
      ['get', 'push'],
      ['get', hostile('push')],
    ],
    unset: [
      ['unset', 'push'],
      ['unset', hostile('push')],
    ],
  },
}

/** The same for a hub. A server runs until it is stopped. */
const ON_HUB: Readonly<Record<string, readonly (readonly string[])[]>> = {
  connect: [[hostile('ftp://x')], ['URL']],
  push: [['--dry-run'], []],
  judge: [['--hub', 'URL', '--once']],
  status: [[]],
  users: [[hostile('ben'), 'member'], [hostile('eve'), hostile('boss')], [], [hostile('ben'), 'off']],
  tokens: [
    ['add', hostile('laptop'), 'read', '30'],
    ['add', 'a', hostile('all')],
    [],
    ['revoke', hostile('1')],
  ],
  policy: [
    [hostile('shop'), 'everyone', '30'],
    [hostile('shop'), hostile('who')],
  ],
  share: [
    [SESSION, hostile('ben')],
    [hostile('nothing'), 'everyone'],
  ],
  unshare: [[SESSION], [hostile('nothing')]],
  hold: [[SESSION, hostile('a dispute')], []],
  fetch: [
    ['--out', 'OUT'],
    ['--out', 'OUT'],
    ['--session', hostile('nothing'), '--out', 'OUT'],
  ],
  audit: [[], [SESSION]],
  delete: [[SESSION], [hostile('nothing')]],
  serve: [],
}

/** Runs a command as it is and with `--json`. */
async function expectBoth(words: readonly string[], place: Place): Promise<void> {
  for (const more of place.isTerminal ? [[]] : [[], ['--json']]) {
    const ran = await runHere([...words, ...more], place)
    expectClean(words, ran, place.isTerminal)
    expect({ words, code: ran.code, stderr: ran.stderr }).not.toMatchObject({ code: 2 })
  }
}

async function placeOf(home: TestHome, isTerminal: boolean): Promise<Place> {
  for (const path of Object.keys(hashes(home))) settle(join(home.projects, path))
  mkdirSync(join(home.dir, 'out'))
  writeFileSync(join(home.dir, 'line.txt'), `${hostile('a line')}\n`)
  mkdirSync(join(home.config, 'data', 'dagline'), { recursive: true })
  writeFileSync(join(home.config, 'data', 'dagline', 'names.json'), labels())
  const env = { HOME: home.dir, CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) }
  const { rows } = json(await runHere(['log', hostile(WHOLE), '--live', '--json'], { env, isTerminal }))
  const prompts = rows.filter((row: { kind: string }) => row.kind === 'prompt')
  return { home, env, isTerminal, first: prompts[0].node, ref: prompts.at(-1).node }
}

function sessionPath({ projects }: TestHome, id = '019c5be1-3495-42e4-a993-ff363aeed7bd'): string {
  return join(projects, hostile('-home-dev-shop'), `${hostile(id)}.jsonl`)
}

function labels(): string {
  const label = {
    kind: 'session',
    id: SESSION,
    name: hostile('name'),
    tags: [hostile('tag')],
    note: hostile('note'),
  }
  return JSON.stringify({ dagline: 1, labels: [label] })
}

/** The command, with words that name nothing, with each of its options, and where it is piped with JSON. */
function* variantsOf(command: Command, place: Place): Generator<readonly string[]> {
  const start = [command.name(), ...argumentsOf(command, place), ...needed(command, place)]
  yield start
  if (command.name() === 'export')
    for (const format of FORMATS) yield [...without(start, '--out'), '--format', format, '--out', '-']
  if (!place.isTerminal) yield [...start, '--json']
  const required = command.registeredArguments.filter(argument => argument.required)
  if (required.length === 0) yield [command.name(), ...needed(command, place)]
  yield [command.name(), ...command.registeredArguments.map(() => hostile('nothing'))]
  for (const option of command.options) {
    const name = option.long ?? ''
    if (NOT_HERE.has(name)) continue
    for (const value of valuesOf(option, place)) yield [...without(start, name), name, ...value]
  }
}

/** The words without an option and its value: it may be given once. */
function without(words: readonly string[], option: string): readonly string[] {
  const at = words.indexOf(option)
  return at < 0 || option === '' ? words : words.toSpliced(at, 2)
}

/** Arguments by the name of the first of their kinds: `[session|path...]` is a session. */
function argumentsOf(command: Command, { home, ref }: Place): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    session: [WRITING.has(command.name()) ? hostile(WHOLE) : SESSION],
    path: [sessionPath(home)],
    ref: [`${hostile(WHOLE)}:${ref}`],
    shell: ['bash'],
    file: [join(home.dir, 'line.txt')],
    a: [SESSION],
    b: [hostile(WHOLE)],
    words: ['photo'],
    old: [`/home/dev/${hostile('shop')}`],
    new: [`/home/dev/${hostile('new')}`],
    name: [hostile('given')],
    tag: [hostile('given')],
    text: [hostile('given text')],
    number: ['1'],
    action: ['push', '--dry-run'],
    verify: [home.projects],
  }
  return command.registeredArguments.flatMap(argument => known[argument.name().split('|')[0] ?? ''] ?? [])
}

/** Options without which a command would do nothing, would not end, or would change what the next one reads. */
function needed(command: Command, { home, first, ref }: Place): readonly string[] {
  // Of the hub only fetching writes files.
  const writes = command.name() !== 'hub' && command.options.some(({ long }) => long === '--out')
  const out = writes ? ['--out', join(home.dir, 'out/')] : []
  const known: Readonly<Record<string, readonly string[]>> = {
    tail: ['--once'],
    trim: ['--outputs', '10'],
    split: ['--at', ref],
    mv: ['--dry-run'],
    repair: ['--yes'],
    pick: ['--onto', `${hostile(WHOLE)}:${first}`],
    export: ['--force'],
  }
  return [...out, ...(known[command.name()] ?? [])]
}

/** The values to try for an option: none for a flag, its choices, or a hostile one. */
function valuesOf(option: Option, { home, ref }: Place): readonly (readonly string[])[] {
  if (!option.required && !option.optional) return [[]]
  if (option.argChoices !== undefined) return option.argChoices.map(choice => [choice])
  if (option.long === '--at') return [[ref]]
  return [[/file|dir|path/.test(option.flags) ? join(home.dir, hostile('value')) : hostile('value')]]
}

function expectClean(words: readonly string[], { stdout, stderr }: Ran, isTerminal: boolean): void {
  for (const text of [stdout, stderr]) {
    const found = FORBIDDEN.exec(isTerminal || words.includes('--color') ? text.replace(OWN, '') : text)
    const around = found === null ? null : text.slice(Math.max(0, found.index - 60), found.index + 60)
    expect({ words, around: around === null ? null : JSON.stringify(around) }).toEqual({
      words,
      around: null,
    })
  }
}
