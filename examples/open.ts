import { openHistory } from 'dagline'
import type { Graph } from 'dagline/core'

/** The graph of a project folder: its sessions and the subagents that they started. */
export async function openProject(folder: string): Promise<Graph> {
  const { graph } = await openHistory().graphOf(folder)
  return graph
}
