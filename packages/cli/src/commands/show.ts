/** `dagline show`: one message with all its parts, its calls and their results. */
import type { Contents } from '@dagline/app'
import { actorName, type Graph, isSpoken, type Line } from '@dagline/core'
import { escapeJson, readBlocks, writtenBy } from '@dagline/core/content'
import { dayAndTime, duration, shortId } from '@dagline/core/format'
import { type AddCommand, defineCommand, flag } from '../command.js'
import type { Console } from '../console.js'
import type { JsonFields } from '../json/fields.js'
import { blockLines } from '../print/blocks.js'
import { labelFacts, labelLines, labelsOn } from '../print/names.js'

export const showCommand: AddCommand = defineCommand({
  usage: 'show <ref>',
  description: 'Print one message with all its parts, tool calls and tool results.',
  options: { raw: flag('--raw', 'print the rows as they are in the file, with control characters escaped') },
  examples: [
    'dagline show cf76f1da',
    'dagline show latest:cf76',
    'dagline show cf76f1da --raw | jq .message',
  ],
  run: async (console, [ref = ''], { raw: isRaw }) => {
    const found = await console.history.entryOf(ref, { isLinkedOnly: true })
    const { graph, node, line } = found
    const nodes = messageOf(graph, line === null ? node : firstSpoken(graph, line, node))
    const contents = await console.history.contentsOf(found)
    if (isRaw) await console.print(nodes.map(node => escapeJson(contents.raw(node) ?? '')))
    else if (console.options.json) await console.printJson('show', factsOf(console, graph, contents, nodes))
    else await console.page(() => messageLines(console, graph, contents, nodes))
    contents.close()
  },
})

/** The first prompt of a branch or subagent, or else its first spoken entry: hooks may come before. */
function firstSpoken(graph: Graph, { nodes }: Line, head: number): number {
  const prompt = nodes.find(node => ['prompt', 'command'].includes(graph.node(node).type))
  return prompt ?? nodes.find(node => isSpoken(graph, node)) ?? head
}

/** The parts of the message of a node, each with the results of its calls. A result stands for the message of its call. */
function messageOf(graph: Graph, node: number): readonly number[] {
  const { type, file } = graph.node(node)
  const asked = type === 'result' ? (graph.toolEnds(node)[0]?.calls[0] ?? node) : node
  const { message } = graph.node(asked)
  const record = graph.files().find(({ facts }) => facts.path === file)
  const same = (record?.nodes ?? []).filter(part => message !== null && graph.node(part).message === message)
  const parts = same.length > 0 ? same : [asked]
  const here = new Set(record?.nodes)
  return parts.flatMap(part => {
    const ends = graph.node(part).kind === 'assistant' ? graph.toolEnds(part) : []
    const results = ends.flatMap(({ results: all }) => all.find(result => here.has(result)) ?? all[0] ?? [])
    return [part, ...results]
  })
}

function factsOf(
  console: Console,
  graph: Graph,
  contents: Contents,
  nodes: readonly number[],
): JsonFields<'show'> {
  const labels = console.history.labels()
  const parts = nodes.map(node => {
    const { id, file, row, kind, type } = graph.node(node)
    return {
      node: id,
      file,
      row,
      kind,
      type,
      actor: actorName(graph.actor(node)),
      ...labelFacts(labelsOn(labels, graph, node)[0]),
      record: contents.record(node),
    }
  })
  const message = nodes.map(node => graph.node(node).message).find(id => id !== null) ?? null
  return { message, parts: { list: parts } }
}

function* messageLines(
  console: Console,
  graph: Graph,
  contents: Contents,
  nodes: readonly number[],
): Generator<string> {
  const { style } = console
  for (const [index, node] of nodes.entries()) {
    const { id, file, row, time } = graph.node(node)
    const record = contents.record(node)
    const model = record === null ? null : writtenBy(record).model
    if (index > 0) yield ''
    const who = actorName(graph.actor(node))
    yield `${style.strong(who)}  ${style.faint(`${dayAndTime(time)}  ${model ?? ''}`.trim())}`
    yield style.faint(`${shortId(id)}  ${file} row ${row}`)
    for (const text of queueNotes(graph, node)) yield style.faint(text)
    for (const label of labelsOn(console.history.labels(), graph, node)) yield* labelLines(console, label)
    if (record === null) yield contents.summary(node).text
    else yield* blockLines(console, readBlocks(record, Number.POSITIVE_INFINITY))
  }
}

/** Q1: when the text of an entry was queued, and how long it waited. */
function* queueNotes(graph: Graph, node: number): Generator<string> {
  const { time } = graph.node(node)
  for (const { note, became } of graph.queueOf(node)) {
    if (note.operation !== 'enqueue') continue
    const waited =
      time === null || note.time === null ? '' : `, delivered ${duration(time - note.time)} later`
    yield `queued ${dayAndTime(note.time)}${waited} as ${became}`
  }
}
