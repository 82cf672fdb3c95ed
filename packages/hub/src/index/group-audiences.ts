/**
 * HU5: who may see the verdicts on a file group. A group may hold files of several audiences, such as a shared session and a
 * private one that continues it. Each session has the audience of its own file.
 */
import type { AgentFact, BranchFact, Judgement } from '@dagline/store'
import type { Known } from './known.js'

/** The audience without members. */
export const NOBODY = 0

/** A part of a judgement that is kept as a list. */
type Listed = Judgement['queue'][number] | Judgement['diagnostics'][number] | AgentFact | BranchFact

export interface GroupAudiences {
  /** The audiences of the files, each once. Where there are several, also `NOBODY`, for what belongs to none of the files. */
  readonly all: readonly number[]
  readonly ofFile: (file: number) => number
  /** For a session without a file here it is `NOBODY`, unless all files have one audience. */
  readonly ofSession: (session: string) => number
  /** What an audience may see of a list. */
  readonly part: (items: readonly Listed[], audience: number) => readonly Listed[]
}

export function groupAudiences(known: Pick<Known, 'of'>, files: readonly number[]): GroupAudiences {
  const facts = files.map(file => ({ file, ...known.of(file) }))
  const own = new Set(facts.map(({ audience }) => audience))
  const all = [...(own.size === 1 ? own : own.add(NOBODY))].sort((a, b) => a - b)
  const [only = NOBODY] = all
  const fallback = all.length === 1 ? only : NOBODY
  const bySession = new Map<string, number>()
  const byPath = new Map(facts.map(({ path, audience }) => [path, audience]))
  for (const { session, audience } of facts)
    if (session !== null && !bySession.has(session)) bySession.set(session, audience)
  const ofFile = (file: number): number => facts.find(each => each.file === file)?.audience ?? fallback
  const ofSession = (session: string): number => bySession.get(session) ?? fallback
  const audienceOf = (item: Listed): number => {
    if ('session' in item) return ofSession(item.session)
    return typeof item.file === 'number' ? ofFile(item.file) : (byPath.get(item.file) ?? fallback)
  }
  return {
    all,
    ofFile,
    ofSession,
    part: (items, audience) =>
      all.length === 1 ? items : items.filter(item => audienceOf(item) === audience),
  }
}
