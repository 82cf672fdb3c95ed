import { isSpoken, layOutLanes, renderText, walkSession } from '@dagline/core'
import { type GivenFile, openFiles } from '@dagline/core/open'

/** The graph of one file, as a page can draw it in a `<pre>`: lanes, and a line of text for each row. No Node, no server. */
export async function drawFile(file: GivenFile): Promise<string> {
  const [project] = await openFiles([file])
  const session = project?.graph.sessions()[0]
  if (project === undefined || session === undefined) return 'There is no conversation in this file.'
  const { rows } = walkSession(project.graph, session.id, {
    branches: 'show',
    agents: 'show',
    shows: isSpoken,
  })
  const said = new Map<number, string>()
  for (const { node } of rows) said.set(node, (await project.summary(node)).text)
  return renderText(rows, layOutLanes(rows), ({ node }) => said.get(node)?.slice(0, 60) ?? '')
}

/** The same with a file from a disk, as a `File`: what a browser would give. */
export async function run(folder: string): Promise<string[]> {
  const { readFileSync } = await import('node:fs')
  const name = '7d1c90aa-52f3-4e0b-9a41-0c3f6be2d815.jsonl'
  return [await drawFile(new File([readFileSync(`${folder}/${name}`)], name))]
}
