/**
 * T3, X4: what every message cost, from the index. Messages and verdicts both stand in the order of nodes, so they are
 * read side by side: no look-up for each of a hundred thousand rows.
 */
import type { LineStatus } from '@dagline/core'
import { type MessageUsage, mergeRows, mergeUsage, type UsageRow } from '@dagline/core/measure'
import type { Database, Row, Value } from './driver.js'
import { knownName, nodeId } from './schema.js'

/** The files of some roots, or of all, in the order of their nodes. */
export function filesIn(db: Database, roots: readonly number[] | undefined): readonly Row[] {
  const files = db.prepare('SELECT id, root, project, session FROM file ORDER BY id').all()
  return files.filter(({ root }) => roots === undefined || roots.includes(Number(root)))
}

/** The files of a group, in the order of their nodes. */
export function filesOfGroup(db: Database, group: number): readonly Row[] {
  return db.prepare('SELECT id, project, session FROM file WHERE file_group = ? ORDER BY id').all(group)
}

/** Whose a message is. */
type Owner = Pick<UsageRow, 'project' | 'session' | 'agent' | 'agentId' | 'line' | 'status'>

/** What usage is read from, file by file, in the order of nodes. */
export interface UsageSource {
  /** The parts of messages of a file: `node`, `id`, `version`, `time`, `usage`. */
  readonly parts: (file: number) => readonly Row[]
  /** The verdicts on the nodes of a file: `first`, `last`, `owner`, `line`. */
  readonly runs: (file: number) => readonly Row[]
  readonly line: (id: number) => Row | undefined
}

/** Each message once, however many parts, files and roots say it. */
export function readUsage(db: Database, roots: readonly number[] | undefined): readonly UsageRow[] {
  return usageOf(sourceIn(db), filesIn(db, roots))
}

/** The same for the files of a group. */
export function readGroupUsage(db: Database, group: number): readonly UsageRow[] {
  return usageOf(sourceIn(db), filesOfGroup(db, group))
}

function sourceIn(db: Database): UsageSource {
  const parts = db.prepare(
    'SELECT node, id, version, time, usage FROM message WHERE node >= ? AND node < ? ORDER BY node',
  )
  return {
    parts: file => parts.all(nodeId(file, 0), nodeId(file + 1, 0)),
    runs: file => runsIn(db, file),
    line: lineReader(db),
  }
}

/** Each message of some files once. Files are rows with `id`, `project` and `session`, in the order of their numbers. */
export function usageOf(source: UsageSource, files: readonly Row[]): readonly UsageRow[] {
  const messages = new Map<string, Known>()
  for (const file of files) {
    const id = Number(file['id'])
    const rows = source.parts(id)
    if (rows.length === 0) continue
    const ownerAt = ownersIn(source, file)
    for (const row of rows) addPart(messages, row, ownerAt(Number(row['node'])))
  }
  return [...messages.values()].map(({ usage }) => usage)
}

/** T3: the messages of some files, without whose they are. */
export function readMessages(db: Database, files: readonly number[]): readonly MessageUsage[] {
  return messagesOf(sourceIn(db), files)
}

/** The same from any source. */
export function messagesOf(
  { parts }: Pick<UsageSource, 'parts'>,
  files: readonly number[],
): readonly MessageUsage[] {
  const messages = new Map<string, { usage: MessageUsage; part: Value | undefined }>()
  for (const file of files) {
    for (const { id, time, usage: part } of parts(file)) {
      const message = String(id)
      const known = messages.get(message)
      // Nearly every further part says the same, later: nothing to join.
      if (known !== undefined && known.part === part && isLater(time, known.usage.time)) continue
      const usage = { ...JSON.parse(String(part)), message, time: time == null ? null : Number(time) }
      messages.set(message, { usage: known === undefined ? usage : mergeUsage(known.usage, usage), part })
    }
  }
  return [...messages.values()].map(({ usage }) => usage)
}

function isLater(time: Value | undefined, than: number | null): boolean {
  return time != null && than !== null && Number(time) >= than
}

/** A message as far as it was read, and the part that was read last. */
interface Known {
  usage: UsageRow
  part: Value | undefined
  owner: Owner
}

function addPart(messages: Map<string, Known>, row: Row, owner: Owner): void {
  const id = String(row['id'])
  const known = messages.get(id)
  // Nearly every further part says the same, later: nothing to join.
  const time = row['time'] ?? null
  const isSame = known !== undefined && known.part === row['usage'] && known.owner === owner
  if (isSame && time !== null && known.usage.time !== null && Number(time) >= known.usage.time) return
  const usage: UsageRow = {
    ...JSON.parse(String(row['usage'])),
    ...owner,
    message: id,
    time: time === null ? null : Number(time),
    version: row['version'] == null ? null : String(row['version']),
  }
  if (known === undefined) messages.set(id, { usage, part: row['usage'], owner })
  else Object.assign(known, { usage: mergeRows(known.usage, usage), part: row['usage'], owner })
}

/** Finds lines, each once. */
export function lineReader(db: Database): UsageSource['line'] {
  const find = db.prepare('SELECT session, agent, agent_name, branch, branch_status FROM line WHERE id = ?')
  const known = new Map<number, Row | undefined>()
  return line => {
    if (!known.has(line)) known.set(line, find.get(line))
    return known.get(line)
  }
}

/** The verdicts on the nodes of a file. */
export function runsIn(db: Database, file: number): readonly Row[] {
  return db
    .prepare('SELECT first, last, owner, line FROM verdict WHERE first >= ? AND first < ? ORDER BY first')
    .all(nodeId(file, 0), nodeId(file + 1, 0))
}

/** Gives the verdict on nodes, which are asked for in ascending order; undefined where there is none. */
export function verdictsOf(runs: readonly Row[]): (node: number) => Row | undefined {
  let at = 0
  return node => {
    while (Number(runs[at]?.['last'] ?? Number.POSITIVE_INFINITY) < node) at++
    const run = runs[at]
    return run !== undefined && Number(run['first']) <= node ? run : undefined
  }
}

/** Asks for the owner of the nodes of a file, in ascending order. */
function ownersIn({ runs, line: lineAt }: UsageSource, file: Row): (node: number) => Owner {
  const verdictOn = verdictsOf(runs(Number(file['id'])))
  const known = new Map<number, Owner>()
  return node => {
    const line = Number(verdictOn(node)?.['line'] ?? -1)
    const owner = known.get(line) ?? ownerOf(file, lineAt(line))
    known.set(line, owner)
    return owner
  }
}

const STATUSES: readonly LineStatus[] = ['live', 'abandoned', 'taken-back', 'retry', 'copy']

/** The status in a cell. */
export function lineStatus(value: Value | undefined): LineStatus {
  return knownName(STATUSES, value)
}

function ownerOf(file: Row, line: Row | undefined): Owner {
  const session = String(line?.['session'] ?? file['session'] ?? '')
  return {
    project: String(file['project']),
    session,
    agent: line?.['agent_name'] == null ? null : String(line['agent_name']),
    agentId: line?.['agent'] == null ? null : String(line['agent']),
    line: String(line?.['branch'] ?? file['session'] ?? ''),
    status: line === undefined ? 'live' : lineStatus(line['branch_status']),
  }
}
