/** Verdicts in SQLite. Only what changed is written: a row that was appended leaves the verdicts on others as they were. */
import type { Database, Row } from './driver.js'
import {
  type FileVerdicts,
  isUndelivered,
  type Judgement,
  type KnownLine,
  type SessionFact,
} from './index-store.js'
import { nodeId } from './schema.js'
import { dropAnswers } from './sqlite-answers.js'

/** Stores the verdict on a file group in place of the previous one. */
export function saveJudgement(db: Database, judgement: Judgement): void {
  const { files, root } = judgement
  const group = Math.min(...files)
  const before = [...new Set([group, ...judgement.before])]
  const lines = saveLines(db, group, before, judgement.lines)
  for (const verdicts of judgement.verdicts) saveVerdicts(db, verdicts, lines)
  saveSessions(db, group, before, judgement.sessions)
  for (const old of before) if (old !== group) dropGroup(db, old)
  saveGroup(db, group, root, judgement)
  const join = db.prepare('UPDATE file SET file_group = ? WHERE id = ? AND file_group IS NOT ?')
  for (const file of files) join.run(group, file, group)
}

/** Removes verdicts on groups that no longer exist. */
export function sweepGroups(db: Database): void {
  const inUse = 'SELECT file_group FROM file WHERE file_group IS NOT NULL'
  const gone = db.prepare(`SELECT DISTINCT file_group FROM answer WHERE file_group NOT IN (${inUse})`).all()
  for (const { file_group } of gone) dropAnswers(db, Number(file_group))
  for (const table of ['line', 'session', 'undelivered'])
    db.exec(`DELETE FROM ${table} WHERE file_group NOT IN (${inUse})`)
  db.exec(`DELETE FROM file_group WHERE id NOT IN (${inUse})`)
}

/** The rows of some groups by their names. Two groups that are now one may both have a name: all but one are dropped. */
function inGroups(db: Database, table: 'line' | 'session', groups: readonly number[]): Map<string, Row> {
  const find = db.prepare(`SELECT rowid AS place, * FROM ${table} WHERE file_group = ?`)
  const drop = db.prepare(`DELETE FROM ${table} WHERE rowid = ?`)
  const known = new Map<string, Row>()
  for (const row of groups.flatMap(group => find.all(group))) {
    const name = String(row[table === 'line' ? 'name' : 'id'])
    if (known.has(name)) drop.run(Number(row['place']))
    else known.set(name, row)
  }
  return known
}

/** The columns of a line. */
export const LINE_CELLS = [
  'name',
  'kind',
  'status',
  'session',
  'agent',
  'agent_name',
  'branch',
  'branch_status',
] as const
const LINE_COLUMNS = `file_group, ${LINE_CELLS.join(', ')}`

/** The cells of a line, in the order of its columns. */
export function lineCells(line: KnownLine): readonly (string | null)[] {
  const { name, kind, status, session, agent, agentName, branch, branchStatus } = line
  return [name, kind, status, session, agent, agentName, branch, branchStatus]
}

/** Lines keep their numbers, because verdicts name them. Gives the number of each line of the judgement. */
function saveLines(
  db: Database,
  group: number,
  before: readonly number[],
  lines: readonly KnownLine[],
): readonly number[] {
  const known = inGroups(db, 'line', before)
  const add = db.prepare(`INSERT INTO line (${LINE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const change = db.prepare(`UPDATE line SET (${LINE_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`)
  const ids = lines.map(line => {
    const old = known.get(line.name)
    const cells = lineCells(line)
    known.delete(line.name)
    if (old === undefined) return add.insert(group, ...cells)
    const isSame = old['file_group'] === group && LINE_CELLS.every((name, at) => old[name] === cells[at])
    if (!isSame) change.run(group, ...cells, Number(old['id']))
    return Number(old['id'])
  })
  for (const gone of known.values()) db.prepare('DELETE FROM line WHERE id = ?').run(Number(gone['id']))
  return ids
}

/** The verdict on some nodes that follow each other. */
export type Run = readonly [
  first: number,
  last: number,
  owner: number,
  line: number | null,
  live: number,
  compacted: number,
]

function saveVerdicts(db: Database, verdicts: FileVerdicts, lines: readonly number[]): void {
  const known = new Map(runsIn(db, verdicts.file).map(row => [Number(row['first']), row]))
  const save = db.prepare(
    'INSERT OR REPLACE INTO verdict (first, last, owner, line, live, compacted) VALUES (?, ?, ?, ?, ?, ?)',
  )
  for (const run of runsOf(verdicts, lines)) {
    if (!isSameRun(known.get(run[0]), run)) save.run(...run)
    known.delete(run[0])
  }
  const drop = db.prepare('DELETE FROM verdict WHERE first = ?')
  for (const first of known.keys()) drop.run(first)
}

function runsIn(db: Database, file: number): readonly Row[] {
  const find = db.prepare('SELECT * FROM verdict WHERE first >= ? AND first < ?')
  return find.all(nodeId(file, 0), nodeId(file + 1, 0))
}

/** The verdicts on the entries of a file, as runs; `lines` are the numbers of the lines of the judgement. */
export function runsOf(
  { file, owner, line, live, compacted }: FileVerdicts,
  lines: readonly number[],
): readonly Run[] {
  const runs: Run[] = []
  let start = 0
  for (let nth = 1; nth <= owner.length; nth++) {
    const goesOn =
      nth < owner.length &&
      line[nth] === line[start] &&
      live[nth] === live[start] &&
      compacted[nth] === compacted[start] &&
      (owner[nth] ?? 0) - (owner[start] ?? 0) === nth - start
    if (goesOn) continue
    const [first, last] = [nodeId(file, start), nodeId(file, nth - 1)]
    const at = lines[line[start] ?? -1] ?? null
    runs.push([first, last, owner[start] ?? first, at, live[start] ?? 0, compacted[start] ?? 0])
    start = nth
  }
  return runs
}

/** Whether a run is stored as it is. */
export function isSameRun(row: Row | undefined, [, last, owner, line, live, compacted]: Run): boolean {
  return (
    row !== undefined &&
    row['last'] === last &&
    row['owner'] === owner &&
    row['line'] === line &&
    row['live'] === live &&
    row['compacted'] === compacted
  )
}

function saveSessions(
  db: Database,
  group: number,
  before: readonly number[],
  sessions: readonly SessionFact[],
): void {
  const known = inGroups(db, 'session', before)
  const add = db.prepare(
    'INSERT INTO session (id, file_group, project, last, figures) VALUES (?, ?, ?, ?, ?)',
  )
  const drop = db.prepare('DELETE FROM session WHERE rowid = ?')
  for (const session of sessions) {
    const figures = JSON.stringify(session)
    const old = known.get(session.session)
    const isSame = old?.['figures'] === figures && old['file_group'] === group
    if (isSame) known.delete(session.session)
    else add.run(session.session, group, session.project, session.last, figures)
  }
  for (const gone of known.values()) drop.run(Number(gone['place']))
}

/** What is kept of a group, as JSON. */
export const GROUP_CELLS = ['queue', 'diagnostics', 'agents', 'branches'] as const

function saveGroup(db: Database, group: number, root: number, judgement: Judgement): void {
  const cells = GROUP_CELLS.map(name => JSON.stringify(judgement[name]))
  const old = db.prepare(`SELECT root, ${GROUP_CELLS.join(', ')} FROM file_group WHERE id = ?`).get(group)
  if (old?.['root'] === root && GROUP_CELLS.every((name, at) => old[name] === cells[at])) return
  dropGroup(db, group)
  const columns = `id, root, ${GROUP_CELLS.join(', ')}`
  db.prepare(`INSERT INTO file_group (${columns}) VALUES (?, ?, ?, ?, ?, ?)`).run(group, root, ...cells)
  const add = db.prepare('INSERT OR REPLACE INTO undelivered (file, row, file_group) VALUES (?, ?, ?)')
  for (const { file, row, became } of judgement.queue) if (isUndelivered(became)) add.run(file, row, group)
}

function dropGroup(db: Database, group: number): void {
  db.prepare('DELETE FROM file_group WHERE id = ?').run(group)
  db.prepare('DELETE FROM undelivered WHERE file_group = ?').run(group)
}
