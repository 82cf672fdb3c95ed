/** How much of a session a resume reaches today. */
import type { EditSource, FileRecord } from '@dagline/core'

/** Entries that Claude Code would load from a file. */
export function reachOf({ graph }: EditSource, { facts }: FileRecord): number {
  return graph.live(facts.path).length
}
