/**
 * The index as plain lists: what `sqlite.ts` is held against. Everything is looked up by going through everything, so
 * that there is nothing to get wrong but what is written here.
 */
import type { ParsedRow } from '@dagline/core'
import { recordsWithCarried, unpackRows } from '@dagline/core/parse'
import type { Chunk } from '../src/db/facts.js'
import type { IndexStore, Judgement, KnownFile, SessionFact } from '../src/db/index-store.js'
import { wantKey } from '../src/db/link-keys.js'
import { type Memory, type MemoryFile, type MemoryGroup, sessionsNamed, uuidsOf } from './memory-model.js'
import {
  countSessions,
  findTexts,
  readAround,
  readGroupTouches,
  readGroupUsage,
  readMessages,
  readTouches,
  readUsage,
  termsOf,
} from './memory-queries.js'

/** Makes an empty index. It lives as long as the process. */
export function openMemoryIndex(): IndexStore {
  let memory: Memory = {
    roots: [],
    listings: new Map(),
    files: new Map(),
    groups: new Map(),
    answers: new Map(),
    rootAnswers: new Map(),
    isFilling: true,
  }
  let before: Memory | null = null
  return {
    begin: () => {
      if (before !== null) throw new RangeError('begin within begin')
      before = structuredClone(memory)
    },
    commit: () => {
      before = null
    },
    rollback: () => {
      memory = before ?? memory
      before = null
    },
    rootId: path => rootId(memory, path),
    findRoot: path => (memory.roots.includes(path) ? rootId(memory, path) : null),
    listing: root => memory.listings.get(root) ?? null,
    keepListing: (root, listing) => {
      memory.listings.set(root, listing)
    },
    files: root => filesOf(memory, root),
    addFile: (root, file) => addFile(memory, root, file),
    updateFile: (id, file) => {
      const stored = fileAt(memory, id)
      stored.known = { ...file, id, group: stored.known.group }
    },
    removeFile: id => void memory.files.delete(id),
    addChunk: (file, chunk) => addChunk(memory, fileAt(memory, file), chunk),
    dropRows: (file, from) => dropRows(fileAt(memory, file), from),
    rowsOf: file => fileAt(memory, file).chunks.flatMap(({ rows }) => rows),
    linkedTo: (file, nth, keys) => linkedTo(memory, fileAt(memory, file), nth, keys),
    isFilling: () => memory.isFilling,
    endFilling: () => {
      memory.isFilling = false
    },
    links: root => linksIn(memory, root),
    release: group => {
      for (const file of memory.files.values())
        if (file.known.group === group) file.known = { ...file.known, group: null }
      dropAnswers(memory, group)
    },
    judge: judgement => judge(memory, judgement),
    sweep: () => sweep(memory),
    find: (phrases, filter, limit, sort = 'time') => findTexts(memory, phrases, filter, sort).slice(0, limit),
    findIds: (phrases, filter, limit, sort) =>
      findTexts(memory, phrases, filter, sort)
        .slice(0, limit)
        .map(({ text }) => text),
    texts: ids => {
      const all = new Map(findTexts(memory, [], {}, 'time').map(found => [found.text, found]))
      return ids.flatMap(id => all.get(id) ?? [])
    },
    vocabulary: () => termsOf(memory),
    each: (filter, sort) => findTexts(memory, [], filter, sort),
    count: (phrases, filter, most = Number.POSITIVE_INFINITY) =>
      Math.min(most, findTexts(memory, phrases, filter, 'time').length),
    countBySession: (phrases, filter) => countSessions(findTexts(memory, phrases, filter, 'time')),
    around: (found, count) => readAround(memory, found, count),
    sessions: roots =>
      groupsIn(memory, roots)
        .flatMap(({ sessions }) => sessions)
        .sort(byLast),
    agents: roots => groupsIn(memory, roots).flatMap(({ agents }) => agents),
    branches: roots => groupsIn(memory, roots).flatMap(({ branches }) => branches),
    touches: roots => readTouches(memory, roots),
    groupTouches: group => readGroupTouches(memory, group),
    usage: roots => readUsage(memory, roots),
    groupUsage: group => readGroupUsage(memory, group),
    messages: files => readMessages(memory, files),
    diagnostics: roots => groupsIn(memory, roots).flatMap(({ diagnostics }) => diagnostics),
    locate: (what, start, most = 100) =>
      [...memory.files.values()]
        .flatMap(({ known: { path, facts, isArchived }, root, ...file }) =>
          (what === 'uuid' ? uuidsOf(file) : sessionsNamed(file))
            .filter(id => id.startsWith(start))
            .map(id => ({ id, root, path, session: facts.session, isArchived })),
        )
        .slice(0, most),
    grouping: root =>
      filesOf(memory, root).map(({ path, group, isArchived, state }) => ({
        path,
        group,
        isArchived,
        isRead: state !== null,
      })),
    groupSessions: root =>
      new Map(
        [...memory.groups].flatMap(([id, group]) =>
          group.root === root && group.sessions.length > 0 ? [[id, group.sessions]] : [],
        ),
      ),
    answers: (root, kind) =>
      [...memory.answers].flatMap(([key, answer]) =>
        key.startsWith(`${answer.group} ${kind} `) && memory.groups.get(answer.group)?.root === root
          ? [answer]
          : [],
      ),
    unanswered: (root, kind, basis) =>
      [...memory.groups].flatMap(([id, group]) =>
        group.root === root && memory.answers.get(`${id} ${kind} `)?.basis !== basis ? [id] : [],
      ),
    keepAnswer: (kind, answer) => {
      memory.answers.set(`${answer.group} ${kind} ${answer.part}`, answer)
    },
    parseKept: value => JSON.parse(value),
    rootAnswer: (root, kind) => memory.rootAnswers.get(`${root} ${kind}`) ?? null,
    keepRootAnswer: (root, kind, answer) => {
      memory.rootAnswers.set(`${root} ${kind}`, answer)
    },
    statements: () => 0,
    close: () => {},
  }
}

function fileAt({ files }: Memory, id: number): MemoryFile {
  const file = files.get(id)
  if (file === undefined) throw new RangeError(`no file ${id}`)
  return file
}

function rootId({ roots }: Memory, path: string): number {
  if (!roots.includes(path)) roots.push(path)
  return roots.indexOf(path) + 1
}

function filesOf({ files }: Memory, root: number): readonly KnownFile[] {
  const known = [...files.values()].filter(file => file.root === root).map(file => file.known)
  return known.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function addFile({ files }: Memory, root: number, file: Omit<KnownFile, 'id' | 'group'>): number {
  const id = Math.max(0, ...files.keys()) + 1
  const known = { ...file, id, group: null }
  files.set(id, { known, root, chunks: [], linkKeys: new Set(), verdicts: [] })
  return id
}

function addChunk(memory: Memory, file: MemoryFile, added: Chunk): void {
  const chunk = { ...added, texts: namedTexts(file, added) }
  file.chunks.push({ chunk, rows: unpackRows(added.rows), firstText: lastText(memory) + 1 })
  file.chunks.sort((a, b) => a.chunk.row - b.chunk.row)
  for (const key of added.linkKeys) file.linkKeys.add(key)
}

function lastText({ files }: Memory): number {
  const chunks = [...files.values()].flatMap(file => file.chunks)
  return Math.max(0, ...chunks.map(({ firstText, chunk }) => firstText + chunk.texts.length - 1))
}

/** An output whose call was read earlier has the name of that call's tool. */
function namedTexts(file: MemoryFile, { texts }: Chunk): Chunk['texts'] {
  const names = new Map(file.chunks.flatMap(({ rows }) => callsIn(rows)))
  return texts.map(([nth, place, time, field, tool, failed, text, call]) => {
    const name = call === null ? tool : (names.get(call) ?? null)
    return [nth, place, time, field, name, failed, text, call]
  })
}

function callsIn(rows: readonly ParsedRow[]): readonly (readonly [string, string])[] {
  const records = rows.flatMap(recordsWithCarried)
  return records.flatMap(record =>
    record.kind === 'assistant' ? record.calls.map(({ id, name }) => [id, name] as const) : [],
  )
}

function dropRows(file: MemoryFile, from: number): number {
  file.chunks = file.chunks.filter(({ chunk }) => chunk.row < from)
  if (from === 0) file.linkKeys.clear()
  const left = uuidsOf(file).length
  file.verdicts = file.verdicts.slice(0, left)
  return left
}

function linkedTo(
  memory: Memory,
  file: MemoryFile,
  nth: number,
  keys: ReadonlySet<string>,
): readonly number[] {
  const own = uuidsOf(file).slice(nth).map(wantKey)
  const others = [...memory.files.values()].filter(other => other !== file && other.root === file.root)
  const first = (holds: (other: MemoryFile) => boolean): number => others.find(holds)?.known.id ?? -1
  const linked = [...own, ...keys].flatMap(key => [
    first(({ linkKeys }) => linkKeys.has(key)),
    first(other => uuidsOf(other).some(uuid => wantKey(uuid) === key)),
  ])
  return [...new Set(linked)].filter(id => id >= 0)
}

function linksIn(memory: Memory, root: number): readonly (readonly [number, number])[] {
  const files = [...memory.files.values()].filter(file => file.root === root)
  return files.flatMap(file =>
    linkedTo(memory, file, 0, file.linkKeys).map(linked => [file.known.id, linked] as const),
  )
}

function judge(memory: Memory, judgement: Judgement): void {
  const { root, files, lines, sessions, agents, branches, queue, diagnostics } = judgement
  const group = Math.min(...files)
  for (const old of judgement.before) memory.groups.delete(old)
  memory.groups.set(group, { root, sessions, agents, branches, queue, diagnostics })
  for (const id of files) {
    const file = fileAt(memory, id)
    file.known = { ...file.known, group }
  }
  for (const { file, owner, line, live, compacted } of judgement.verdicts) {
    fileAt(memory, file).verdicts = [...owner].map((node, nth) => ({
      owner: node,
      line: lines[line[nth] ?? -1] ?? null,
      live: live[nth] !== 0,
      compacted: compacted[nth] ?? 0,
    }))
  }
}

function sweep(memory: Memory): void {
  const used = new Set([...memory.files.values()].map(({ known }) => known.group))
  for (const { group } of [...memory.answers.values()]) if (!used.has(group)) dropAnswers(memory, group)
  for (const group of memory.groups.keys()) if (!used.has(group)) memory.groups.delete(group)
}

function dropAnswers({ groups, answers, rootAnswers }: Memory, group: number): void {
  for (const key of [...answers.keys()].filter(each => each.startsWith(`${group} `))) {
    answers.delete(key)
    rootAnswers.delete(`${groups.get(group)?.root} ${key.split(' ')[1]}`)
  }
}

function groupsIn({ groups }: Memory, roots: readonly number[] | undefined): readonly MemoryGroup[] {
  const inOrder = [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
  return inOrder.filter(({ root }) => roots === undefined || roots.includes(root))
}

/** The latest first, those without a time last. */
function byLast(a: SessionFact, b: SessionFact): number {
  return (b.last ?? Number.NEGATIVE_INFINITY) - (a.last ?? Number.NEGATIVE_INFINITY) || 0
}
