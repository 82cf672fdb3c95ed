import { dirname } from 'node:path'
import { openHistory } from 'dagline'

/** The projects of a root, such as `~/.claude/projects`, and their sessions in figures. */
export async function run(folder: string): Promise<string[]> {
  const root = dirname(folder)
  const history = openHistory({ roots: [root] })
  const projects = await history.projects()
  const sessions = await history.sessions([root])
  return [
    ...projects.map(({ name, files }) => `${name}: ${files} transcripts`),
    ...sessions.map(
      ({ title, turns, agents, branches }) =>
        `${title} ${turns} turns, ${agents} subagents, ${branches} abandoned branch`,
    ),
  ]
}
