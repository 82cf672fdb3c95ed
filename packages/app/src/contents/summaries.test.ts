import { discover } from '@dagline/store'
import { expandShape, inProject, withHome } from '@dagline/testkit'
import { expect, it, vi } from 'vitest'
import { projectLocations } from '../files/projects.js'
import { loadProject } from '../graphs/project.js'
import { openContents } from './records.js'
import { takeSummaries } from './summaries.js'

/** A rewind, and a tool call with its result. */
const { files: FILES } = expandShape(`
s1: u1 a1[t1:Bash] r1[t1] a2 u2 a3
s1: a2 > u3@+30m a4
`)

/** Reads the session with or without summaries, and says how often rows were parsed, and every line of the log. */
async function read(
  isTaken: boolean,
): Promise<{ readonly parsed: number; readonly lines: readonly string[] }> {
  return await withHome(inProject(FILES), ({ projects }) => {
    const parse = vi.spyOn(JSON, 'parse')
    const [location] = projectLocations(discover([projects]))
    if (location === undefined) throw new Error('the project was not found')
    const summaries = takeSummaries(() => isTaken)
    const { root, graph } = loadProject(location, undefined, { see: summaries.see })
    const contents = openContents(root, graph, summaries)
    const lines = [...graph.nodes()].map(node => contents.summary(node).text)
    contents.close()
    const parsed = parse.mock.calls.filter(([text]) => text.includes('"uuid"')).length
    parse.mockRestore()
    return { parsed, lines }
  })
}

it('[P13] summaries are taken while rows are parsed, and are those of the rows when read again', async () => {
  const rows = FILES.flatMap(({ text }) => text.trimEnd().split('\n')).filter(row =>
    row.includes('"uuid"'),
  ).length
  const taken = await read(true)
  const again = await read(false)
  expect(taken.parsed).toBe(rows)
  expect(again.parsed).toBe(2 * rows)
  expect(taken.lines).toEqual(again.lines)
})
