/** P12: every kind of block and entry, as `log`, `show`, the exports, the page and `search` have it. */
import { readBlocks } from '@dagline/core/content'
import { inProject } from '@dagline/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { CONTENT_KINDS, type ContentKind, contentRows, kindId } from '../../core/test/content-kinds.js'
import { blockLines } from '../src/print/blocks.js'
import { styleFor } from '../src/print/style.js'
import { onFiles, unpackPage } from './export-files.js'
import { json, type Ran } from './run.js'

const SESSION = '10000000-0000-4000-8000-000000000000'
const ROWS = contentRows(SESSION)

/** What each face says of each row, by its uuid; `md` and the list of `log` as one text. */
interface Faces {
  readonly log: ReadonlyMap<string, string>
  readonly list: string
  readonly note: string
  readonly md: string
  readonly page: ReadonlyMap<string, string>
  readonly json: ReadonlyMap<string, string>
  readonly jsonl: ReadonlyMap<string, string>
  readonly found: ReadonlySet<string>
}

let faces: Faces

beforeAll(async () => {
  faces = await onFiles(inProject([{ path: `${SESSION}.jsonl`, text: ROWS }]), run => readFaces(run))
}, 120_000)

function readFaces(run: (...words: string[]) => Ran): Faces {
  const exported = (format: string): string =>
    run('export', SESSION, '--format', format, '--out', '-', '--force').stdout
  const list = run('log', SESSION)
  const chunks = [...unpackPage(exported('html'))].filter(([id]) => id.startsWith('chunk-'))
  const search = json(run('search', '--regex', 'needle[A-Z]', '--limit', '1000', '--json'))
  return {
    log: byNode(json(run('log', SESSION, '--all', '--json')).rows),
    list: list.stdout,
    note: list.stderr,
    md: exported('md'),
    page: byNode(chunks.flatMap(([, text]) => JSON.parse(text))),
    json: byNode(JSON.parse(exported('json')).contents),
    jsonl: byNode(
      exported('jsonl')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ),
    found: new Set(JSON.stringify(search).match(/needle[A-Z][A-Za-z]*/g) ?? []),
  }
}

type Row = Readonly<Record<string, unknown>>

function byNode(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map(row => [String(row['node'] ?? row['uuid']), JSON.stringify(row)]))
}

/** What `show` prints of a record. */
function shown(at: number): string {
  const record: Row = JSON.parse(ROWS.split('\n')[at] ?? '')
  const terminal = { style: styleFor(false), width: 400 }
  return [...blockLines(terminal, readBlocks(record, Number.POSITIVE_INFINITY))].join('\n')
}

const KINDS = CONTENT_KINDS.map((kind, at) => [kind.kind, kind, at] as const)

/** What a reader looks for: the word of a kind, or the name of one without text. */
function wanted({ word, name }: ContentKind): string {
  return word ?? name ?? ''
}

describe('every kind of block and entry', () => {
  it.each(KINDS)('[P12] %s is in the log, in show, in data and on the page', (_, kind, at) => {
    const word = wanted(kind)
    expect(faces.log.get(kindId(at))).toContain(word)
    expect(shown(at)).toContain(word)
    for (const face of [faces.page, faces.json]) expect(face.get(kindId(at))).toContain(word)
    if (kind.word !== null) expect(faces.jsonl.get(kindId(at))).toContain(word)
  })

  it.each(KINDS)('[P12] %s is named wherever it is shown', (_, { name }, at) => {
    if (name === null) return
    for (const face of [faces.log, faces.page, faces.json]) expect(face.get(kindId(at))).toContain(name)
    expect(shown(at)).toContain(name)
  })

  it.each(KINDS)('[L6] %s is in the list and in Markdown, or counted there', (_, kind) => {
    if (kind.word === null) return
    expect(faces.list.includes(kind.word)).toBe(kind.shown === 'conversation')
    expect(faces.md.includes(kind.word)).toBe(isInMarkdown(kind))
  })

  it.each(KINDS)('[H3] %s is found, unless it is a setting', (_, { word, isSearched }) => {
    if (word !== null) expect(faces.found.has(word)).toBe(isSearched)
  })

  it('[L6] what a view omits is counted', () => {
    const beside = CONTENT_KINDS.filter(({ shown: where }) => where === 'beside')
    expect(faces.note).toMatch(/\d+ hooks, attachments and notes omitted; --all shows everything/)
    expect(faces.md).toMatch(/Left out: \d+ hooks, attachments and notes, 2 thinking blocks without/)
    expect(beside.length).toBeGreaterThan(0)
  })
})

/** Markdown has thinking, too, and entries of types that are not known. */
function isInMarkdown({ kind, shown: where }: ContentKind): boolean {
  return where === 'conversation' || ['block/thinking', 'weather-report', 'agent-setting'].includes(kind)
}
