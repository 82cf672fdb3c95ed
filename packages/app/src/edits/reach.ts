/** What a resume loads of a session, and whether it is in need of a repair: what the doctor says, too. */

import { canRepair, examine } from '@dagline/core/faults'
import { loadedBy } from '@dagline/core/resume'
import type { EditedSession } from './source.js'

/** The nodes that Claude Code loads today when it resumes a session's file. */
export function loadedToday({ source, file, survey }: EditedSession): readonly number[] {
  return loadedBy(source.graph, file.facts.path, { survey }).nodes
}

/** Whether a resume loses something, or the doctor finds a fault that a repair fixes: else there is nothing to do. */
export function needsRepair({ loaded, source, file, survey }: EditedSession): boolean {
  const { path } = file.facts
  const [health] = examine(source.graph, {
    surveys: new Map([[path, survey]]),
    found: loaded.found,
    only: each => each === path,
  })
  if (health === undefined) return false
  const { reach, faults } = health
  return (
    reach.now < reach.possible || faults.some(({ id, severity }) => severity === 'error' || canRepair(id))
  )
}
