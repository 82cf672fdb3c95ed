/** `/api/health`: what is odd, what will be deleted soon, and what nobody knows. */
import { existsSync } from 'node:fs'
import { type Diagnostic, type HealthKind, type HealthPage, helpFor, type SweptCard } from '@dagline/core'
import {
  type ArchivedFile,
  archivePath,
  type KnownFile,
  openArchive,
  type SessionFact,
  StoreFailure,
  sweepDays,
} from '@dagline/store'
import type { Hono } from 'hono'
import type { ServerContext } from '../context.js'
import { reply } from '../reply.js'
import { type FamilyFacts, surveyOf, type UnknownType } from '../survey.js'
import { sessionName } from './names.js'

/** What depends on the index alone, and is kept until it changes. */
interface IndexHealth {
  readonly from: readonly SessionFact[]
  readonly kinds: readonly HealthKind[]
  readonly files: readonly (KnownFile & { readonly root: string })[]
}

/** Adds the page of health. `archive` is the archive's file. */
export function healthRoutes(app: Hono, context: ServerContext, archive: string = archivePath()): void {
  const look = surveyOf(context)
  let known: IndexHealth | null = null
  app.get('/api/health', c => {
    const sessions = context.sessions()
    if (known === null || known.from !== sessions) known = readIndex(context, sessions)
    const { survey, families } = look()
    const page: HealthPage = {
      kinds: known.kinds,
      sessions: sessions.length,
      troubled: sessions.filter(({ problems }) => problems > 0).length,
      ...sweptOf(context, known.files, archive),
      unknownTypes: unknownIn(families),
      survey,
    }
    return reply(c, page)
  })
}

function readIndex(context: ServerContext, sessions: readonly SessionFact[]): IndexHealth {
  const index = context.index()
  const files = context.roots.flatMap(root => {
    const id = index.findRoot(root)
    return id === null ? [] : index.files(id).map(file => ({ ...file, root }))
  })
  const sessionOf = new Map(files.map(({ path, facts }) => [path, facts.session]))
  const kinds = kindsOf(index.findings(context.rootIds()), sessionOf, sessions)
  return { from: sessions, kinds, files }
}

const SEVERITIES: readonly Diagnostic['severity'][] = ['error', 'warning', 'info']
const MOST_SAMPLES = 20

type SessionOf = ReadonlyMap<string, string | null>

function kindsOf(
  findings: readonly Diagnostic[],
  sessionOf: SessionOf,
  sessions: readonly SessionFact[],
): readonly HealthKind[] {
  const ages = new Map(sessions.map(({ session }, place) => [session, place]))
  const facts = new Map(sessions.map(fact => [fact.session, fact]))
  const age = ({ file }: Diagnostic): number => ages.get(sessionOf.get(file) ?? '') ?? sessions.length
  const groups = new Map<string, Diagnostic[]>()
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.severity}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  return [...groups.values()]
    .map(group =>
      kindOf(
        group.sort((a, b) => age(a) - age(b)),
        sessionOf,
        facts,
      ),
    )
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.count - a.count)
}

function kindOf(
  group: readonly Diagnostic[],
  sessionOf: SessionOf,
  facts: ReadonlyMap<string, SessionFact>,
): HealthKind {
  const { rule, severity } = group[0] ?? { rule: '', severity: 'info' as const }
  return {
    rule,
    severity,
    count: group.length,
    sessions: new Set(group.map(({ file }) => sessionOf.get(file) ?? file)).size,
    ...helpFor(rule),
    samples: group.slice(0, MOST_SAMPLES).map(({ file, row, node, message }) => {
      const fact = facts.get(sessionOf.get(file) ?? '')
      const session = fact?.session ?? null
      return { session, title: sessionName(fact), node, file, row, message }
    }),
  }
}

const DAY = 24 * 60 * 60 * 1000
const AHEAD = 7
const MOST_SWEPT = 100

type Swept = Pick<HealthPage, 'swept' | 'sweptCount' | 'sweptKept' | 'sweepDays' | 'sweepAhead'>

/** K9: by the times that files had when they were read last. */
function sweptOf(context: ServerContext, files: IndexHealth['files'], archive: string): Swept {
  const periods = new Map(context.isSample ? [] : context.roots.map(root => [root, sweepDays(root)]))
  const due = ({ root, state }: IndexHealth['files'][number]): number =>
    (state?.mtime ?? Number.POSITIVE_INFINITY) + (periods.get(root) ?? Number.POSITIVE_INFINITY) * DAY
  const swept = files
    .filter(file => file.facts.kind === 'session' && !file.isArchived)
    .filter(file => due(file) <= context.now() + AHEAD * DAY)
    .sort((a, b) => due(a) - due(b))
  const kept = swept.length === 0 ? null : keptIn(archive)
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  const cards = swept.map((file): SweptCard => {
    const fact = facts.get(file.facts.session ?? '')
    return {
      session: file.facts.session ?? '',
      title: sessionName(fact),
      project: file.project,
      due: due(file),
      isArchived: kept?.has(keyOf(file.facts.session, file.state?.size, file.state?.mtime)) ?? false,
    }
  })
  return {
    swept: cards.slice(0, MOST_SWEPT),
    sweptCount: cards.length,
    sweptKept: kept === null ? null : cards.filter(({ isArchived }) => isArchived).length,
    sweepDays: [...periods.values()].find(days => days !== null) ?? null,
    sweepAhead: AHEAD,
  }
}

/** What the archive has, as it was when it was read; null where there is none that can be read. */
function keptIn(path: string): ReadonlySet<string> | null {
  if (!existsSync(path)) return null
  try {
    const archive = openArchive(path)
    try {
      return new Set(archive.list().map(keyOfArchived))
    } finally {
      archive.close()
    }
  } catch (error) {
    if (error instanceof StoreFailure) return null
    throw error
  }
}

function keyOfArchived({ session, bytes, mtime }: ArchivedFile): string {
  return keyOf(session, bytes, mtime)
}

function keyOf(session: string | null, bytes: number | undefined, mtime: number | undefined): string {
  return `${session} ${bytes} ${mtime}`
}

function unknownIn(families: readonly FamilyFacts[]): HealthPage['unknownTypes'] {
  const types = new Map<string, UnknownType>()
  for (const each of families.flatMap(({ unknown }) => unknown)) {
    const before = types.get(each.type)
    types.set(each.type, before === undefined ? each : { ...before, count: before.count + each.count })
  }
  return [...types.values()].sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
}
