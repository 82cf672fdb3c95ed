/** `dagline explain`: why an entry is where it is. */
import type { EntryGraph } from '@dagline/app'
import { actorName, statusHere } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime } from '@dagline/core/format'
import { isLive } from '@dagline/core/view'
import { type AddCommand, defineCommand } from '../command.js'
import type { Console } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import { labelFacts, labelsOn, labelWords } from '../print/names.js'
import { fit, pad, wrap } from '../print/width.js'

export const explainCommand: AddCommand = defineCommand({
  usage: 'explain <ref>',
  description: 'Explain an entry: its parent, verdict, evidence, and whether it is live.',
  examples: [
    'dagline explain cf76f1da',
    'dagline explain latest:cf76',
    'dagline explain cf76f1da --json | jq .because',
  ],
  run: async (console, [ref = '']) => {
    const found = await console.history.entryOf(ref, { isLinkedOnly: true })
    if (console.options.json) return await console.printJson('explain', factsOf(console, found))
    const contents = await console.history.contentsOf(found)
    await console.page(() => lines(console, found, contents.summary(found.node).text))
    contents.close()
  },
})

function factsOf(console: Console, found: EntryGraph): JsonFields<'explain'> {
  const { graph, node } = found
  const { id, file, row, parent } = graph.node(node)
  return {
    node: id,
    file,
    row,
    parent,
    line: graph.lineOf(node)?.id ?? null,
    live: isLive(graph, node),
    ...labelFacts(labelsOn(console.history.labels(), graph, node)[0]),
    because: graph.explain(node),
  }
}

const LABEL = 8

function* lines(console: Console, found: EntryGraph, text: string): Generator<string> {
  const { style, width } = console
  const { graph, node } = found
  const entry = graph.node(node)
  const line = graph.lineOf(node)
  const label = (name: string, value: string): string => `${style.faint(pad(name, LABEL))} ${value}`
  const type = entry.type === entry.kind ? '' : ` ${entry.type}`
  yield label('entry', `${style.id(entry.id)}  ${entry.kind}${type}`)
  yield label('text', `${actorName(graph.actor(node))}: ${fit(text, width - LABEL - 12)}`)
  yield label(
    'written',
    `${entry.file} row ${entry.row}${entry.time === null ? '' : `, ${dayAndTime(entry.time)}`}`,
  )
  yield label('parent', entry.parent ?? 'none')
  yield label('line', line === null ? 'none' : `${line.id} (${line.kind}, ${statusHere(graph, node)})`)
  for (const given of labelsOn(console.history.labels(), graph, node)) {
    if (labelWords(given) !== '') yield label('name', cleanLine(labelWords(given)))
    if (given.note !== null) yield label('note', cleanLine(given.note))
  }
  yield label('live', isLive(graph, node) ? style.good('yes') : style.bad('no'))
  yield ''
  for (const { rule, evidence } of graph.explain(node)) {
    const [first = '', ...more] = wrap(evidence, width - LABEL - 1)
    yield `${style.id(pad(rule, LABEL))} ${first}`
    for (const rest of more) yield `${' '.repeat(LABEL)} ${rest}`
  }
}
