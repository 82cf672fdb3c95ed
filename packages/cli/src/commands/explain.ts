/** `dagline explain`: why an entry is where it is. */

import { type FoundNode, jsonLines } from '@dagline/app'
import { actorName, statusHere } from '@dagline/core'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime } from '@dagline/core/format'
import type { Command } from 'commander'
import { type Action, command, finish } from '../command.js'
import type { Console } from '../console.js'
import { labelFacts, labelsOn, labelWords } from '../print/names.js'
import { fit, pad, wrap } from '../print/width.js'

/** Adds `dagline explain`. */
export function addExplain(program: Command): void {
  const made = command(
    program,
    'explain <ref>',
    'Explain an entry: its parent, verdict, evidence, and whether it is live.',
  )
  const act: Action = async (console, [ref = '']) => {
    await explain(console, ref)
  }
  finish(made, act, [
    'dagline explain 79cad093',
    'dagline explain latest:79ca',
    'dagline explain 79cad093 --json | jq .because',
  ])
}

/** Prints the place of a node, and the rules that gave it. */
async function explain(console: Console, ref: string): Promise<void> {
  const found = await console.history.entryOf(ref)
  const { graph } = found.loaded
  const { id, file, row, parent } = graph.node(found.node)
  const facts = {
    dagline: 1,
    node: id,
    file,
    row,
    parent,
    line: graph.lineOf(found.node)?.id ?? null,
    live: isLive(found),
    ...labelFacts(labelsOn(console.history.labels(), graph, found.node)[0]),
    because: graph.explain(found.node),
  }
  if (console.options.json) return await console.print(jsonLines(Object.entries(facts)))
  const contents = await console.history.contentsOf(found)
  const { text } = contents.summary(found.node)
  contents.close()
  await console.print(lines(console, found, text))
}

function isLive({ loaded: { graph }, node }: FoundNode): boolean {
  const id = graph.id(node)
  return graph.live(graph.node(node).file).some(live => graph.id(live) === id)
}

const LABEL = 8

function* lines(console: Console, found: FoundNode, says: string): Generator<string> {
  const { style, width } = console
  const { loaded, node } = found
  const { graph } = loaded
  const entry = graph.node(node)
  const line = graph.lineOf(node)
  const label = (name: string, text: string): string => `${style.faint(pad(name, LABEL))} ${text}`
  yield label(
    'entry',
    `${style.id(entry.id)}  ${entry.kind} ${entry.type === entry.kind ? '' : entry.type}`.trimEnd(),
  )
  yield label('says', `${actorName(graph.actor(node))}: ${fit(says, width - LABEL - 12)}`)
  yield label(
    'written',
    `${entry.file} row ${entry.row}${entry.time === null ? '' : `, ${dayAndTime(entry.time)}`}`,
  )
  yield label('parent', entry.parent ?? 'none')
  yield label('line', line === null ? 'none' : `${line.id} (${line.kind}, ${statusHere(graph, node)})`)
  for (const given of labelsOn(console.history.labels(), graph, node)) {
    if (labelWords(given) !== '') yield label('called', cleanLine(labelWords(given)))
    if (given.note !== null) yield label('note', cleanLine(given.note))
  }
  yield label('live', isLive(found) ? style.good('yes') : style.bad('no'))
  yield ''
  for (const { rule, evidence } of graph.explain(node)) {
    const [first = '', ...more] = wrap(evidence, width - LABEL - 1)
    yield `${style.id(pad(rule, LABEL))} ${first}`
    for (const rest of more) yield `${' '.repeat(LABEL)} ${rest}`
  }
}
