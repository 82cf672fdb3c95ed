/** The SDK's `forkSession()`: the whole file again, abandoned branches too, under fresh uuids. */
import { type Json, parseJson } from '../base/json.js'
import { itemsOf, memoryOf } from './memory.js'
import type { Branch, Choice, Node, Process } from './model.js'
import { EMPTY_STATE, openSession, startProcess } from './process.js'
import { addNode, emit, instant, tick } from './recorder.js'
import type { Style } from './styles.js'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Forks a session as the SDK does. The world must keep whole files. */
export function sdkFork(p: Process, style: Style): Process {
  const next = startProcess(p.world, style, openSession(p.world), EMPTY_STATE)
  const nodes = p.file.nodes ?? []
  tick(p.world)
  const fresh = new Map(nodes.map(node => [node.uuid, p.world.rng.uuid()]))
  const copies = copyNodes(p, next, nodes, fresh)
  const branches = copyBranches(p, next, fresh)
  const items = itemsOf(p.state.memory).flatMap(item => {
    const node = copies.get(item.node)
    return node ? [{ ...item, node }] : []
  })
  const tip = p.state.tip ? (copies.get(p.state.tip) ?? null) : null
  next.state = {
    ...EMPTY_STATE,
    tip,
    memory: memoryOf(items),
    choices: copyChoices(p.state.choices, branches),
  }
  next.file.owner = next
  return next
}

function copyNodes(p: Process, next: Process, nodes: readonly Node[], fresh: ReadonlyMap<string, string>) {
  const { world } = p
  const copies = new Map<Node, Node>()
  for (const [at, node] of nodes.entries()) {
    const parent = node.parent ? (copies.get(node.parent) ?? null) : null
    const row = copyRow(p, next, node.row ?? {}, fresh)
    // The last one gets the time of the fork.
    const stamped = at === nodes.length - 1 ? { ...row, timestamp: instant(world) } : row
    const copy = addNode(world, next.file, { uuid: String(row.uuid), parent, row: stamped, before: parent })
    copies.set(node, copy)
    world.ledger.copies[copy.uuid] = world.ledger.copies[node.uuid] ?? node.uuid
    emit(world, next.file, { row: stamped, node: copy, late: false })
  }
  return copies
}

function copyRow(p: Process, next: Process, row: Json, fresh: ReadonlyMap<string, string>): Json {
  const { sourceToolAssistantUUID: _, forkedFrom: __, ...rest } = row
  const renamed = JSON.stringify(rest).replace(UUID, uuid => fresh.get(uuid) ?? uuid)
  const forkedFrom = { sessionId: p.file.session, messageUuid: row.uuid }
  return { ...parseJson(renamed), sessionId: next.file.session, forkedFrom }
}

/** The forks of the file, again in the copy. */
function copyBranches(p: Process, next: Process, fresh: ReadonlyMap<string, string>): Map<Branch, Branch> {
  const { ledger } = p.world
  const rename = (uuid: string): string => fresh.get(uuid) ?? uuid
  const copies = new Map<Branch, Branch>()
  for (const branch of ledger.branches.filter(({ session }) => session === p.file.session)) {
    const at = branch.at === null ? null : rename(branch.at)
    const heads = branch.heads.map(rename)
    const copy = { ...branch, session: next.file.session, at, heads, copied: true, liveHead: null }
    copies.set(branch, copy)
  }
  ledger.branches.push(...copies.values())
  for (const list of [ledger.takenBack, ledger.retried]) {
    list.push(...list.flatMap(uuid => fresh.get(uuid) ?? []))
  }
  return copies
}

function copyChoices(choices: Choice | null, branches: ReadonlyMap<Branch, Branch>): Choice | null {
  const list: Choice[] = []
  for (let at = choices; at; at = at.before) list.push(at)
  return list.reduceRight<Choice | null>((before, { branch, head }) => {
    const copy = branches.get(branch)
    const side = copy?.heads[branch.heads.indexOf(head)]
    return copy && side ? { branch: copy, head: side, before } : before
  }, null)
}
