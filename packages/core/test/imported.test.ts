/** Sessions that were imported into a store, once and twice, read as what they were imported from. */
import { listRecordings, type TextFile } from '@dagline/testkit'
import { describe, expect, it } from 'vitest'
import type { Graph } from '../src/index.js'
import { readProjects, recordingDirs } from './recorded.js'
import { graphOfFiles } from './support.js'

const RECORDINGS = recordingDirs.flatMap(listRecordings)

/** Rows without a uuid have nothing by which a store could know them again. */
function withNotesAgain({ path, text }: TextFile): TextFile {
  const notes = text.split('\n').filter(row => row !== '' && !('uuid' in JSON.parse(row)))
  return { path, text: text + notes.map(row => `${row}\n`).join('') }
}

/** What readers rely on, without rows. */
function factsOf(graph: Graph): object {
  const id = (node: number | null): string | null => (node === null ? null : graph.id(node))
  return {
    live: graph.files().map(({ facts }) => graph.live(facts.path).map(id)),
    lines: graph.lines().map(line => [line.id, line.status, line.nodes.length]),
    agents: graph
      .agents()
      .map(({ id, name, state, spawnedBy, meta, ...agent }) => [
        ...[id, name, state, spawnedBy?.call.id, spawnedBy?.evidence, meta?.description, agent.depth],
      ]),
    queue: graph
      .queues()
      .map(({ steps }) => steps.map(({ became, node, note }) => [became, id(node), note.time])),
    diagnostics: graph.diagnostics().map(({ rule, node, message }) => [rule, node, message]),
  }
}

describe('sessions in a store', () => {
  it('[Q5] a second import that repeats the rows without a uuid changes nothing, and reports nothing false', () => {
    let repeated = 0
    for (const recording of RECORDINGS) {
      const { name } = recording
      const { transcripts: files, metas } = readProjects(recording)
      const once = graphOfFiles(files, metas)
      const twice = graphOfFiles(files.map(withNotesAgain), metas)
      expect({ name, ...factsOf(twice) }).toEqual({ name, ...factsOf(once) })
      repeated += once.queues().flatMap(({ steps }) => steps).length
    }
    expect(repeated).toBeGreaterThan(50)
  })

  it('[A12] subagents are told by their rows as by their sidecars', () => {
    let told = 0
    for (const recording of RECORDINGS) {
      const { name } = recording
      const { transcripts: files, metas } = readProjects(recording)
      const asRow = (file: TextFile): TextFile => {
        const meta = metas.find(({ path }) => path === file.path.replace(/\.jsonl$/, '.meta.json'))
        const row = meta === undefined ? null : { type: 'agent_metadata', ...JSON.parse(meta.text) }
        return row === null ? file : { ...file, text: `${file.text}${JSON.stringify(row)}\n` }
      }
      const agents = graphOfFiles(files.map(asRow))
      expect({ name, ...factsOf(agents) }).toEqual({ name, ...factsOf(graphOfFiles(files, metas)) })
      told += agents.agents().filter(({ meta }) => meta !== null).length
    }
    expect(told).toBeGreaterThan(10)
  })
})
