/**
 * Every request of a recording, not only the last: what the conversation was just before each reply. The last request
 * hides much, because later resumes, compactions and rewinds cover it.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isJson, type Json, parseJson, type Recording } from '@dagline/testkit'

/** A recorded request whose reply stands in the same transcript. */
interface RecordedRequest {
  readonly n: number
  /** The transcript, below `projectsDir`. */
  readonly file: string
  /** The row of the reply: the rows before it are what the process had written when it sent the request. */
  readonly row: number
  /** The first entry of the reply. */
  readonly reply: string
  /** The user and assistant entries that the request carried, in order of sending. */
  readonly sent: readonly string[]
  /** What came as a reply to the same question before it broke off, so that the request was sent again; and its results. */
  readonly brokenOff: readonly string[]
}

/** A request whose live conversation differs from what was sent. */
export interface RequestDifference extends RecordedRequest, Difference {}

/** How entries differ from what was sent. Blocks of equal content count as one. */
interface Difference {
  readonly missing: readonly string[]
  readonly extra: readonly string[]
  /** The entries that both have, in the order of sending, then in ours; empty where the order is the same. */
  readonly order: readonly (readonly string[])[]
}

/** Gives the live entries of a transcript of which only the rows before `row` are there. */
type LiveBefore = (request: RecordedRequest) => readonly string[]

/** A recorded request as one of the transcripts that hold its reply tells it. */
interface AnsweredRequest extends Pick<RecordedRequest, 'n' | 'file' | 'reply' | 'sent'> {}

/** Compares every request that was answered, of sessions and subagents, with what `carried` says of its reply. */
export function compareAnswered(
  recording: Recording,
  carried: (file: string, reply: string) => readonly string[],
): { readonly total: number; readonly differences: readonly (AnsweredRequest & Difference)[] } {
  const requests = readRequests(recording).flatMap(answeredIn)
  const transcripts = new Map<string, Transcript>()
  const differences = requests.flatMap(request => {
    const known = transcripts.get(request.file)
    const transcript = known ?? readTranscript(join(recording.projectsDir, request.file))
    transcripts.set(request.file, transcript)
    const difference = compareEntries(request.sent, carried(request.file, request.reply), transcript)
    return isSame(difference) ? [] : [{ ...request, ...difference }]
  })
  return { total: requests.length, differences }
}

function readRequests({ dir }: Recording): readonly Json[] {
  const truth = parseJson(readFileSync(join(dir, 'truth.json'), 'utf8'))
  return Array.isArray(truth?.requests) ? truth.requests.filter(isJson) : []
}

function answeredIn({ n, kind, in: carried, reply }: Json): readonly AnsweredRequest[] {
  if (kind !== 'main' || !Array.isArray(carried)) return []
  const replies = repliesOf(reply).map(text => /^(.*):\d+ (\S+)$/.exec(text) ?? [])
  const parts = carried.filter(isJson).map(({ file, entries }) => {
    const [, , first] = replies.find(([, path]) => path === file) ?? []
    return { file: String(file), first, sent: sentBefore(Number.POSITIVE_INFINITY, entries) }
  })
  // A conversation that moved into another folder while it ran goes on there: files without the reply hold its beginning.
  const earlier = parts.filter(({ first }) => first === undefined).flatMap(({ sent }) => sent)
  return parts.flatMap(({ file, first, sent }) =>
    first === undefined
      ? []
      : [{ n: Number(n), file, reply: first, sent: [...new Set([...earlier, ...sent])] }],
  )
}

/** The requests of a recording that can be compared: main requests of one transcript, answered in it. */
function listRequests(recording: Recording): readonly RecordedRequest[] {
  const { projectsDir } = recording
  const requests = readRequests(recording)
  const transcripts = new Map<string, Transcript>()
  return requests.flatMap((request, i) => {
    const found = readRequest(request, requests.slice(0, i))
    if (found === null) return []
    const transcript = transcripts.get(found.file) ?? readTranscript(join(projectsDir, found.file))
    transcripts.set(found.file, transcript)
    const brokenOff = [...found.brokenOff, ...resultsOf(found.brokenOff, transcript)]
    return isInlineAgent(found, transcript) ? [] : [{ ...found, brokenOff }]
  })
}

/** Compares each request of a recording with the live conversation before its reply. */
export function compareRequests(recording: Recording, liveBefore: LiveBefore): readonly RequestDifference[] {
  return listRequests(recording).flatMap(request => {
    const transcript = readTranscript(join(recording.projectsDir, request.file))
    const difference = compareEntries(request.sent, liveBefore(request), transcript)
    return isSame(difference) ? [] : [{ ...request, ...difference }]
  })
}

/** The entries of a transcript by uuid. */
type Transcript = ReadonlyMap<string, { readonly row: number; readonly entry: Json }>

function readTranscript(path: string): Transcript {
  const entries = new Map<string, { row: number; entry: Json }>()
  for (const [i, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    const entry = parseJson(text)
    if (typeof entry?.uuid === 'string') entries.set(entry.uuid, { row: i + 1, entry })
  }
  return entries
}

/** The results of the calls of a reply that broke off. */
function resultsOf(replies: readonly string[], transcript: Transcript): readonly string[] {
  const calls = new Set(replies.flatMap(uuid => toolIds(uuid, transcript, 'tool_use')))
  return [...transcript.keys()].filter(uuid =>
    toolIds(uuid, transcript, 'tool_result').some(id => calls.has(id)),
  )
}

function readRequest(
  { n, kind, at, in: carried, reply }: Json,
  before: readonly Json[],
): RecordedRequest | null {
  const [, file, row, entry = ''] = /^(.*):(\d+) (\S+)$/.exec(repliesOf(reply)[0] ?? '') ?? []
  const only = Array.isArray(carried) && carried.length === 1 && isJson(carried[0]) ? carried[0] : null
  if (kind !== 'main' || file === undefined || only?.file !== file) return null
  const same = before.filter(other => JSON.stringify(other.at) === JSON.stringify(at))
  const brokenOff = same.flatMap(other => repliesOf(other.reply).map(text => text.split(' ')[1] ?? ''))
  const sent = sentBefore(Number(row), only.entries)
  return { n: Number(n), file, row: Number(row), reply: entry, sent, brokenOff }
}

/** The entries of a reply, each as `file:row uuid`. */
function repliesOf(reply: unknown): readonly string[] {
  return isJson(reply) && Array.isArray(reply.entries) ? reply.entries.map(String) : []
}

/** Entries are listed as `row type uuid`. */
function sentBefore(row: number, entries: unknown): readonly string[] {
  if (!Array.isArray(entries)) return []
  const listed = entries.map(entry => String(entry).split(' '))
  const before = listed.filter(([at, type]) => type !== 'attachment' && Number(at) < row)
  return before.map(([, , uuid = '']) => uuid)
}

/** A subagent that stands in its session's transcript (1.x): its requests are not those of the session. */
function isInlineAgent({ file, sent }: RecordedRequest, transcript: Transcript): boolean {
  if (basename(file).startsWith('agent-')) return false
  return sent.some(uuid => transcript.get(uuid)?.entry.isSidechain === true)
}

function isSame({ missing, extra, order }: Difference): boolean {
  return missing.length + extra.length + order.length === 0
}

function compareEntries(
  uuids: readonly string[],
  live: readonly string[],
  transcript: Transcript,
): Difference {
  const sent = byBlock(uuids, transcript)
  const got = byBlock(live, transcript)
  const without = (list: readonly string[], other: Blocks): string[] =>
    list.filter(uuid => !contentsOf(uuid, transcript).every(content => other.has(content)))
  const orders = [sequence(uuids, sent, got, transcript), sequence(live, sent, got, transcript)]
  return {
    missing: without(uuids, got),
    extra: without(live, sent),
    order: orders[0]?.join() === orders[1]?.join() ? [] : orders,
  }
}

/** The entries that hold each block: a release may write a message again with one entry for each of its blocks. */
type Blocks = ReadonlyMap<string, readonly string[]>

function byBlock(uuids: readonly string[], transcript: Transcript): Blocks {
  const blocks = new Map<string, string[]>()
  for (const uuid of uuids)
    for (const content of contentsOf(uuid, transcript))
      blocks.set(content, [...(blocks.get(content) ?? []), uuid])
  return blocks
}

/** The blocks of an entry; a text by itself is the same as a block of text. Calls and results are known by their id. */
function contentsOf(uuid: string, transcript: Transcript): readonly string[] {
  const entry = transcript.get(uuid)?.entry
  if (entry === undefined) return [uuid]
  const content = isJson(entry.message) ? entry.message.content : entry
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return (Array.isArray(blocks) ? blocks : [blocks]).map(block => {
    const id = isJson(block) ? (block.tool_use_id ?? (block.type === 'tool_use' ? block.id : null)) : null
    return `${entry.type}${typeof id === 'string' ? id : JSON.stringify(block)}`
  })
}

/**
 * The entries of a list that both lists have, without those whose content stands in several. The CLI sends text and thinking of a
 * message before its calls wherever they stood, so the parts of one message are put in the order of rows.
 */
function sequence(
  list: readonly string[],
  sent: Blocks,
  got: Blocks,
  transcript: Transcript,
): readonly string[] {
  const isOnce = (content: string): boolean =>
    sent.get(content)?.length === 1 && sent.get(content)?.[0] === got.get(content)?.join()
  const uuids = list.filter(uuid => contentsOf(uuid, transcript).every(isOnce))
  const sorted: string[] = []
  for (let from = 0, to = 1; from < uuids.length; from = to++) {
    const message = messageOf(uuids[from], transcript)
    while (message !== null && to < uuids.length && messageOf(uuids[to], transcript) === message) to++
    const parts = uuids.slice(from, to)
    sorted.push(...parts.sort((x, y) => (transcript.get(x)?.row ?? 0) - (transcript.get(y)?.row ?? 0)))
  }
  return sorted
}

function messageOf(uuid: string | undefined, transcript: Transcript): string | null {
  const message = transcript.get(uuid ?? '')?.entry.message
  return isJson(message) && typeof message.id === 'string' ? message.id : null
}

/**
 * Whether a release hangs the results of parallel calls each on its own call, and yet walks parents alone when it resumes
 * a session. 2.0.x writes them as one line; 2.1.90 puts what hangs beside the chain back in.
 */
function isForgetful(version: string): boolean {
  const [major, minor, patch = 0] = version.split('.').map(Number)
  return major === 2 && minor === 1 && patch < 90
}

/** Whether a release may go on from another session's file, which it does not read when it loads the one that goes on. */
const readsOneFile = (version: string): boolean => /^[01]\.|^2\.0\./.test(version)

/**
 * Whether a release itself forgot these entries, so that no reader of the file can give the recorded request. A resume by
 * an old release walks parents alone: parts beside the chain, calls whose results hang beside it, and those results are
 * not sent again, nor is a message of which only thinking is left; 1.x and 2.0.x load one file. `end` is the last entry of the
 * conversation.
 */
export function isForgotten(
  { dir, version, projectsDir }: Recording,
  file: string,
  end: string,
  extra: readonly string[],
): boolean {
  if (extra.length === 0 || !(isForgetful(version) || readsOneFile(version))) return false
  if (!/ --(resume|continue)\b/.test(readFileSync(join(dir, 'note.md'), 'utf8'))) return false
  const transcript = readTranscript(join(projectsDir, file))
  if (readsOneFile(version)) return extra.every(uuid => !transcript.has(uuid))
  const chain = chainOf(end, transcript)
  const messages = new Set(chain.map(uuid => messageOf(uuid, transcript)))
  const parts = [...transcript.keys()].filter(uuid => isPartOf(uuid, transcript, messages))
  const calls = new Set(parts.flatMap(uuid => toolIds(uuid, transcript, 'tool_use')))
  const kept = loadedByParents(chain, transcript)
  const isKnown = (uuid: string): boolean =>
    isPartOf(uuid, transcript, messages) || toolIds(uuid, transcript, 'tool_result').some(id => calls.has(id))
  return extra.every(uuid => isKnown(uuid) && !kept.has(uuid))
}

function isPartOf(uuid: string, transcript: Transcript, messages: ReadonlySet<string | null>): boolean {
  const message = messageOf(uuid, transcript)
  return message !== null && messages.has(message)
}

/** What is left of a chain: no call without its result, no message of thinking only. */
function loadedByParents(chain: readonly string[], transcript: Transcript): ReadonlySet<string> {
  const answered = new Set(chain.flatMap(uuid => toolIds(uuid, transcript, 'tool_result')))
  const kept = chain.filter(uuid => toolIds(uuid, transcript, 'tool_use').every(id => answered.has(id)))
  const spoken = kept.filter(uuid => !isThinking(uuid, transcript))
  const messages = new Set(spoken.map(uuid => messageOf(uuid, transcript)))
  return new Set(kept.filter(uuid => !isThinking(uuid, transcript) || isPartOf(uuid, transcript, messages)))
}

function chainOf(end: string, transcript: Transcript): readonly string[] {
  const chain = new Set<string>()
  for (let uuid: unknown = end; typeof uuid === 'string' && !chain.has(uuid); ) {
    chain.add(uuid)
    uuid = transcript.get(uuid)?.entry.parentUuid
  }
  return [...chain]
}

function blocksOf(uuid: string, transcript: Transcript): readonly Json[] {
  const message = transcript.get(uuid)?.entry.message
  return isJson(message) && Array.isArray(message.content) ? message.content.filter(isJson) : []
}

function isThinking(uuid: string, transcript: Transcript): boolean {
  const blocks = blocksOf(uuid, transcript)
  return blocks.length > 0 && blocks.every(({ type }) => type === 'thinking' || type === 'redacted_thinking')
}

/** The tool ids of an entry's calls, or of its results. */
function toolIds(uuid: string, transcript: Transcript, type: 'tool_use' | 'tool_result'): readonly string[] {
  const found = blocksOf(uuid, transcript).filter(block => block.type === type)
  return found.map(block => String(type === 'tool_use' ? block.id : block.tool_use_id))
}
