/** Agents: conversations of their own, inline or in a file, spawned by a call of another conversation. */
import { attachmentBody, queueRow, userBody } from './bodies.js'
import { compact } from './compact.js'
import type { Agent, AgentRun, Node, Process, SpawnCall, TranscriptFile } from './model.js'
import { openFile } from './process.js'
import { note, record, tick, words } from './recorder.js'
import { planCalls, round } from './round.js'
import { answer } from './speech.js'
import { ask, finish } from './turn.js'

/** Runs the agent of a spawning call to its end. */
export function runAgent(owner: Process, call: SpawnCall): AgentRun {
  const { rng } = owner.world
  const p = startAgent(owner)
  const parent = owner.style.words === 'seed' ? call.node : null
  const late = p.style.name === '2.1.101' && rng.chance(owner.world.lateRoots)
  const root = record(p, userBody(p, call.spawn.prompt), { kind: 'user' }, { parent, late })
  nameAgent(p, root)
  for (let rounds = rng.pick([0, 1, 1, 2]); rounds > 0; rounds--) {
    finish(round(p, planCalls(p)))
    if (p.style.compaction === 'boundary' && p.agent?.id && rng.chance(0.05)) compact(p, 'auto')
  }
  const reply = words(owner.world, 'reply')
  answer(p, reply)
  const id = p.agent?.id ?? null
  enterAgent(owner, p, { toolUse: call.id, name: call.spawn.name, root: root.uuid, warmup: false })
  writeMeta(owner, p, call)
  if (call.spawn.background && id) owner.notices.push({ agent: id, toolUse: call.id, reply })
  return { id, reply }
}

/** A warm-up: an agent that belongs to no call (2.0.64). */
export function warmUp(owner: Process): void {
  const p = startAgent(owner)
  const root = record(p, userBody(p, 'Warmup'), { kind: 'user' }, { parent: null })
  nameAgent(p, root)
  if (owner.world.rng.chance(0.7)) answer(p, 'ok')
  enterAgent(owner, p, { toolUse: null, name: null, root: root.uuid, warmup: true })
}

/** Tells the main conversation that a background agent has ended: as a prompt of its own, or in mid turn. */
export function deliverNotice(p: Process, midTurn: boolean): void {
  const notice = p.notices.shift()
  if (!notice) return
  const text =
    `<task-notification>\n<task-id>${notice.agent}</task-id>\n<tool-use-id>${notice.toolUse}</tool-use-id>\n` +
    `<status>completed</status>\n<result>${notice.reply}</result>\n</task-notification>`
  tick(p.world)
  note(p, queueRow(p, 'enqueue', { content: text }))
  const node = midTurn && p.style.midTurn === 'attachment' ? absorbNotice(p, text) : tellNotice(p, text)
  p.world.ledger.queue.push({ path: p.file.path, text, became: 'notification', node })
}

function absorbNotice(p: Process, text: string): string {
  note(p, queueRow(p, 'remove'))
  return record(p, attachmentBody('queued_command', { prompt: text, commandMode: 'task-notification' })).uuid
}

function tellNotice(p: Process, text: string): string {
  note(p, queueRow(p, 'dequeue'))
  if (p.world.rng.chance(0.3)) record(p, userBody(p, 'tools used before', { isMeta: true }), { kind: 'user' })
  const extra =
    p.style.name === '2.1.41' ? {} : { origin: { kind: 'task-notification' }, promptSource: 'system' }
  const node = ask(p, text, { dequeued: true, extra })
  answer(p)
  return node.uuid
}

function startAgent(owner: Process): Process {
  const { rng } = owner.world
  const inline = owner.style.agents === 'inline'
  const id = inline ? null : rng.hex(owner.style.agentIdDigits)
  const agent: Agent = { id, depth: (owner.agent?.depth ?? 0) + 1, key: id ?? '' }
  const file = id === null ? owner.file : agentFile(owner, id)
  const state = { tip: null, memory: null, choices: null, points: [], answered: null }
  return { ...owner, file, agent, headless: false, state, notices: [], compacted: false, revived: false }
}

function agentFile(owner: Process, id: string): TranscriptFile {
  const { project } = owner.world
  const folder = owner.style.agents === 'flat' ? project : `${project}/${owner.file.session}/subagents`
  return openFile(owner.world, `${folder}/agent-${id}.jsonl`, owner.file.session)
}

/** Known before the agent's own agents are. */
function nameAgent({ agent }: Process, root: Node): void {
  if (agent) agent.key = agent.id ?? root.uuid
}

interface AgentFacts {
  readonly toolUse: string | null
  readonly name: string | null
  readonly root: string
  readonly warmup: boolean
}

function enterAgent(owner: Process, p: Process, facts: AgentFacts): void {
  if (!p.agent) return
  const { depth, key } = p.agent
  owner.world.ledger.agents[key] = {
    ...facts,
    ownerAgent: owner.agent?.key ?? null,
    depth,
    path: p.file.path,
  }
}

/** The sidecar, as much of it as the style writes. */
function writeMeta(owner: Process, p: Process, { id, spawn }: SpawnCall): void {
  const { meta } = p.style
  if (meta === 'none' || !p.agent?.id) return
  const link = meta === 'type' ? {} : { toolUseId: id, spawnDepth: p.agent.depth }
  const parent = owner.agent?.id ? { parentAgentId: owner.agent.id } : {}
  const requestShape = spawn.background ? 'background' : 'foreground'
  const rest = meta === 'full' ? { ...parent, requestShape, finished: true } : {}
  const text = JSON.stringify({ agentType: spawn.name, description: 'delegated', ...link, ...rest })
  owner.world.metas.push({ path: p.file.path.replace(/\.jsonl$/, '.meta.json'), text })
}
