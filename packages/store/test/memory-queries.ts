/** What is asked of the index in memory. Words are told apart as FTS5's `unicode61 remove_diacritics 2` does. */
import { type MessageUsage, mergeUsage, type UsageRow, uniqueMessages } from '@dagline/core/measure'
import { groupBy } from '@dagline/core/model'
import type { SearchSort } from '@dagline/core/protocol'
import { FIELDS, type MessageFact, type TextFact } from '../src/db/facts.js'
import {
  type FoundText,
  isUndelivered,
  type Phrase,
  type SessionCount,
  type TextFilter,
  type TextsAround,
  type TouchFact,
} from '../src/db/index-store.js'
import { compareTexts } from '../src/db/rank.js'
import { isOwned, type Memory, type MemoryFile, uuidsOf } from './memory-model.js'

/** A text with all that filters look at. */
interface Candidate {
  readonly file: MemoryFile
  readonly found: FoundText
  readonly text: string
}

/** The texts that hold the phrases and pass the filter, in order. */
export function findTexts(
  memory: Memory,
  phrases: readonly Phrase[],
  filter: TextFilter,
  sort: SearchSort,
): readonly FoundText[] {
  const passes = filtersOf(memory, filter)
  const candidates = [...memory.files.values()].flatMap(file => candidatesIn(memory, file))
  const kept = candidates.filter(candidate => {
    const words = wordsOf(candidate.text)
    return phrases.every(phrase => holds(words, phrase)) && passes.every(pass => pass(candidate))
  })
  return kept.map(({ found }) => found).sort((a, b) => compareTexts(a, b, sort))
}

/** Every word of every text, and in how many it is. */
export function termsOf({ files }: Memory): string {
  const counts = new Map<string, number>()
  for (const { chunks } of files.values())
    for (const { chunk } of chunks)
      for (const [, , , , , , text] of chunk.texts)
        for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .map(([word, count]) => `${word}\t${count}\n`)
    .sort()
    .join('')
}

/** Runs of letters, digits and private characters, in lower case and without diacritics. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return plain.toLowerCase().match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Whether the words of a phrase follow one another. A phrase without any word is found nowhere. */
function holds(words: readonly string[], { words: typed, isPrefix, others = [] }: Phrase): boolean {
  if (others.some(other => holds(words, { words: [other], isPrefix: false }))) return true
  const wanted = wordsOf(typed.join(' '))
  if (wanted.length === 0) return false
  return words.some((_, start) =>
    wanted.every((word, at) => {
      const here = words[start + at]
      const mayGoOn = isPrefix && at === wanted.length - 1
      return here !== undefined && (mayGoOn ? here.startsWith(word) : here === word)
    }),
  )
}

/** The texts of a file that are to be seen: not those of others' nodes, nor queued ones that arrived. */
function candidatesIn(memory: Memory, file: MemoryFile): readonly Candidate[] {
  const uuids = uuidsOf(file)
  return file.chunks.flatMap(({ chunk, firstText }) =>
    chunk.texts.flatMap((fact, at) => {
      const found = describe(memory, file, { fact, id: firstText + at, node: uuids[fact[0]] ?? null })
      const isHidden = found.became !== null && !isUndelivered(found.became)
      return isHidden || !isOwned(file, fact[0]) ? [] : [{ file, found, text: fact[6] }]
    }),
  )
}

interface Place {
  readonly fact: TextFact
  readonly id: number
  readonly node: string | null
}

function describe({ roots, groups }: Memory, file: MemoryFile, { fact, id, node }: Place): FoundText {
  const [nth, { row, offset, length }, time, fieldNumber, tool, failed] = fact
  const { known, verdicts } = file
  const verdict = verdicts[nth]
  const field = FIELDS[fieldNumber] ?? 'note'
  const queue = groups.get(known.group ?? -1)?.queue ?? []
  const steps = queue.filter(step => step.file === known.id && step.row === row)
  const fate = steps.find(({ became }) => isUndelivered(became)) ?? steps[0]
  return {
    text: id,
    file: known.id,
    path: known.path,
    root: roots[file.root - 1] ?? '',
    project: known.project,
    row,
    offset,
    length,
    node,
    session: verdict?.line?.session ?? known.facts.session,
    time,
    field,
    tool,
    failed,
    isArchived: known.isArchived,
    live: verdict?.live ?? false,
    compacted: verdict?.compacted ?? 0,
    line: verdict?.line ?? null,
    became: field === 'queued' ? (fate?.became ?? 'unknown') : null,
  }
}

type Pass = (candidate: Candidate) => boolean

/** The parts of a filter that are given, each as a test. */
function filtersOf(memory: Memory, filter: TextFilter): readonly Pass[] {
  const { roots, projects, session, since, until, fields, tool, touched, touching, agent, branch } = filter
  const passes: Pass[] = []
  if (roots !== undefined) passes.push(({ file }) => roots.includes(file.root))
  if (projects !== undefined) passes.push(({ file }) => projects.includes(file.known.project))
  if (session !== undefined) passes.push(({ found }) => found.session?.startsWith(session) === true)
  if (since !== undefined) passes.push(({ found }) => found.time !== null && found.time >= since)
  if (until !== undefined) passes.push(({ found }) => found.time !== null && found.time < until)
  if (fields !== undefined) passes.push(({ found }) => fields.includes(found.field))
  if (tool !== undefined) passes.push(({ found }) => found.tool !== null && fold(found.tool) === fold(tool))
  if (touched !== undefined) passes.push(touchedPass(memory, touched))
  if (touching !== undefined) passes.push(candidate => isTouching(candidate, touching))
  if (agent !== undefined) passes.push(({ found }) => isAgent(found, agent))
  if (branch === 'live') passes.push(({ found }) => found.live || found.line?.branchStatus === 'live')
  if (branch === 'abandoned')
    passes.push(({ found }) => found.line !== null && found.line.branchStatus !== 'live')
  if (filter.live === true) passes.push(({ found }) => found.live)
  if (filter.beforeCompaction === true) passes.push(({ found }) => found.compacted > 0)
  if (filter.failed === true) passes.push(({ found }) => found.failed)
  if (filter.nodes !== undefined) {
    const named = new Set(filter.nodes)
    passes.push(({ found }) => found.node !== null && named.has(found.node))
  }
  return passes
}

/** SQLite compares without regard to case only within ASCII. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

function isAgent({ line }: FoundText, agent: string): boolean {
  if (line === null || agent === '') return line !== null && line.agent !== null
  const isType = line.agentName !== null && fold(line.agentName) === fold(agent)
  return isType || line.agent?.startsWith(agent) === true
}

/** Texts of sessions in which a call names a file that ends so. */
function touchedPass({ files }: Memory, touched: string): Pass {
  const sessions = new Set<string>()
  for (const { known, chunks, verdicts } of files.values()) {
    for (const [nth, path] of chunks.flatMap(({ chunk }) => chunk.touched)) {
      const session = verdicts[nth]?.line?.session ?? known.facts.session
      if (session !== null && fold(path).endsWith(fold(touched))) sessions.add(session)
    }
  }
  return ({ found }) => found.session !== null && sessions.has(found.session)
}

/** Inputs of calls that name a file that ends so. */
function isTouching({ file, found }: Candidate, touching: string): boolean {
  const uuids = uuidsOf(file)
  const calls = file.chunks.flatMap(({ chunk }) => chunk.touched)
  return (
    found.field === 'input' &&
    calls.some(([nth, path]) => uuids[nth] === found.node && fold(path).endsWith(fold(touching)))
  )
}

/** The texts by session. */
export function countSessions(found: readonly FoundText[]): readonly SessionCount[] {
  const counts = [...groupBy(found, ({ session }) => session)].map(([session, texts]) => ({
    session,
    count: texts.length,
    last: texts.reduce<number | null>(
      (last, { time }) => (time === null ? last : Math.max(last ?? time, time)),
      null,
    ),
  }))
  const order = (a: SessionCount, b: SessionCount): number => ((a.session ?? '') < (b.session ?? '') ? -1 : 1)
  return counts.sort((a, b) => (b.last ?? -1) - (a.last ?? -1) || order(a, b))
}

const SPOKEN: readonly string[] = ['prompt', 'answer', 'input', 'output']

/** What stands before and after a text on its line. */
export function readAround(memory: Memory, found: FoundText, count: number): TextsAround {
  const file = memory.files.get(found.file)
  const all = (file === undefined ? [] : allIn(memory, file)).filter(
    each => each.line?.name === found.line?.name && each.node !== found.node && SPOKEN.includes(each.field),
  )
  const before = all.filter(({ text }) => text < found.text)
  return {
    before: count === 0 ? [] : before.slice(-count),
    after: all.filter(({ text }) => text > found.text).slice(0, count),
  }
}

/** All texts of a file, those of others' nodes included. */
function allIn(memory: Memory, file: MemoryFile): readonly FoundText[] {
  const uuids = uuidsOf(file)
  return file.chunks.flatMap(({ chunk, firstText }) =>
    chunk.texts.map((fact, at) =>
      describe(memory, file, { fact, id: firstText + at, node: uuids[fact[0]] ?? null }),
    ),
  )
}

/** T3: each message once, however many files say it. */
export function readUsage({ files }: Memory, roots: readonly number[] | undefined): readonly UsageRow[] {
  const chosen = [...files.values()].filter(({ root }) => roots === undefined || roots.includes(root))
  return uniqueMessages(chosen.flatMap(usageIn))
}

/** The same for the files of a group. */
export function readGroupUsage({ files }: Memory, group: number): readonly UsageRow[] {
  return uniqueMessages([...files.values()].filter(({ known }) => known.group === group).flatMap(usageIn))
}

/** X15: the calls that name a file, each where it is owned. */
export function readTouches({ files }: Memory, roots: readonly number[] | undefined): readonly TouchFact[] {
  return touchesIn([...files.values()].filter(({ root }) => roots === undefined || roots.includes(root)))
}

/** The same for the files of a group. */
export function readGroupTouches({ files }: Memory, group: number): readonly TouchFact[] {
  return touchesIn([...files.values()].filter(({ known }) => known.group === group))
}

function touchesIn(chosen: readonly MemoryFile[]): readonly TouchFact[] {
  return chosen.flatMap(file => {
    const { known, chunks, verdicts } = file
    const uuids = uuidsOf(file)
    const times = new Map(partsIn(file).map(({ nth, time }) => [nth, time]))
    const touched = chunks.flatMap(({ chunk }) => chunk.touched).filter(([nth]) => isOwned(file, nth))
    const once = new Map(touched.map(touch => [touch.join('\0'), touch]))
    return [...once.values()].map(([nth, path, tool]) => ({
      path,
      tool,
      node: uuids[nth] ?? '',
      project: known.project,
      session: verdicts[nth]?.line?.session ?? known.facts.session ?? '',
      agentId: verdicts[nth]?.line?.agent ?? null,
      time: times.get(nth) ?? null,
    }))
  })
}

/** The same for some files, without whose they are. */
export function readMessages({ files }: Memory, ids: readonly number[]): readonly MessageUsage[] {
  const messages = new Map<string, MessageUsage>()
  for (const id of ids) {
    for (const { nth: _, version: __, ...usage } of partsIn(files.get(id))) {
      const known = messages.get(usage.message)
      messages.set(usage.message, known === undefined ? usage : mergeUsage(known, usage))
    }
  }
  return [...messages.values()]
}

function partsIn(file: MemoryFile | undefined): readonly MessageFact[] {
  return file?.chunks.flatMap(({ chunk }) => chunk.messages) ?? []
}

function usageIn({ known, chunks, verdicts }: MemoryFile): readonly UsageRow[] {
  const messages = chunks.flatMap(({ chunk }) => chunk.messages)
  return messages.map(({ nth, ...usage }) => {
    const line = verdicts[nth]?.line ?? null
    return {
      ...usage,
      project: known.project,
      session: line?.session ?? known.facts.session ?? '',
      agent: line?.agentName ?? null,
      agentId: line?.agent ?? null,
      line: line?.branch ?? known.facts.session ?? '',
      status: line?.branchStatus ?? 'live',
    }
  })
}
