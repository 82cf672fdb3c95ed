/**
 * HU47: the index as if only one machine had pushed. The folder of a project names its machine, and everything that is listed,
 * added up or found names its project. The graph of a session that continued elsewhere stays whole.
 */
import { posix } from 'node:path'
import type { IndexStore, KnownFile, TextFilter } from '@dagline/store'

/** A row that names its project. */
interface OfProject {
  readonly project: string
}

/**
 * Narrows the answers of an index to one machine. `isOf` says whether a folder is one of it; `projects` gives all projects of the
 * index that the reader sees.
 */
export function ofMachine(
  index: IndexStore,
  isOf: (folder: string) => boolean,
  projects: () => readonly string[],
): IndexStore {
  const isFileOf = (path: string): boolean => isOf(posix.dirname(path))
  const only = <T extends OfProject>(rows: readonly T[]): readonly T[] =>
    rows.filter(({ project }) => isOf(project))
  const narrowed = (filter: TextFilter): TextFilter => ({
    ...filter,
    projects: (filter.projects ?? projects()).filter(isOf),
  })
  const groupsOf = (root: number): Groups => groupsIn(index, root, isFileOf)
  return {
    ...index,
    sessions: roots => only(index.sessions(roots)),
    agents: roots => only(index.agents(roots)),
    branches: roots => only(index.branches(roots)),
    touches: roots => only(index.touches(roots)),
    groupTouches: group => only(index.groupTouches(group)),
    usage: roots => only(index.usage(roots)),
    groupUsage: group => only(index.groupUsage(group)),
    diagnostics: roots => index.diagnostics(roots).filter(({ file }) => isFileOf(file)),
    find: (phrases, filter, limit, sort) => index.find(phrases, narrowed(filter), limit, sort),
    findIds: (phrases, filter, limit, sort) => index.findIds(phrases, narrowed(filter), limit, sort),
    each: (filter, sort) => index.each(narrowed(filter), sort),
    count: (phrases, filter, most) => index.count(phrases, narrowed(filter), most),
    countBySession: (phrases, filter) => index.countBySession(phrases, narrowed(filter)),
    files: root => {
      const { own, shared } = groupsOf(root)
      const isWanted = ({ group, project }: KnownFile): boolean =>
        group === null ? isOf(project) : own.has(group) || shared.has(group)
      return index.files(root).filter(isWanted)
    },
    grouping: root => index.grouping(root).filter(({ path }) => isFileOf(path)),
    groupSessions: root =>
      new Map([...index.groupSessions(root)].map(([group, sessions]) => [group, only(sessions)])),
    // What was kept for a group holds what other machines pushed into it: then it is added up again.
    answers: (root, kind) => {
      const { own } = groupsOf(root)
      return [...index.answers(root, kind)].filter(({ group }) => own.has(group))
    },
    unanswered: (root, kind, basis) => {
      const { own, shared } = groupsOf(root)
      return [...index.unanswered(root, kind, basis).filter(group => own.has(group)), ...shared]
    },
    rootAnswer: () => null,
  }
}

/** The file groups of a root with files of a machine. */
interface Groups {
  /** All of whose files are of it. */
  readonly own: ReadonlySet<number>
  /** Those with files of other machines, too. */
  readonly shared: ReadonlySet<number>
}

function groupsIn(index: IndexStore, root: number, isOf: (path: string) => boolean): Groups {
  const [wanted, others] = [new Set<number>(), new Set<number>()]
  for (const { path, group } of index.grouping(root))
    if (group !== null) (isOf(path) ? wanted : others).add(group)
  return {
    own: new Set([...wanted].filter(group => !others.has(group))),
    shared: new Set([...wanted].filter(group => others.has(group))),
  }
}
