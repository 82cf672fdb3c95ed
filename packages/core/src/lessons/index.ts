/** What was tried in a history, and how it ended. */
import type { Graph } from '../graph/graph.js'
import { lessonsOfCalls } from './calls.js'
import type { Attempts, Lesson } from './lesson.js'
import { rewoundTurns } from './rewinds.js'

export {
  type Attempt,
  type Attempts,
  LESSON_OUTCOMES,
  type Lesson,
  type LessonKind,
  type LessonOutcome,
} from './lesson.js'

/** X19: the lessons of a graph, the newest first. `attempts` are the calls of its transcripts (`readAttempts`). */
export function findLessons(graph: Graph, attempts: Attempts): readonly Lesson[] {
  const found = [...rewoundTurns(graph, attempts), ...lessonsOfCalls(graph, attempts)]
  return found.toSorted((a, b) => (b.time ?? 0) - (a.time ?? 0))
}
