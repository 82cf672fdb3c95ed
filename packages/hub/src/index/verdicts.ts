/** Verdicts in PostgreSQL. Only what changed is written: a row that was appended leaves the verdicts on others as they were. */
import {
  GROUP_CELLS,
  isSameRun,
  isUndelivered,
  type Judgement,
  LINE_CELLS,
  lineCells,
  nodeId,
  type Row,
  type Run,
  runsOf,
} from '@dagline/store'
import { dropAnswers } from './answers.js'
import { keepable, keepableTime } from './cells.js'
import { type GroupAudiences, groupAudiences } from './group-audiences.js'
import type { Known } from './known.js'
import type { PgSession } from './session.js'

interface Saving {
  readonly pg: PgSession
  readonly group: number
  /** The groups that these files were in, the new one among them. */
  readonly before: readonly number[]
  readonly audiences: GroupAudiences
  readonly judgement: Judgement
  /** Nothing is known of these files: nothing is looked up. */
  readonly isNew: boolean
}

/** Stores the verdict on a file group in place of the previous one. */
export function saveJudgement(pg: PgSession, known: Known, judgement: Judgement): void {
  const { files, root } = judgement
  known.roots.add(root)
  const group = Math.min(...files)
  const saving: Saving = {
    pg,
    group,
    before: [...new Set([group, ...judgement.before])],
    audiences: groupAudiences(known, files),
    judgement,
    isNew: judgement.before.length === 0 && known.areFresh(files),
  }
  const lines = saveLines(saving)
  saveVerdicts(saving, lines, known)
  saveSessions(saving)
  saveGroup(saving)
  pg.setGroup(files, group)
  known.setJudged(files)
}

/** Lines keep their numbers, because verdicts name them. Gives the number of each line of the judgement. */
function saveLines({ pg, group, before, audiences, judgement, isNew }: Saving): readonly number[] {
  const rows = isNew ? [] : inGroups(pg, 'index_line', before)
  const known = new Map(rows.map(row => [String(row['name']), row]))
  const kept = new Set<number>()
  const changed: (() => void)[] = []
  const ids = judgement.lines.map(line => {
    const old = known.get(line.name)
    const cells = lineCells(line).map(cell => (cell === null ? null : keepable(cell)))
    const audience = audiences.ofSession(line.session)
    const isSame =
      old?.['file_group'] === group &&
      old['audience'] === audience &&
      LINE_CELLS.every((name, at) => old[name] === lineCells(line)[at])
    const id = old === undefined ? pg.nextId('line') : Number(old['id'])
    if (isSame) kept.add(id)
    else changed.push(() => pg.add('index_line', [audience, id, group, ...cells]))
    return id
  })
  const gone = rows.map(({ id }) => Number(id)).filter(id => !kept.has(id))
  if (gone.length > 0)
    pg.change('DELETE FROM index_line WHERE tenant = $1 AND id = ANY ($2)', [pg.tenant, gone])
  for (const add of changed) add()
  return ids
}

function inGroups(
  pg: PgSession,
  table: 'index_line' | 'index_session' | 'index_group',
  groups: readonly number[],
): readonly Row[] {
  const column = table === 'index_group' ? 'id' : 'file_group'
  return pg.read(`SELECT * FROM ${table} WHERE tenant = $1 AND ${column} = ANY ($2)`, [pg.tenant, groups])
}

function saveVerdicts({ pg, judgement, isNew }: Saving, lines: readonly number[], known: Known): void {
  for (const verdicts of judgement.verdicts) {
    const { file } = verdicts
    const old = new Map((isNew ? [] : runsIn(pg, file)).map(row => [Number(row['first']), row]))
    const { audience } = known.of(file)
    const changed: Run[] = []
    for (const run of runsOf(verdicts, lines)) {
      if (isSameRun(old.get(run[0]), run)) old.delete(run[0])
      else changed.push(run)
    }
    const gone = [...old.keys()]
    if (gone.length > 0)
      pg.change('DELETE FROM index_verdict WHERE tenant = $1 AND first = ANY ($2)', [pg.tenant, gone])
    for (const run of changed) pg.add('index_verdict', [audience, ...run])
  }
}

function runsIn(pg: PgSession, file: number): readonly Row[] {
  const sql = 'SELECT * FROM index_verdict WHERE tenant = $1 AND first >= $2 AND first < $3'
  return pg.read(sql, [pg.tenant, nodeId(file, 0), nodeId(file + 1, 0)])
}

function saveSessions({ pg, group, before, audiences, judgement, isNew }: Saving): void {
  const old = isNew ? [] : inGroups(pg, 'index_session', before)
  const rows = judgement.sessions.map(session => ({
    audience: audiences.ofSession(session.session),
    session,
    figures: JSON.stringify(session),
  }))
  const sameAs = new Set(old.map(row => `${row['audience']} ${row['file_group']} ${row['figures']}`))
  const isSame =
    old.length === rows.length &&
    rows.every(({ audience, figures }) => sameAs.has(`${audience} ${group} ${figures}`))
  if (isSame) return
  if (old.length > 0)
    pg.change('DELETE FROM index_session WHERE tenant = $1 AND file_group = ANY ($2)', [pg.tenant, before])
  for (const { audience, session, figures } of rows) {
    const names = [keepable(session.session), keepable(session.project)]
    pg.add('index_session', [audience, judgement.root, group, ...names, keepableTime(session.last), figures])
  }
}

function saveGroup({ pg, group, before, audiences, judgement, isNew }: Saving): void {
  const rows = audiences.all.map(audience => ({
    audience,
    cells: GROUP_CELLS.map(name => JSON.stringify(audiences.part(judgement[name], audience))),
  }))
  const old = isNew ? [] : inGroups(pg, 'index_group', before)
  const isSame =
    old.length === rows.length &&
    rows.every(({ audience, cells }) =>
      old.some(
        row =>
          row['id'] === group &&
          row['root'] === judgement.root &&
          row['audience'] === audience &&
          GROUP_CELLS.every((name, at) => row[name] === cells[at]),
      ),
    )
  if (isSame) return
  if (!isNew) dropGroups(pg, before)
  for (const { audience, cells } of rows) pg.add('index_group', [audience, group, judgement.root, ...cells])
  const undelivered = new Map(
    judgement.queue
      .filter(({ became }) => isUndelivered(became))
      .map(step => [`${step.file} ${step.row}`, step]),
  )
  for (const { file, row } of undelivered.values())
    pg.add('index_undelivered', [audiences.ofFile(file), file, row, group])
}

function dropGroups(pg: PgSession, groups: readonly number[]): void {
  pg.change('DELETE FROM index_group WHERE tenant = $1 AND id = ANY ($2)', [pg.tenant, groups])
  pg.change('DELETE FROM index_undelivered WHERE tenant = $1 AND file_group = ANY ($2)', [pg.tenant, groups])
}

/** Removes verdicts on groups of some roots that no file is in. */
export function sweepGroups(pg: PgSession, roots: readonly number[]): void {
  const sql = `SELECT DISTINCT g.id FROM index_group g WHERE g.tenant = $1 AND g.root = ANY ($2)
    AND NOT EXISTS (SELECT 1 FROM index_file f WHERE f.tenant = $1 AND f.file_group = g.id)`
  const gone = pg.read(sql, [pg.tenant, roots]).map(({ id }) => Number(id))
  if (gone.length === 0) return
  for (const group of gone) dropAnswers(pg, group)
  for (const table of ['index_line', 'index_session'])
    pg.change(`DELETE FROM ${table} WHERE tenant = $1 AND file_group = ANY ($2)`, [pg.tenant, gone])
  dropGroups(pg, gone)
}
