/**
 * A folder of transcripts that changes as those of running, resumed, pruned and moved sessions do. Times of files are
 * set, not taken: two writes within one tick of the file system's clock are no test of ours.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type GenerateOptions, generate, isJson, type Json, STYLE_NAMES } from '@dagline/testkit'
import fc from 'fast-check'

/** One change, as plain data, so that a failing sequence can be printed and made smaller. */
export interface Change {
  readonly kind: ChangeKind
  /** Which file, of those that are there. */
  readonly pick: number
  /** How much, in thousandths. */
  readonly part: number
}

/** What can happen to a folder of transcripts. */
export type ChangeKind = (typeof CHANGES)[number]

/** All kinds of change; growth is what happens most. */
export const CHANGES = [
  'grow',
  'grow-torn',
  'half-character',
  'finish',
  'appear',
  'truncate',
  'replace',
  'edit',
  'delete',
  'move',
  'rename',
  'move-agent',
  'add',
  'empty',
  'rewire',
  'meta',
  'title',
  'touch',
  'sync',
] as const

/** A change by chance. */
export const aChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.oneof({ weight: 3, arbitrary: fc.constant('grow' as const) }, fc.constantFrom(...CHANGES)),
  pick: fc.nat(1000),
  part: fc.nat(1000),
})

/** Project folders that files are moved between. */
const PROJECTS = ['-home-dev-proj', '-home-dev-proj--worktree', '-home-dev-other']

/** The folder and what is still to be written in it. */
export class World {
  readonly root: string
  /** Bytes that will be appended, by path. */
  private readonly rest = new Map<string, Buffer>()
  private seconds = 1_700_000_000

  constructor(root: string) {
    this.root = root
    mkdirSync(root, { recursive: true })
  }

  /** Transcripts that are there. */
  files(): readonly string[] {
    return this.list().filter(path => path.endsWith('.jsonl'))
  }

  /** What stands in a file. */
  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  private list(): readonly string[] {
    const paths = readdirSync(this.root, { recursive: true, encoding: 'utf8' })
    return paths
      .map(path => path.replaceAll('\\', '/'))
      .filter(path => statSync(join(this.root, path)).isFile())
      .sort()
  }

  /** Adds the conversations of a project; of each file a part is written, the rest comes later. Some come later as a whole. */
  add(seed: number, options: GenerateOptions, part: number): void {
    const { files, metas } = generate(seed, options)
    for (const [nth, { path, text }] of files.entries()) {
      const bytes = Buffer.from(text)
      this.rest.set(path, bytes)
      if (part < 1 && nth % 3 === 2) continue
      const end = part >= 1 ? bytes.length : rowEnd(bytes, Math.floor(bytes.length * part))
      this.write(path, bytes.subarray(0, end))
      this.rest.set(path, bytes.subarray(end))
    }
    for (const { path, text } of metas) this.write(path, Buffer.from(text))
  }

  /** Makes a change; where there is no file that it could be made to, nothing happens. */
  apply({ kind, pick, part }: Change): void {
    const files = this.files()
    const path = files[pick % Math.max(1, files.length)]
    if (kind === 'add') this.addSome(pick, part)
    else if (kind === 'appear') this.appear(pick, part / 1000)
    else if (path !== undefined) this.change(kind, path, pick, part / 1000)
  }

  private addSome(pick: number, part: number): void {
    const style = STYLE_NAMES[pick % STYLE_NAMES.length] ?? 'seed'
    const project = PROJECTS[part % PROJECTS.length] ?? ''
    this.add(pick + 1, { style, actions: 3, project, damage: part % 2 === 0 }, (part % 10) / 10)
  }

  /** A file that was not there, or was deleted. */
  private appear(pick: number, part: number): void {
    const there = new Set(this.files())
    const hidden = [...this.rest.keys()].filter(path => !there.has(path)).sort()
    const path = hidden[pick % Math.max(1, hidden.length)]
    if (path === undefined) return
    this.write(path, Buffer.alloc(0))
    this.grow(path, part, rowEnd)
  }

  private change(kind: ChangeKind, path: string, pick: number, part: number): void {
    const bytes = readFileSync(join(this.root, path))
    const changes: Readonly<Partial<Record<ChangeKind, () => void>>> = {
      grow: () => this.grow(path, part, rowEnd),
      'grow-torn': () => this.grow(path, part, (_, end) => end),
      'half-character': () => this.beginCharacter(path, bytes),
      finish: () => this.grow(path, 1, (_, end) => end),
      truncate: () => this.write(path, bytes.subarray(0, Math.floor(bytes.length * part))),
      replace: () => this.write(path, lastRowsFirst(bytes)),
      edit: () => this.write(path, withoutRow(bytes, part)),
      empty: () => this.write(path, Buffer.alloc(0)),
      touch: () => this.write(path, bytes),
      delete: () => rmSync(join(this.root, path)),
      move: () => this.move(path, inProject(path, pick)),
      rename: () => this.move(path, path.replace(/([^/]+)\.jsonl$/, '$1x.jsonl')),
      'move-agent': () => this.moveAgent(path, pick),
      rewire: () => this.rewire(path, pick, part),
      meta: () => this.describeAgent(path, pick),
      title: () => this.write(path.replace(/\.jsonl$/, '/custom-title.json'), title(pick)),
    }
    changes[kind]?.()
  }

  /** A row that stops within a character, as a reader may see it; the rest is what is written next. */
  private beginCharacter(path: string, bytes: Buffer): void {
    const row = Buffer.from('{"type":"summary","summary":"caf\u00e9","leafUuid":"none"}\n')
    const half = row.indexOf(0xc3) + 1
    this.rest.set(path, Buffer.concat([row.subarray(half), this.rest.get(path) ?? Buffer.alloc(0)]))
    this.write(path, Buffer.concat([bytes, row.subarray(0, half)]))
  }

  private grow(path: string, part: number, cut: (bytes: Buffer, end: number) => number): void {
    const rest = this.rest.get(path) ?? Buffer.alloc(0)
    const end = cut(rest, Math.ceil(rest.length * part))
    if (end === 0) return
    this.write(path, Buffer.concat([readFileSync(join(this.root, path)), rest.subarray(0, end)]))
    this.rest.set(path, rest.subarray(end))
  }

  /** A file that moves keeps its time. */
  private move(from: string, to: string): void {
    if (from === to || existsSync(join(this.root, to))) return
    mkdirSync(dirname(join(this.root, to)), { recursive: true })
    renameSync(join(this.root, from), join(this.root, to))
    this.rest.set(to, this.rest.get(from) ?? Buffer.alloc(0))
    this.rest.delete(from)
  }

  /** A row names something of another file, as forks, resumes, merges by hand and other writers make it. */
  private rewire(path: string, pick: number, part: number): void {
    const files = this.files()
    const other = rowsIn(this.read(files[Math.floor(pick / 7) % files.length] ?? path))
    const rows = rowsIn(this.read(path))
    const at = Math.floor(part * rows.length)
    const target = objectIn(rows[at])
    const source = objectIn(other[Math.floor(part * other.length * 7) % Math.max(1, other.length)])
    const field = WIRES[pick % WIRES.length]
    if (target === null || source === null || field === undefined) return
    const changed = `${JSON.stringify({ ...target, ...field(source, target) })}\n`
    this.write(path, Buffer.from(rows.with(at, changed).join('')))
  }

  /** To the folder of another session. */
  private moveAgent(path: string, pick: number): void {
    const sessions = this.files().filter(other => !/agent-|journal/.test(other))
    const session = sessions[pick % Math.max(1, sessions.length)]
    const name = /agent-[^/]*$/.exec(path)?.[0]
    if (name === undefined || session === undefined) return
    this.move(path, session.replace(/\.jsonl$/, `/subagents/${name}`))
  }

  private describeAgent(path: string, pick: number): void {
    const meta = path.replace(/\.jsonl$/, '.meta.json')
    if (!path.includes('agent-')) return
    if (pick % 3 === 0) rmSync(join(this.root, meta), { force: true })
    else this.write(meta, Buffer.from(pick % 3 === 1 ? '{"agentType":"Explore"}' : '{"agentType":'))
  }

  private write(path: string, bytes: Buffer): void {
    const target = join(this.root, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes)
    this.seconds++
    utimesSync(target, this.seconds, this.seconds)
  }
}

/** What a row may have in common with one of another file. */
const WIRES: readonly ((source: Json, target: Json) => Json)[] = [
  ({ uuid }) => ({ parentUuid: uuid }),
  ({ uuid }) => ({ logicalParentUuid: uuid, type: 'system', subtype: 'compact_boundary', parentUuid: null }),
  ({ uuid, sessionId }) => ({ forkedFrom: { messageUuid: uuid, sessionId } }),
  ({ uuid, parentUuid }) => ({ uuid, parentUuid }),
  ({ sessionId }) => ({ sessionId }),
  ({ message }) => {
    const result = { type: 'tool_result', tool_use_id: toolIn(message), content: 'ok' }
    return { type: 'user', message: { role: 'user', content: [result] } }
  },
  ({ uuid }) => ({
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'auto', preservedMessages: { anchorUuid: uuid, uuids: [uuid] } },
  }),
  ({ agentId, uuid }) => ({ agentId: agentId ?? uuid, isSidechain: true }),
  ({ message, timestamp }) => ({ message, timestamp, parentUuid: null }),
  ({ message, type }) => ({ message, type }),
  ({ uuid }) => ({ type: 'summary', summary: 'A title', leafUuid: uuid, uuid: undefined }),
]

function toolIn(message: unknown): string {
  const content =
    isJson(message) && Array.isArray(message['content']) ? message['content'].filter(isJson) : []
  return String(
    content.map(block => block['id'] ?? block['tool_use_id']).find(id => id !== undefined) ?? 'none',
  )
}

function rowsIn(text: string): readonly string[] {
  return text.split(/(?<=\n)/)
}

function objectIn(row: string | undefined): Json | null {
  try {
    const value: unknown = JSON.parse(row ?? '')
    return isJson(value) ? value : null
  } catch {
    return null
  }
}

/** The end of the row that a place is in. */
function rowEnd(bytes: Buffer, place: number): number {
  const newline = bytes.indexOf(0x0a, Math.max(0, place - 1))
  return newline < 0 ? bytes.length : newline + 1
}

function rowsOf(bytes: Buffer): readonly string[] {
  return bytes.toString('latin1').split(/(?<=\n)/)
}

/** The same bytes in another order: a file of the same size that is another one. */
function lastRowsFirst(bytes: Buffer): Buffer {
  return Buffer.from(rowsOf(bytes).toReversed().join(''), 'latin1')
}

function withoutRow(bytes: Buffer, part: number): Buffer {
  const rows = rowsOf(bytes)
  return Buffer.from(rows.toSpliced(Math.floor(part * rows.length), 1).join(''), 'latin1')
}

function inProject(path: string, pick: number): string {
  return path.replace(/^[^/]+/, PROJECTS[pick % PROJECTS.length] ?? '')
}

function title(pick: number): Buffer {
  return Buffer.from(JSON.stringify({ customTitle: `Named ${pick}` }))
}
