/** `dagline show`: one message with all its parts, its calls and their results. */

import { type Contents, jsonLines, type Label, type Labels } from '@dagline/app'
import { actorName, type Graph, isSpoken, type Line } from '@dagline/core'
import { cleanLine, cleanText, readBlocks, writtenBy } from '@dagline/core/content'
import { dayAndTime, shortId } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { blockLines } from '../print/blocks.js'
import { labelFacts, labelsOn, labelWords } from '../print/names.js'
import { wrap } from '../print/width.js'

/** Adds `dagline show`. */
export function addShow(program: Command): void {
  const made = command(
    program,
    'show <ref>',
    'Print one message with all its parts, tool calls and tool results.',
  ).option('--raw', 'print the rows as they are in the file')
  const act: Action = async (console, [ref = ''], { raw }) => {
    await show(console, ref, raw === true)
  }
  finish(made, act, [
    'dagline show 79cad093',
    'dagline show latest:79ca',
    'dagline show 79cad093 --raw | jq .message',
  ])
}

/** Prints the message of a node. */
async function show(console: Console, ref: string, isRaw: boolean): Promise<void> {
  const { loaded, node, line } = await console.history.entryOf(ref)
  const { graph } = loaded
  const nodes = messageOf(graph, line === null ? node : firstSaid(graph, line, node))
  const contents = await console.history.contentsOf({ root: loaded.root, graph })
  if (isRaw) await console.print(rawLines(console, contents, nodes))
  else if (console.options.json)
    await console.print(factLines(console.history.labels(), graph, contents, nodes))
  else await console.page(() => prettyLines(console, graph, contents, nodes))
  contents.close()
}

/** What a branch or agent begins with for a reader: its first prompt, else the first thing said; hooks may come before. */
function firstSaid(graph: Graph, { nodes }: Line, head: number): number {
  const prompt = nodes.find(node => ['prompt', 'command'].includes(graph.node(node).type))
  return prompt ?? nodes.find(node => isSpoken(graph, node)) ?? head
}

/** The parts of the node's message and the results of their calls; for a result, the call it answers comes too. */
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

/** The rows as they stand in the file; on a terminal without what could harm it. */
function* rawLines({ isTerminal }: Console, contents: Contents, nodes: readonly number[]): Generator<string> {
  for (const node of nodes) {
    const raw = contents.raw(node) ?? ''
    yield isTerminal ? cleanText(raw) : raw
  }
}

function factLines(
  labels: Labels,
  graph: Graph,
  contents: Contents,
  nodes: readonly number[],
): Iterable<string> {
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
  return jsonLines([
    ['dagline', 1],
    ['message', message],
    ['parts', { list: parts }],
  ])
}

function* prettyLines(
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
      time === null || note.time === null ? '' : `, delivered ${waitedFor(time - note.time)} later`
    yield `queued ${dayAndTime(note.time)}${waited} as ${became}`
  }
}

function waitedFor(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`
}

/** What the user calls it, and the note about it. */
function* labelLines({ style, width }: Console, label: Label): Generator<string> {
  const words = cleanLine(labelWords(label))
  if (words !== '') yield style.strong(words)
  for (const line of wrap(cleanText(label.note ?? ''), width - 2)) if (line !== '') yield `  ${line}`
}
