/** X15: the calls that name a file, read side by side with the verdicts on them, as usage is (sqlite-usage.ts). */
import type { Database, Row } from './driver.js'
import type { TouchFact } from './index-store.js'
import { nodeId } from './schema.js'
import { filesIn, filesOfGroup, lineReader, verdictsIn } from './sqlite-usage.js'

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
  const lineAt = lineReader(db)
  const touched = db.prepare(TOUCHED)
  return files.flatMap(file => {
    const id = Number(file['id'])
    const rows = touched.all(nodeId(id, 0), nodeId(id + 1, 0))
    if (rows.length === 0) return []
    const verdictOn = verdictsIn(db, id)
    return rows.flatMap(row => {
      const verdict = verdictOn(Number(row['node']))
      const isOwn = verdict === undefined || verdict['owner'] === verdict['first']
      return isOwn ? [touchOf(row, file, lineAt(Number(verdict?.['line'] ?? -1)))] : []
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
