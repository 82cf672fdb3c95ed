/** How a process writes: an entry gets its envelope, its place in the chain, and a place in the process's memory. */
import type { Json } from '../base/json.js'
import type { Item, Node, Process, TranscriptFile, World } from './model.js'

/** What the process remembers of an entry; all of it may be left out. */
type About = Partial<Omit<Item, 'node' | 'error'>> & { readonly error?: boolean }

/** Where an entry goes, when it does not simply follow the tip. */
interface Link {
  readonly parent?: Node | null
  /** Off the conversation's way: neither remembered nor followed. */
  readonly isAside?: boolean
  readonly time?: string
  readonly uuid?: string
  /** Its row stands behind the next one. */
  readonly late?: boolean
  /** What it continues, where it has no parent (a boundary). */
  readonly before?: Node | null
  /** The row names another parent than the true one: an entry that was never written. */
  readonly claims?: string | undefined
}

/** Writes a chained entry at the tip of the conversation, or where `link` says. */
export function record(p: Process, body: Json, about: About = {}, link: Link = {}): Node {
  const parent = link.parent === undefined ? p.state.tip : link.parent
  const uuid = link.uuid ?? p.world.rng.uuid()
  const parentUuid = link.claims ?? parent?.uuid ?? null
  const row = envelope(p, body, { uuid, parentUuid, time: link.time ?? tick(p.world) })
  const node = addNode(p.world, p.file, { uuid, parent, row, before: link.before ?? parent })
  emit(p.world, p.file, { row, node, late: link.late === true })
  if (link.isAside) return node
  follow(p, node, about)
  return node
}

/** Writes a record without uuid: it is outside the graph. */
export function note(p: Process, row: Json): void {
  emit(p.world, p.file, { row, node: null, late: false })
}

/** The next instant, as written. */
export function tick(world: World): string {
  world.clock += 1 + world.rng.int(3000)
  return instant(world)
}

/** The instant of the last row. */
export function instant(world: World): string {
  return new Date(world.clock).toISOString()
}

/** A text that no other entry has. */
export function words(world: World, topic: string): string {
  world.texts++
  return `${topic} ${world.texts}`
}

/** What `addNode` needs to know. */
type NodeSource = Pick<Node, 'uuid' | 'parent' | 'row' | 'before'>

/** Takes a new node into a file, counting it as a child of its parent. */
export function addNode(world: World, file: TranscriptFile, from: NodeSource): Node {
  const node: Node = {
    uuid: from.uuid,
    parent: from.parent,
    before: file.marked ? from.before : null,
    row: world.keepRows ? from.row : null,
    place: file.entries,
    children: 0,
    branch: null,
  }
  file.entries++
  world.entries++
  file.nodes?.push(node)
  if (from.parent) {
    from.parent.children++
    if (from.parent.children === 2) world.ledger.parents.add(from.parent.uuid)
  }
  return node
}

/** A row on its way to disk. */
interface Emission {
  readonly row: Json
  readonly node: Node | null
  readonly late: boolean
}

/** Sends a row to its file; a late one waits for the next. */
export function emit(world: World, file: TranscriptFile, { row, node, late }: Emission): void {
  if (file.marked) {
    file.marked.push({ row, node })
    return
  }
  const text = JSON.stringify(row)
  if (late) flushHeld(world, file)
  if (late) file.held = text
  else world.sink.row(file.path, text, node !== null)
  if (!late) flushHeld(world, file)
}

/** Writes the row that was held back, if there is one. */
export function flushHeld(world: World, file: TranscriptFile): void {
  if (file.held !== null) world.sink.row(file.path, file.held, true)
  file.held = null
}

function follow(p: Process, node: Node, about: About): void {
  const item: Item = {
    node,
    kind: about.kind ?? 'other',
    message: about.message ?? null,
    calls: about.calls ?? [],
    answers: about.answers ?? null,
    thinking: about.thinking ?? false,
    error: about.error === true && (p.style.sendsNotices ? 'later' : 'never'),
  }
  p.state = { ...p.state, tip: node, memory: { item, before: p.state.memory } }
  // An inline agent's rows are in its owner's file, but the live conversation there is the owner's.
  if (p.agent === null || p.agent.id !== null) p.file.owner = p
}

interface Stamp {
  readonly uuid: string
  readonly parentUuid: string | null
  readonly time: string
}

function envelope(p: Process, body: Json, { uuid, parentUuid, time }: Stamp): Json {
  if (p.style.words === 'seed') return { uuid, parentUuid, ...body, ...seedMarks(p), timestamp: time }
  return {
    parentUuid,
    isSidechain: p.agent !== null,
    userType: 'external',
    cwd: '/home/dev/proj',
    sessionId: p.file.session,
    version: p.style.name,
    gitBranch: 'main',
    ...(p.agent?.id ? { agentId: p.agent.id } : {}),
    ...body,
    uuid,
    timestamp: time,
  }
}

function seedMarks({ agent, file }: Process): Json {
  if (!agent) return { sessionId: file.session }
  const nesting = agent.depth > 1 ? { nestingLevel: agent.depth } : {}
  return { sessionId: file.session, isSidechain: true, userType: 'external', ...nesting }
}
