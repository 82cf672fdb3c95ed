/** A round of tool calls: one message with calls in it, and their results in the order in which they come in. */
import type { Json } from '../base/json.js'
import { resultBody } from './bodies.js'
import type { AgentRun, ApiMessage, Node, Process, Spawn } from './model.js'
import { hook, remind, showProgress } from './notes.js'
import { record, words } from './recorder.js'
import { newMessage, type Steps, speak, textBlock, thinkingBlock } from './speech.js'

/** A call that is going to be made. */
interface PlannedCall {
  readonly id: string
  readonly name: string
  readonly input: Json
  readonly spawn: Spawn | null
}

/** A call that was made, and waits for its result. */
export interface OpenCall extends PlannedCall {
  readonly node: Node
  readonly message: ApiMessage
}

const TOOLS = ['Bash', 'Read', 'Grep', 'Write']
const AGENT_NAMES = ['general-purpose', 'Explore', 'bug-hunter']
const MAX_DEPTH = 3

/** One to four calls; agents among them where they are asked for, and where the style lets this process spawn. */
export function planCalls(p: Process, spawns?: 'agents' | 'background'): PlannedCall[] {
  const { rng } = p.world
  const may = p.agent === null || (p.style.nestedAgents && p.agent.depth < MAX_DEPTH)
  const wanted = p.agent === null ? spawns !== undefined : rng.chance(0.3)
  const agents = may && wanted ? rng.pick([1, 1, 2, 3]) : 0
  const plain = agents > 0 ? rng.int(2) : rng.pick([1, 1, 2, 3, 4])
  const background = spawns === 'background' && p.style.background
  return rng.shuffle([
    ...Array.from({ length: agents }, () => spawnCall(p, background)),
    ...Array.from({ length: plain }, () => plainCall(p)),
  ])
}

function plainCall(p: Process): PlannedCall {
  const { rng } = p.world
  const input = { command: words(p.world, 'run'), description: 'a command' }
  return { id: `toolu_${rng.hex(24)}`, name: rng.pick(TOOLS), input, spawn: null }
}

function spawnCall(p: Process, background: boolean): PlannedCall {
  const { rng } = p.world
  const spawn = { name: rng.pick(AGENT_NAMES), prompt: words(p.world, 'task'), background }
  const input = { description: 'delegated', prompt: spawn.prompt, subagent_type: spawn.name }
  return { id: `toolu_${rng.hex(24)}`, name: p.style.spawnTool, input, spawn }
}

/** The steps of a round. Results of fast calls may be written while later parts still stream. */
export function* round(p: Process, calls: readonly PlannedCall[]): Steps {
  const { rng } = p.world
  const open: OpenCall[] = []
  for (const made of sayCalls(p, calls)) {
    open.push(...made)
    yield
    // Only of the call just made: the parts stay on one chain, which gives their order.
    if (p.style.earlyResults && made.length > 0 && rng.chance(0.2)) giveResult(p, takeFrom(open, made))
  }
  while (open.length > 0) {
    giveResult(p, takeFrom(open, [rng.pick(open)]))
    yield
  }
  if (p.style.reminders.length > 0 && rng.chance(0.2)) remind(p)
}

/** Writes the parts of a message with calls, one by one; yields the calls of each. */
export function* sayCalls(p: Process, calls: readonly PlannedCall[]): Generator<OpenCall[], void, void> {
  const message = newMessage(p)
  const blocks = blocksOf(p, calls)
  if (!p.style.split) {
    const [node] = speak(p, message, blocks)
    yield node ? calls.map(call => ({ ...call, node, message })) : []
    return
  }
  for (const block of blocks) {
    const [node] = speak(p, message, [block])
    const call = calls.find(({ id }) => id === block.id)
    yield node && call ? [startCall(p, { ...call, node, message })] : []
  }
}

function startCall(p: Process, call: OpenCall): OpenCall {
  if (p.hooks && p.world.rng.chance(0.4)) hook(p, 'PreToolUse', call.id)
  return call
}

/** Thinking, words, then the calls, with words between them now and then. */
function blocksOf(p: Process, calls: readonly PlannedCall[]): Json[] {
  const { rng } = p.world
  const thinks = rng.chance(0.3)
  const head = [...(thinks ? [thinkingBlock(p)] : []), ...(thinks || rng.chance(0.5) ? [textBlock(p)] : [])]
  const tail = calls.flatMap(({ id, name, input }, at) => {
    const call: Json = { type: 'tool_use', id, name, input }
    return at > 0 && rng.chance(0.15) ? [textBlock(p), call] : [call]
  })
  return [...head, ...tail]
}

function takeFrom(open: OpenCall[], [call]: readonly OpenCall[]): OpenCall {
  if (!call) throw new RangeError('no call is open')
  open.splice(open.indexOf(call), 1)
  return call
}

/** Writes the result of a call: under its own call, or behind the last row. */
export function giveResult(p: Process, call: OpenCall): void {
  showProgress(p, call.id)
  const run = call.spawn ? p.world.runAgent(p, { id: call.id, node: call.node, spawn: call.spawn }) : null
  answerCall(p, call, run ? spawnResult(call, run) : plainResult(p))
  if (p.hooks && p.world.rng.chance(0.4)) hook(p, 'PostToolUse', call.id)
}

/** What a result says, and the structured form of it. */
interface Outcome {
  readonly content: unknown
  readonly extra: Json
  readonly error?: boolean
}

/** Writes a result with the given outcome. */
export function answerCall(p: Process, call: OpenCall, { content, extra, error }: Outcome): Node {
  const body = resultBody(p, { id: call.id, content, source: call.node, error: error === true, extra })
  const about = { kind: 'user', message: call.message, answers: call.id } as const
  return record(p, body, about, p.style.results === 'tree' ? { parent: call.node } : { claims: unwritten(p) })
}

/** Hooks and background runs of 2.0.64 leave no rows, but agent files name them as parents all the same. */
function unwritten(p: Process): string | undefined {
  const { rng, unwritten: chance } = p.world
  return p.agent?.id && p.style.name === '2.0.64' && rng.chance(chance) ? rng.uuid() : undefined
}

function plainResult(p: Process): Outcome {
  const out = words(p.world, 'out')
  if (p.world.rng.chance(0.1))
    return { content: `Error: ${out}`, error: true, extra: { toolUseResult: `Error: ${out}` } }
  return { content: out, extra: { toolUseResult: { stdout: out, stderr: '', interrupted: false } } }
}

function spawnResult(call: OpenCall, { id, reply }: AgentRun): Outcome {
  const prompt = call.spawn?.prompt
  const named = id === null ? {} : { agentId: id }
  const launched = { isAsync: true, status: 'async_launched', ...named, prompt, outputFile: 'tasks/out' }
  const done = { status: 'completed', ...named, prompt, content: [{ type: 'text', text: reply }] }
  const text = call.spawn?.background ? 'Async agent launched successfully.' : reply
  return {
    content: [{ type: 'text', text }],
    extra: { toolUseResult: call.spawn?.background ? launched : done },
  }
}
