/** What docs/FORMAT.md says of recordings is what the recordings among the fixtures show. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJson, type Json } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import { isKnownType } from '../src/parse/index.js'

const root = join(import.meta.dirname, '../../..')
const text = readFileSync(join(root, 'docs/FORMAT.md'), 'utf8')
const recordings = join(root, 'fixtures/recordings')

/** The recordings that a text names, without those marked †: they are not among the fixtures. */
function namedIn(part: string): readonly string[] {
  return [...part.matchAll(/(?<!†)`((?:random-)?\d+\.\d+\.\d+\/\w+)`/g)].map(([, name]) => name ?? '')
}

/** The cells of the table below a header, row by row. */
function tableBelow(header: string): readonly (readonly string[])[] {
  const [, ...rows] = text.slice(text.indexOf(header)).split('\n\n')[0]?.split('\n') ?? []
  return rows.slice(1).map(row => row.split('|').map(cell => cell.trim()))
}

function quotedIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted]) => quoted ?? '')
}

/** The paths of a recording's files, below its projects folder. */
function pathsOf(recording: string): readonly string[] {
  return readdirSync(join(recordings, recording, 'projects'), { recursive: true, encoding: 'utf8' })
}

interface Transcript {
  readonly path: string
  readonly rows: readonly Json[]
}

const read = new Map<string, readonly Transcript[]>()

function transcriptsOf(recording: string): readonly Transcript[] {
  const known = read.get(recording)
  if (known !== undefined) return known
  const found = pathsOf(recording)
    .filter(path => path.endsWith('.jsonl'))
    .map(path => ({ path, rows: rowsOf(join(recordings, recording, 'projects', path)) }))
  read.set(recording, found)
  return found
}

function rowsOf(path: string): readonly Json[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}

const rowsIn = (recording: string): readonly Json[] => transcriptsOf(recording).flatMap(({ rows }) => rows)

function part(row: Json | undefined, ...fields: readonly string[]): unknown {
  return fields.reduce((value: unknown, field) => (isJson(value) ? value[field] : undefined), row)
}

function blocksOf(row: Json): readonly Json[] {
  const content = part(row, 'message', 'content')
  return Array.isArray(content) ? content.filter(isJson) : []
}

const hasBlock = (row: Json, type: string): boolean => blocksOf(row).some(block => block['type'] === type)

const nodesOf = (rows: readonly Json[]): readonly Json[] => rows.filter(row => 'parentUuid' in row)

function childrenOf(rows: readonly Json[], parent: unknown): readonly Json[] {
  return nodesOf(rows).filter(row => row['parentUuid'] === parent)
}

const byId = (rows: readonly Json[], id: unknown): Json | undefined => rows.find(row => row['uuid'] === id)

const isBoundary = (row: Json): boolean => row['subtype'] === 'compact_boundary'
const isSummary = (row: Json): boolean => row['isCompactSummary'] === true

describe('docs/FORMAT.md', () => {
  it('names recordings that exist', () => {
    const there = new Set(
      readdirSync(recordings, { withFileTypes: true })
        .filter(folder => folder.isDirectory())
        .flatMap(({ name }) => readdirSync(join(recordings, name)).map(scenario => `${name}/${scenario}`)),
    )
    const named = namedIn(text)
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(name => !there.has(name))).toEqual([])
  })

  it('names types of records that the census knows', () => {
    const subtypes = tableBelow('| `system` subtype |').flatMap(([, cell = '']) => quotedIn(cell))
    const types = tableBelow('| Type | Since |').flatMap(([, cell = '']) => quotedIn(cell))
    const whole = types.map((type, at) => (type.startsWith('-') ? `${familyOf(types, at)}${type}` : type))
    expect(subtypes.length + whole.length).toBeGreaterThan(30)
    expect(subtypes.filter(type => !isKnownType(`system/${type}`))).toEqual([])
    expect(whole.filter(type => !isKnownType(type))).toEqual([])
  })

  it.each(tableBelow('| Path | What |').filter(([, path]) => !path?.includes('outside')))(
    'has files as its recordings do: %s %s',
    (_, path = '', ...cells) => {
      const patterns = quotedIn(path).map(patternOf)
      for (const recording of namedIn(cells.join(' ')))
        for (const pattern of patterns) expect(pathsOf(recording).join('\n')).toMatch(pattern)
    },
  )

  it.each(tableBelow('| `system` subtype |'))(
    'has notices as its recordings do: %s %s',
    (_, type, ...cells) => {
      for (const recording of namedIn(cells.join(' ')))
        expect(rowsIn(recording).map(row => row['subtype'])).toContain(quotedIn(type ?? '')[0])
    },
  )

  it.each(tableBelow('| Type | Since |'))('has records as its recordings do: %s %s', (_, type, ...cells) => {
    const types = new Set(namedIn(cells.join(' ')).flatMap(name => rowsIn(name).map(row => row['type'])))
    const wanted = quotedIn(type ?? '')[0]
    if (types.size > 0) expect(types).toContain(wanted)
  })
})

/** `api-request`, `-blob`: what the short name goes on from. */
function familyOf(types: readonly string[], at: number): string {
  const first = types.slice(0, at).findLast(type => !type.startsWith('-')) ?? ''
  return first.replace(/-snapshot$/, '')
}

/** `<session>/tool-results/*` as a pattern for a path. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/^projects\/<folder>\//, '').replace(/[.]/g, '\\$&')
  return new RegExp(`(?:^|/)${escaped.replace(/<[a-z]+>|\*/g, '[^/\\n]+')}`, 'm')
}

/** A sentence of the document, the recordings that show it, and how. */
type Claim = readonly [string, readonly string[], (rows: readonly Json[], recording: string) => boolean]

const CLAIMS: readonly Claim[] = [
  [
    'A resume by 2.0.64 leaves an empty file',
    ['2.0.64/s11_resume'],
    (_, recording) => transcriptsOf(recording).some(({ rows }) => rows.length === 0),
  ],
  [
    "a prompt's parent is usually an attachment or `system/turn_duration`",
    ['2.1.325/s13_rewind'],
    rows => rows.some(row => row['promptSource'] === 'typed' && isAside(byId(rows, row['parentUuid']))),
  ],
  [
    '`isApiErrorMessage` marks a failure shown as an answer',
    ['2.1.325/s18c_api_error'],
    rows => rows.some(row => row['isApiErrorMessage'] === true && row['type'] === 'assistant'),
  ],
  [
    'the model `<synthetic>` marks text the client wrote itself',
    ['2.1.325/s18e_killed'],
    rows => rows.some(row => part(row, 'message', 'model') === '<synthetic>'),
  ],
  [
    'A pasted image comes with an `isMeta` note',
    ['2.1.325/s19_image'],
    rows => rows.some(row => hasBlock(row, 'image')) && rows.some(row => row['isMeta'] === true),
  ],
  [
    '`apiBlockIndex` gives the position',
    ['2.1.325/s03_parallel_tools'],
    rows => new Set(rows.map(row => row['apiBlockIndex']).filter(at => at !== undefined)).size > 1,
  ],
  [
    'each under the entry of **its own** call',
    ['2.1.325/s03_parallel_tools'],
    rows =>
      resultsIn(rows).every(row => blocksOf(byId(rows, row['parentUuid']) ?? {}).some(isCallOf(row))) &&
      resultsIn(rows).length > 1,
  ],
  [
    'first under the **last** part, then result under result',
    ['1.0.66/s03_parallel_tools', '2.0.64/s03_parallel_tools'],
    rows => resultsIn(rows).some(row => hasBlock(byId(rows, row['parentUuid']) ?? {}, 'tool_result')),
  ],
  [
    "The first entry's `parentUuid` is **null** in every era",
    ['2.0.64/s05_subagent', '2.1.325/s05_subagent', 'random-2.1.101/505'],
    (_, recording) =>
      transcriptsOf(recording)
        .filter(({ path }) => /agent-[^/]+\.jsonl$/.test(path))
        .every(({ rows }) => nodesOf(rows)[0]?.['parentUuid'] === null),
  ],
  [
    '`system/compact_boundary`, parent null',
    ['2.0.64/s09_compact_headless', 'random-2.1.101/507', '2.1.325/s09_compact_headless'],
    rows => rows.filter(isBoundary).every(row => row['parentUuid'] === null) && rows.some(isBoundary),
  ],
  [
    'child of the boundary',
    ['2.0.64/s09_compact_headless', 'random-2.1.101/507'],
    rows => rows.filter(isSummary).every(row => isBoundary(byId(rows, row['parentUuid']) ?? {})),
  ],
  [
    '2.1.325 never repeats a uuid in a file (all its recordings)',
    readdirSync(join(recordings, '2.1.325')).map(name => `2.1.325/${name}`),
    (_, recording) =>
      transcriptsOf(recording).every(({ rows }) => {
        const ids = nodesOf(rows).map(row => row['uuid'])
        return new Set(ids).size === ids.length
      }),
  ],
  [
    'writes 45 rows again, with the same uuids, parents and times',
    ['random-2.1.197/318'],
    (_, recording) =>
      transcriptsOf(recording).some(({ rows }) => {
        const nodes = nodesOf(rows)
        const again = nodes.filter((row, at) => nodes.findIndex(each => each['uuid'] === row['uuid']) < at)
        return again.length === 45 && again.every(row => isSameNode(row, byId(rows, row['uuid'])))
      }),
  ],
  [
    'appended to the same file with the same id, since 2.0.31',
    ['2.1.325/s11_resume', '2.0.64/s11_resume'],
    (_, recording) =>
      transcriptsOf(recording).filter(({ path, rows }) => !path.includes('agent-') && rows.length > 0)
        .length <= 2,
  ],
  [
    '**new file, new id, whole history copied under new uuids**',
    ['1.0.66/s11_resume'],
    (_, recording) => {
      const [one = [], other = []] = transcriptsOf(recording)
        .map(({ rows }) => nodesOf(rows))
        .filter(rows => rows.length > 0)
      const messages = (rows: readonly Json[]): Set<unknown> =>
        new Set(rows.map(row => part(row, 'message', 'id')).filter(id => id !== undefined))
      return (
        [...messages(one)].some(id => messages(other).has(id)) &&
        one.every(row => byId(other, row['uuid']) === undefined)
      )
    },
  ],
  [
    'new file, live conversation only, **same uuids** and times',
    ['2.1.325/s12_fork_session'],
    (_, recording) => {
      const [one = [], other = []] = transcriptsOf(recording).map(({ rows }) => nodesOf(rows))
      const shared = one.filter(row => byId(other, row['uuid']) !== undefined)
      return shared.length > 0 && shared.every(row => isSameMoment(row, byId(other, row['uuid'])))
    },
  ],
  [
    '`forkedFrom` on each copied node',
    ['2.1.325/s24e_branch_btw'],
    (_, recording) => {
      const [one = [], other = []] = transcriptsOf(recording).map(({ rows }) => nodesOf(rows))
      const [copy, from] = other.some(row => 'forkedFrom' in row) ? [other, one] : [one, other]
      const shared = copy.filter(row => byId(from, row['uuid']) !== undefined)
      return shared.length > 0 && shared.every(row => 'forkedFrom' in row)
    },
  ],
  [
    '`sessionKind: bg`, a `fork_briefing`',
    ['2.1.325/s24g_fork_agent'],
    rows =>
      rows.some(row => row['sessionKind'] === 'bg') &&
      rows.some(row => part(row, 'attachment', 'type') === 'fork_briefing'),
  ],
  [
    'whose parent is the entry before the rewound one; the old branch',
    ['2.1.325/s13_rewind', '2.0.64/s13_rewind'],
    rows =>
      nodesOf(rows)
        .map(row => childrenOf(rows, row['uuid']))
        .some(children => children.length > 1 && children.some(isTyped)),
  ],
  [
    'a result with `toolDenialKind: user-rejected`',
    ['2.1.325/s18b_interrupt'],
    rows => rows.some(row => row['toolDenialKind'] === 'user-rejected'),
  ],
  [
    '2.1.325 writes a made-up result (`toolDenialKind: interrupted`)',
    ['2.1.325/s18e_killed'],
    rows => rows.some(row => row['toolDenialKind'] === 'interrupted'),
  ],
  [
    '**merged** into one prompt, joined by newlines',
    ['2.1.325/s16_queue_stream'],
    rows => {
      const queued = rows.filter(row => row['operation'] === 'enqueue').map(row => row['content'])
      const typed = rows
        .map(row => part(row, 'message', 'content'))
        .filter(content => typeof content === 'string')
      return queued.some((one, at) => typed.includes(`${one}\n${queued[at + 1]}`))
    },
  ],
  [
    '`attachment/queued_command` after the results',
    ['2.1.325/s16c_queue_ui'],
    rows => rows.some(row => part(row, 'attachment', 'type') === 'queued_command'),
  ],
  [
    'the entry keeps `<persisted-output>`',
    ['2.1.325/s22_large_output'],
    rows => rows.some(row => JSON.stringify(row).includes('<persisted-output>')),
  ],
  [
    'each answer names it in `requestRef`',
    ['2.1.325/s02_single_tool'],
    rows =>
      rows.some(row => row['type'] === 'api-request') &&
      rows.filter(row => row['type'] === 'assistant').every(row => 'requestRef' in row),
  ],
]

function isAside(row: Json | undefined): boolean {
  return row?.['type'] === 'attachment' || row?.['subtype'] === 'turn_duration'
}

function isTyped(row: Json): boolean {
  return row['type'] === 'user' && !hasBlock(row, 'tool_result')
}

const resultsIn = (rows: readonly Json[]): readonly Json[] => rows.filter(row => hasBlock(row, 'tool_result'))

/** Whether a block is the call that a result answers. */
function isCallOf(row: Json): (block: Json) => boolean {
  const ids = blocksOf(row).map(block => block['tool_use_id'])
  return block => block['type'] === 'tool_use' && ids.includes(block['id'])
}

function isSameMoment(a: Json, b: Json | undefined): boolean {
  return a['timestamp'] === b?.['timestamp']
}

function isSameNode(a: Json, b: Json | undefined): boolean {
  return isSameMoment(a, b) && a['parentUuid'] === b?.['parentUuid']
}

describe('what docs/FORMAT.md says of recordings', () => {
  const words = text.replace(/\s+/g, ' ')

  it.each(CLAIMS)('%s', (claim, named, holds) => {
    expect(words).toContain(claim)
    expect(named.filter(recording => !holds(rowsIn(recording), recording))).toEqual([])
  })
})
