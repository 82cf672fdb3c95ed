/** Recordings as the tests of the core read them: those of the repository, those beside it, and any that are named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Recording, TextFile } from '@dagline/testkit'
import { type FileFacts, fileId, type Graph, type ParsedRow, startGraph } from '../src/index.js'
import { factsOf, graphOfFiles, rowsOf } from './support.js'

const root = join(import.meta.dirname, '../../..')
const beside = ['recordings', 'recordings-2'].map(name => join(root, '../shared', name))
const named = (process.env.DAGLINE_RECORDINGS ?? '').split(delimiter).filter(dir => dir !== '')

/** The folders of recordings that are there. */
export const recordingDirs: readonly string[] = [
  join(root, 'fixtures/recordings'),
  join(root, 'fixtures/contexts'),
  join(root, 'fixtures/conformance'),
  ...beside,
  ...named,
].filter(dir => existsSync(dir))

for (const dir of beside)
  if (!existsSync(dir)) process.stderr.write(`not run: recordings beside the repository (${dir})\n`)

/** The graph of a whole recording. */
export function graphOfRecording(recording: Recording): Graph {
  const { transcripts, metas } = readProjects(recording)
  return graphOfFiles(transcripts, metas)
}

/** Builds the graph of a recording as it was when one transcript had only the rows before a given one. */
export function prefixBuilder(recording: Recording): (path: string, row: number) => Graph {
  const { transcripts, metas } = readProjects(recording)
  return prefixesOf(transcripts, metas)
}

/** The same for any transcripts. */
export function prefixesOf(
  transcripts: readonly TextFile[],
  metas: readonly TextFile[],
): (path: string, row: number) => Graph {
  const files: { readonly facts: FileFacts; readonly rows: readonly ParsedRow[] }[] = transcripts.map(
    ({ path, text }) => ({ facts: factsOf(path, metas), rows: rowsOf(text) }),
  )
  return (path, row) => {
    const builder = startGraph()
    for (const { facts, rows } of files) {
      builder.addFile(facts, 0)
      for (const each of rows) if (facts.path !== path || each.row < row) builder.addRow(facts, each)
    }
    return builder.build()
  }
}

/** The transcripts and sidecars of a recording. */
export function readProjects({
  projectsDir,
}: Recording): Record<'transcripts' | 'metas', readonly TextFile[]> {
  const paths = readdirSync(projectsDir, { recursive: true, encoding: 'utf8' }).sort()
  const read = (ending: string): readonly TextFile[] =>
    paths
      .filter(path => path.endsWith(ending))
      .map(path => ({ path, text: readFileSync(join(projectsDir, path), 'utf8') }))
  return { transcripts: read('.jsonl'), metas: read('.meta.json') }
}

/** The uuids of what is live in a transcript. */
export function liveIds(graph: Graph, path: string): readonly string[] {
  return graph.live(fileId(path)).map(node => graph.id(node))
}
