/** X19: lessons of projects: what was tried, and how it ended. */
import { readAttempts } from '@dagline/core/content'
import { type Attempt, findLessons, type Lesson } from '@dagline/core/lessons'
import { withCarried } from '@dagline/core/parse'
import { type ProjectLocation, projectName } from '../files/projects.js'
import { askParts } from '../graphs/answers.js'
import { loadProject, type Meter } from '../graphs/project.js'
import type { Host } from '../host/host.js'
import type { IndexOptions } from '../index/open.js'
import { type ListFilter, readFilter } from '../locate/list-filter.js'
import { openPartsIn } from '../locate/scope-parts.js'
import { noRows } from '../text/nothing.js'

/** A lesson and the project it is of. */
export interface LessonItem extends Lesson {
  /** Its folder below the root. */
  readonly project: string
}

/** Reads a project and finds its lessons. */
export function learnProject(location: ProjectLocation, meter?: Meter): readonly LessonItem[] {
  const attempts = new Map<string, Attempt>()
  const see = withCarried(json => {
    for (const attempt of readAttempts(json)) attempts.set(attempt.id, attempt)
  })
  const { graph, project } = loadProject(location, meter, { see })
  const projectOf = new Map(
    graph
      .sessions()
      .map(({ id }) => [`${id}`, projectName(project, graph.currentFile(id)?.facts.path ?? null)]),
  )
  return findLessons(graph, attempts).map(lesson => ({
    ...lesson,
    project: projectOf.get(lesson.session) ?? '',
  }))
}

/** The lessons of a session, of a project, or of all, the newest first. Throws `UserError` where a name is not valid. */
export async function listLessons(
  host: Host,
  options: IndexOptions & ListFilter,
): Promise<readonly LessonItem[]> {
  const { isInTime, scope, session } = readFilter(host, options)
  const opened = await openPartsIn(scope, host, options)
  try {
    const parts = await askParts({ name: 'learnProject', read: learnProject }, opened, host)
    const isWanted = ({ session: id, time }: LessonItem): boolean =>
      (session === null || id === session) && isInTime({ session: id, first: time, last: time })
    const lessons = parts.flat(2).filter(isWanted)
    if (lessons.length === 0 && opened.projects.length > 0)
      host.note(noRows({ of: 'lessons', looked: null, filter: { ...options, session } }))
    return lessons.toSorted((a, b) => (b.time ?? 0) - (a.time ?? 0))
  } finally {
    opened.close()
  }
}
