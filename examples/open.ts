import { type Graph, parseRow, startGraph } from '@dagline/core'
import { discover, readTranscript } from '@dagline/store'

/** Reads a project folder and builds the graph of its sessions and of the agents they started. */
export function openProject(folder: string): Graph {
  const builder = startGraph()
  const [found] = discover([folder])
  for (const file of found?.projects[0]?.files ?? []) {
    const { result } = readTranscript(found?.root ?? '', file.path, row =>
      builder.addRow(file, parseRow(row)),
    )
    // A last row without a newline: it may be whole, or it is being written.
    if (result?.pending) builder.addRow(file, parseRow(result.pending))
  }
  return builder.build()
}
