/** What entries say, for exported sessions: the index keeps words, not texts. */
import { knownTimeOf, none } from '../graph/nodes.js'
import { writeJson } from '../parse/write-json.js'
import type { Block, ToolResultContent } from '../protocol/content.js'
import type { TableContext } from './context.js'
import { defineTable, integer, type Table, text, time } from './table.js'

interface ContentItem {
  readonly node: number
  readonly at: number
  readonly kind: string
  readonly name: string | null
  readonly call: string | null
  readonly state: string | null
  readonly text: string | null
}

function* contentsOf({ contents, nodeNamed }: TableContext): Generator<ContentItem> {
  for (const { node: id, blocks } of contents()) {
    const node = nodeNamed(id)
    if (node === none) continue
    let at = 0
    for (const block of blocks)
      for (const part of partsOf(block, nodeNamed)) yield { node, at: at++, ...NOTHING, ...part }
  }
}

const NOTHING = { name: null, call: null, state: null, text: null }

type Part = Partial<ContentItem> & Pick<ContentItem, 'kind'>

/** A call is followed by its result, which may stand in another entry. */
function partsOf(block: Block, nodeNamed: TableContext['nodeNamed']): readonly Part[] {
  const { kind } = block
  switch (kind) {
    case 'call': {
      const { id: call, name, input, result } = block
      const made: Part = { kind, name, call, text: writeJson(input) }
      return result === null ? [made] : [made, resultOf(result, { name, call }, nodeNamed)]
    }
    case 'result':
      return [resultOf(block, { name: block.tool }, nodeNamed)]
    case 'command': {
      const { name, args, output } = block
      return [{ kind, name, text: [args, output?.text ?? ''].filter(Boolean).join('\n') }]
    }
    case 'image':
      return [{ kind, name: 'media' in block.image ? block.image.media : null }]
    case 'note':
      return [{ kind, name: block.label, text: block.text.text }]
    default:
      return [{ kind, text: block.text.text }]
  }
}

function resultOf(
  { state, text: { text: said }, node }: ToolResultContent,
  of: Pick<Part, 'name' | 'call'>,
  nodeNamed: TableContext['nodeNamed'],
): Part {
  const at = nodeNamed(node)
  return { kind: 'result', ...of, state, text: said, ...(at === none ? {} : { node: at }) }
}

/** Y9: one row for each part of an entry. */
export const CONTENTS: Table = defineTable<ContentItem>('contents', {
  about:
    'A part of what an entry says: a text, a thought, a call, a result. Only exported sessions have this table.',
  items: contentsOf,
  projectOf: ({ node }, { projectOf }) => projectOf(node),
  timeOf: ({ node }, { graph }) => knownTimeOf(graph, node),
  columns: {
    node: text('The entry: `nodes.node`.', ({ node }, { graph }) => graph.id(node)),
    part: integer('The number of the part in the entry of the call or text, from 0.', ({ at }) => at),
    session: text('The session whose conversation it is part of.', ({ node }, { graph, sessionOf }) =>
      sessionOf(graph.lineOf(node), node),
    ),
    line: text(
      'The trunk, branch or subagent that it is on: `branches.line`.',
      ({ node }, { graph }) => graph.lineOf(node)?.id,
    ),
    kind: text(
      '`text`, `thinking`, `call`, `result`, `command`, `note`, `image` or `error`.',
      ({ kind }) => kind,
    ),
    name: text('The tool, the command, the label of a note, or the type of an image.', ({ name }) => name),
    call: text('The id of the call: `tool_calls.call`.', ({ call }) => call),
    state: text(
      'How a call ended: `ok`, `error`, `denied`, `interrupted` or `spilled`.',
      ({ state }) => state,
    ),
    text: text('The text; the input of a call as JSON.', item => item.text),
    time: time('When the entry was written.', ({ node }, { graph }) => knownTimeOf(graph, node)),
  },
})
