/** How much of a session a resume reaches today. */
import { type EditSource, type FileRecord, NO_EXTRAS, reachOf } from '@dagline/core'

/** Entries of the conversation that Claude Code would load from a file. */
export function reachNow({ graph, surveys }: EditSource, { facts }: FileRecord): number {
  const survey = surveys.get(facts.path)
  const firsts = new Map([...(survey?.several ?? [])].map(([row, ids]) => [row, ids[0] ?? null]))
  const extras = new Map([[String(facts.path), { ...NO_EXTRAS, marks: survey?.marks ?? new Map(), firsts }]])
  return reachOf(graph, facts.path, { extras }).now
}
