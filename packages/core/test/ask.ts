/** Questions to a drawn shape, answered in one line each. */
import { expandShape, type TextFile } from '@dagline/testkit'
import { actorName } from '../src/index.js'
import { type Drawn, drawnOf, graphOfFiles } from './support.js'

/** Every agent, by its start: `x Explore 1 complete: t1 of a1 by meta`; `none` where no call was found. */
export function agents(d: Drawn): readonly string[] {
  return d.graph.agents().map(({ id, name, depth, state, spawnedBy }) => {
    const call = spawnedBy?.call.id.replace('toolu_', '')
    const by = spawnedBy === null ? 'none' : `${call} of ${d.say([spawnedBy.node])} by ${spawnedBy.evidence}`
    return `${id} ${name} ${depth} ${state}: ${by}`
  })
}

/** Which call each agent comes from, and by what evidence: `x t1 meta`. */
export function spawns(d: Drawn): readonly string[] {
  return d.graph.agents().map(({ id, spawnedBy }) => {
    const by =
      spawnedBy === null ? 'none' : `${spawnedBy.call.id.replace('toolu_', '')} ${spawnedBy.evidence}`
    return `${id} ${by}`
  })
}

/** Every session: `s2 < s1 at a1 (fork)`. */
export function sessions(d: Drawn): readonly string[] {
  const all = d.graph.sessions()
  return all.map(({ id, parent }) => {
    if (parent === null) return id
    return `${id} < ${parent.session} at ${d.say([parent.at])} (${parent.how})`
  })
}

/** The title of a session. */
export function title(d: Drawn, session = 's1'): string | null {
  const found = d.graph.sessions().find(({ id }) => id === session)
  if (found === undefined) throw new RangeError(`no session ${session}`)
  return found.title
}

/** Who speaks, token by token. */
export function actors(d: Drawn, tokens: string): string {
  return tokens
    .split(' ')
    .map(token => actorName(d.graph.actor(d.node(token))))
    .join(' ')
}

/** What became of each queue operation of a file: `enqueue prompt u1`. */
export function fates(d: Drawn, path = 's1.jsonl'): readonly string[] {
  const queue = d.graph.queues().find(({ file }) => file.facts.path === path)
  return (queue?.steps ?? []).map(({ note, became, node }) =>
    `${note.operation} ${became} ${node === null ? '' : d.say([node])}`.trim(),
  )
}

/** The diagnostics of the graph, without those of rows: `warning dag/orphan s1.jsonl:3 u2`. */
export function problems(d: Drawn): readonly string[] {
  return d.graph
    .diagnostics()
    .map(({ rule, severity, file, row, node }) =>
      `${severity} ${rule} ${file}:${row} ${node === null ? '' : d.shape.say([node])}`.trim(),
    )
}

/** The message of the only diagnostic with a rule. */
export function message(d: Drawn, rule: string): string {
  const found = d.graph.diagnostics().filter(known => known.rule === rule)
  if (found.length !== 1 || found[0] === undefined) throw new RangeError(`${found.length} times ${rule}`)
  return found[0].message
}

/** Draws a shape whose files lie elsewhere: in the folder of a workflow run, for one. */
export function drawAt(text: string, paths: Readonly<Record<string, string>>): Drawn {
  const shape = expandShape(text)
  const move = (file: TextFile): TextFile => ({ ...file, path: paths[file.path] ?? file.path })
  return drawnOf(shape, graphOfFiles(shape.files.map(move), shape.metas.map(move)))
}

/** A queue row of a shape. */
export function queueRow(operation: string, content?: string, more: object = {}): string {
  return JSON.stringify({ type: 'queue-operation', operation, sessionId: 's1', content, ...more })
}
