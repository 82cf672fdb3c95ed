import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FollowedBatch, type FollowedSession, type History, openHistory } from 'dagline'
import { liveConversation } from 'dagline/core'

/** What happened in a session since the last look: entries, rewinds, compactions, subagents. */
async function happened(
  history: History,
  followed: FollowedSession,
  { graph, events }: FollowedBatch,
): Promise<string[]> {
  const found = followed.find(graph)
  if (found === null) return []
  const live = new Set(liveConversation(graph, found.session.id))
  const contents = await history.contentsOf(found)
  const lines = events.map(event => {
    switch (event.kind) {
      case 'entry': {
        const { kind, text } = contents.summary(event.node)
        return `${live.has(event.node) ? 'live' : 'not live'}, ${kind}: ${text}`
      }
      case 'rewind':
        return `rewind: ${event.left.length} branch left`
      case 'agent-start':
      case 'agent-end':
        return `${event.kind}: ${event.agent.name}`
      case 'compaction':
        return event.label
      default:
        return event.kind
    }
  })
  contents.close()
  return lines
}

/** Follows a transcript that grows, here in `out`. A program that waits uses `for await (... of followed.changes())`. */
export async function run(folder: string, out: string): Promise<string[]> {
  const name = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815.jsonl'
  const rows = readFileSync(join(folder, name), 'utf8').split(/(?<=\n)/)
  const path = join(out, name)
  writeFileSync(path, rows.slice(0, 8).join(''))
  const history = openHistory()
  const followed = await history.follow(path)
  const first = followed.look()
  appendFileSync(path, rows.slice(8).join(''))
  // The graph before hands its storage over: from now on only the new one answers.
  const known = first?.graph.totals().nodes
  const next = followed.look()
  const lines = next === null ? [] : await happened(history, followed, next)
  history.close()
  return [`${known} entries at first`, ...lines]
}
