import { liveConversation } from '@dagline/core'
import { type GivenFile, openFiles } from '@dagline/core/open'

/**
 * What a page can do with the files that were dropped on it or chosen in an `<input type="file" webkitdirectory>`: pass its
 * `files`. Nothing of this needs Node or a server.
 */
export async function describeFiles(files: Iterable<GivenFile>): Promise<string[]> {
  const lines: string[] = []
  for (const { graph, diagnostics, titleOf, blocks } of await openFiles(files)) {
    for (const { id } of graph.sessions()) {
      const last = liveConversation(graph, id).at(-1)
      const said = last === undefined ? [] : ((await blocks(last)) ?? [])
      const text = said.map(block => (block.kind === 'text' ? block.text.text : `(${block.kind})`)).join(' ')
      lines.push(`${titleOf(id)}`, `  ${graph.agents().length} subagents, last: ${text}`)
    }
    lines.push(`  ${diagnostics.length} diagnostics`)
  }
  return lines
}

/** The same with files from a disk, as `File`s: what a browser would give. */
export async function run(folder: string): Promise<string[]> {
  const { openAsBlob, readdirSync, statSync } = await import('node:fs')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => statSync(`${folder}/${name}`).isFile())
  return await describeFiles(
    await Promise.all(
      files.map(async name => ({
        path: name.replaceAll('\\', '/'),
        bytes: await openAsBlob(`${folder}/${name}`),
      })),
    ),
  )
}
