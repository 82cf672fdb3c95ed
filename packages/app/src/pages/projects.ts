/** Projects as filters offer them. */
import { withEllipsis } from '@dagline/core/model'
import type { UsagePage } from '@dagline/core/protocol'
import type { SessionFact } from '@dagline/store'

/** The projects by name, each once, with the folder that its newest session worked in. */
export function projectsOf(names: Iterable<string>, sessions: readonly SessionFact[]): UsagePage['projects'] {
  const folders = new Map<string, string>()
  // The newest come first: the first that names a folder counts.
  for (const { project, cwd } of sessions)
    if (cwd !== null && !folders.has(project)) folders.set(project, cwd)
  return [...new Set(names)]
    .filter(name => name !== '')
    .map(name => ({ name, cwd: folders.get(name) ?? null }))
    .sort((a, b) => ((a.cwd ?? a.name) < (b.cwd ?? b.name) ? -1 : 1))
}

/** Characters of a name in a list: longer ones are cut. */
const LONGEST = 140

/** The title of a session, or else its first words, on one line; null where it has neither. */
export function sessionName(fact: SessionFact | undefined): string | null {
  const words = (fact?.title ?? fact?.prompt ?? '')
    .slice(0, LONGEST * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (words === '') return null
  return withEllipsis(words, LONGEST)
}
