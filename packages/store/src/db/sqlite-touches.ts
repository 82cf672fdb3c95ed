/** X15: the calls that name a file, read side by side with the verdicts on them, as usage is (sqlite-usage.ts). */
import type { Database, Row } from './driver.js'
import type { TouchFact } from './index-store.js'
import { nodeId } from './schema.js'
import { filesIn, filesOfGroup, lineReader, runsIn, type UsageSource, verdictsOf } from './sqlite-usage.js'

/** A message has the time; all entries with calls have one. */
const TOUCHED = `SELECT node, (SELECT uuid FROM node n WHERE n.id = x.node) AS uuid, path, tool,
  (SELECT max(time) FROM message m WHERE m.node = x.node) AS time
  FROM touched x WHERE node >= ? AND node < ? ORDER BY node, path, tool`

/** Each call once: a copy of an entry in another file does not count. */
export function readTouches(db: Database, roots: readonly number[] | undefined): readonly TouchFact[] {
  return touchesIn(db, filesIn(db, roots))
}

/** The same for the files of a group. */
export function readGroupTouches(db: Database, group: number): readonly TouchFact[] {
  return touchesIn(db, filesOfGroup(db, group))
}

function touchesIn(db: Database, files: readonly Row[]): readonly TouchFact[] {
  const touched = db.prepare(TOUCHED)
  const source: TouchSource = {
    touched: file => touched.all(nodeId(file, 0), nodeId(file + 1, 0)),
    runs: file => runsIn(db, file),
    line: lineReader(db),
  }
  return touchesOf(source, files)
}

/** What calls that name files are read from: `node`, `uuid`, `path`, `tool`, `time` of each, in the order of nodes. */
export interface TouchSource extends Pick<UsageSource, 'runs' | 'line'> {
  readonly touched: (file: number) => readonly Row[]
}

/** The calls of some files that name a file. Files are rows with `id`, `project` and `session`. */
export function touchesOf(source: TouchSource, files: readonly Row[]): readonly TouchFact[] {
  return files.flatMap(file => {
    const id = Number(file['id'])
    const rows = source.touched(id)
    if (rows.length === 0) return []
    const verdictOn = verdictsOf(source.runs(id))
    return rows.flatMap(row => {
      const verdict = verdictOn(Number(row['node']))
      const isOwn = verdict === undefined || verdict['owner'] === verdict['first']
      return isOwn ? [touchOf(row, file, source.line(Number(verdict?.['line'] ?? -1)))] : []
    })
  })
}

function touchOf(row: Row, file: Row, line: Row | undefined): TouchFact {
  return {
    path: String(row['path']),
    tool: String(row['tool']),
    node: String(row['uuid']),
    project: String(file['project']),
    session: String(line?.['session'] ?? file['session'] ?? ''),
    agentId: line?.['agent'] == null ? null : String(line['agent']),
    time: row['time'] == null ? null : Number(row['time']),
  }
}
