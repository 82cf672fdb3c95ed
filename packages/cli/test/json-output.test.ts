/** O3: what commands print with `--json` is what docs/JSON.md says of it, field by field. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type TestHome, withHome } from '@dagline/testkit'
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { allCommands, runHere, type World } from './in-process.js'
import { ownFolders, RECORDED, REPOSITORY, SAMPLES } from './run.js'

interface SchemaFile extends SchemaObject {
  readonly properties: Readonly<Record<string, SchemaObject>>
}

const SCHEMA: SchemaFile = JSON.parse(readFileSync(join(REPOSITORY, 'packages/cli/schema.json'), 'utf8'))

/** Every output of every command, in an order in which each has something to show. `SESSION` has branches. */
const ASKED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  sync: [[]],
  config: [[], ['get', 'theme']],
  ls: [[], ['--all']],
  tree: [[], ['SESSION']],
  log: [
    ['SESSION'],
    ['SESSION', '--all'],
    ['SESSION', '--graph'],
    ['SESSION', '--live'],
    ['SESSION', '--tree'],
  ],
  show: [['ENTRY']],
  explain: [['ENTRY']],
  branches: [['SESSION'], ['SESSION', '--all'], []],
  agents: [[], ['SESSION']],
  files: [[]],
  prompts: [[]],
  now: [[]],
  lessons: [[]],
  waste: [[]],
  blame: [['TOUCHED'], ['WRITTEN:1']],
  commits: [['HEAD', '--repo', 'REPO']],
  timeline: [['SESSION']],
  tail: [['SESSION', '--once']],
  diff: [
    ['SESSION', 'OTHER'],
    ['COMPACTED', '--compaction'],
  ],
  context: [['SESSION'], ['--all'], ['--diff', 'SESSION', 'OTHER']],
  search: [['the'], ['theee'], ['--regex', 't.e'], ['--role', 'human'], ['the', '-l'], ['the', '-C', '1']],
  usage: [
    [],
    ['daily'],
    ['weekly'],
    ['monthly'],
    ['session'],
    ['--by', 'session'],
    ['blocks'],
    ['--branch', 'abandoned'],
  ],
  sql: [[], ['usage'], ['--list'], ['SELECT 1 AS one, NULL AS two']],
  stats: [[]],
  graph: [[], ['--summary']],
  census: [[]],
  doctor: [['--all'], ['SESSION'], ['--ci', 'SESSION']],
  name: [['SESSION', 'tried'], []],
  tag: [['SESSION', 'good'], []],
  note: [['SESSION', 'as it was'], []],
  repair: [['SESSION', '--dry-run']],
  checkout: [['ENTRY']],
  fork: [['ENTRY', '--dry-run']],
  pick: [['OTHER', '--onto', 'ENTRY', '--dry-run']],
  trim: [['SESSION', '--outputs', '10', '--dry-run']],
  split: [['SESSION', '--at', 'ENTRY', '--dry-run']],
  history: [[]],
  undo: [[]],
  mv: [['/home/dev/shop', '/home/dev/store', '--dry-run']],
  archive: [[], ['stats'], ['verify']],
  restore: [['SESSION']],
  hub: [['push', '--dry-run']],
  export: [['SESSION', '--format', 'md', '--redact', '--out', 'FOLDER']],
}

/** They do not end by themselves: serve.test.ts reads what they print. */
const OTHERS = ['open', 'serve']
/** It speaks a protocol instead. */
const WITHOUT = ['mcp']

describe('[O3] JSON output', () => {
  it('is described for every command that prints some', async () => {
    const commands = (await allCommands())
      .filter(command => command.options.some(({ long }) => long === '--json'))
      .map(command => command.name())
      .filter(name => !WITHOUT.includes(name))
    expect(Object.keys(SCHEMA.properties).sort()).toEqual([...commands, ...OTHERS].filter(unique).sort())
    expect([...Object.keys(ASKED), ...OTHERS].sort()).toEqual(Object.keys(SCHEMA.properties).sort())
  })

  it('has the fields that are described, and no others', { timeout: 120_000 }, async () => {
    await withHome([], async home => {
      const world = worldOf(home)
      const words = await wordsIn(world, home)
      const wrong = new Map<string, unknown>()
      for (const [name, asks] of Object.entries(ASKED))
        for (const ask of asks) {
          const given = ask.map(word => words[word] ?? word)
          const { stdout, stderr, code } = await runHere([name, ...given, '--json'], world)
          expect({ name, ask, code, stderr }).toEqual({ name, ask, code: 0, stderr })
          const faults = faultsIn(name, stdout)
          if (faults.length > 0) wrong.set([name, ...ask].join(' '), faults)
        }
      expect(Object.fromEntries(wrong)).toEqual({})
    })
  })
})

describe('[O3] JSON lines', () => {
  it('are the items of the list that --json prints', { timeout: 120_000 }, async () => {
    const names = (await allCommands())
      .filter(command => command.options.some(({ long }) => long === '--jsonl'))
      .map(command => command.name())
    await withHome([], async home => {
      const world = worldOf(home)
      const print = async (...words: string[]) => (await runHere(words, world)).stdout
      const printed: Record<string, unknown> = {}
      const expected: Record<string, unknown> = {}
      for (const name of names) {
        const words = name === 'search' ? [name, 'the'] : [name]
        const lines = (await print(...words, '--jsonl')).split('\n').filter(line => line !== '')
        printed[name] = lines.map(line => JSON.parse(line))
        expected[name] = itemsIn(JSON.parse(await print(...words, '--json')))
      }
      expect(printed).toEqual(expected)
      expect(names).toEqual(
        expect.arrayContaining(['ls', 'branches', 'agents', 'files', 'prompts', 'search']),
      )
    })
  })
})

/** The items of the only list in an output that is not a remark, each with the version. */
function itemsIn({ dagline, replaced: _, kinds: __, ...output }: Record<string, unknown>): readonly object[] {
  const lists = Object.values(output).filter(value => Array.isArray(value))
  expect(lists).toHaveLength(1)
  return (lists[0] ?? []).map((item: object) => ({ dagline, ...item }))
}

function unique<T>(value: T, at: number, all: readonly T[]): boolean {
  return all.indexOf(value) === at
}

function worldOf(home: TestHome): World {
  for (const root of [RECORDED, SAMPLES]) cpSync(root, home.projects, { recursive: true })
  return {
    env: { HOME: home.dir, CLAUDE_CONFIG_DIR: home.config, ...ownFolders(home) },
    isTerminal: false,
  }
}

/** What the words of `ASKED` stand for in a home. */
async function wordsIn(world: World, home: TestHome): Promise<Readonly<Record<string, string>>> {
  const print = async (...words: string[]) => JSON.parse((await runHere([...words, '--json'], world)).stdout)
  const { sessions } = await print('ls')
  const forked = sessions.find(({ branches }: { branches: number }) => branches > 0)
  const compacted = sessions.find(({ compactions }: { compactions: number }) => compactions > 0)
  const { rows } = await print('log', forked.session)
  const prompts = rows.filter(({ kind }: { kind: string }) => kind === 'prompt')
  const { forks } = await print('branches', forked.session)
  const { files } = await print('files')
  const touched = files.find(({ edits }: { edits: number }) => edits > 0)
  return {
    SESSION: forked.session,
    ENTRY: `${forked.session}:${prompts.at(-1).node}`,
    OTHER: forks[0].children.at(-1).node,
    COMPACTED: compacted.session,
    FOLDER: join(home.dir, 'exported'),
    TOUCHED: touched.path,
    'WRITTEN:1': `${join(REPOSITORY, 'package.json')}:1`,
    REPO: makeRepository(join(home.dir, 'repo'), touched.path),
  }
}

/** A repository whose one commit has a line that a session wrote. */
function makeRepository(top: string, file: string): string {
  mkdirSync(top)
  writeFileSync(join(top, basename(file)), 'one line\n')
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: top })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'First')
  return top
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
const closed = closeObjects(SCHEMA) as SchemaFile

/** What a command printed against its schema. Some print one object on each line. */
function faultsIn(name: string, printed: string): readonly string[] {
  const validate = ajv.compile({ $defs: closed.$defs, ...closed.properties[name]?.allOf[1] })
  const texts = name === 'tail' ? printed.trim().split('\n') : [printed]
  const faults = texts.flatMap(text => {
    const { dagline, ...fields } = JSON.parse(text)
    if (dagline !== 1) return ['the version is missing']
    if (validate(fields)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath.replaceAll(/\/\d+/g, '[]')} ${message} ${JSON.stringify(params)}`,
    )
  })
  return [...new Set(faults)]
}

/** The same schema without room for other fields. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, closeObjects(value)])
  const isObject = 'properties' in schema && !('additionalProperties' in schema)
  return Object.fromEntries([...entries, ...(isObject ? [['additionalProperties', false]] : [])])
}
