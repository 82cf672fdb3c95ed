import { openHistory } from 'dagline'

/** What entries say, block by block. */
export async function run(folder: string): Promise<string[]> {
  const history = openHistory()
  const found = await history.graphOf(folder)
  const contents = await history.contentsOf(found)
  const lines = found.graph
    .lines()
    .find(({ kind }) => kind === 'agent')
    ?.nodes.flatMap(node =>
      (contents.blocks(node) ?? []).map(block => {
        switch (block.kind) {
          case 'call':
            return `${block.name} ${JSON.stringify(block.input)}`
          case 'text':
          case 'result':
            return `${block.kind}: ${block.text.text}`
          default:
            return block.kind
        }
      }),
    )
  history.close()
  return lines ?? []
}
