/** What stands around the conversation: records without uuid, attachments, hooks, entries of a type nobody knows. */
import type { Json } from '../base/json.js'
import { attachmentBody, noteRow, progressBody, systemBody } from './bodies.js'
import type { Node, Process } from './model.js'
import { note, record } from './recorder.js'

/** Writes one of the records without uuid that the style knows. */
export function scatterNote(p: Process): void {
  const { rng } = p.world
  if (p.agent || p.style.notes.length === 0) return
  const type = rng.pick(p.style.notes)
  note(p, { ...noteRow(p, type, NOTES[type]?.(p) ?? { value: rng.int(100) }) })
}

const NOTES: Readonly<Record<string, (p: Process) => Json>> = {
  'file-history-snapshot': p => ({
    messageId: p.state.tip?.uuid ?? p.world.rng.uuid(),
    snapshot: { messageId: p.state.tip?.uuid ?? null, trackedFileBackups: {} },
    isSnapshotUpdate: true,
  }),
  // A hint that lags, or names nothing at all after a rewind.
  'last-prompt': p => ({
    lastPrompt: 'something asked before',
    leafUuid: p.world.rng.chance(0.2) ? '00000000-0000-0000-0000-000000000000' : (p.state.tip?.uuid ?? null),
  }),
  'ai-title': p => ({ aiTitle: `Title ${p.world.rng.int(10)}` }),
  'custom-title': () => ({ customTitle: 'my-title' }),
  'permission-mode': () => ({ permissionMode: 'default' }),
  mode: () => ({ mode: 'normal' }),
  'tools-used': () => ({ tools: ['Bash'] }),
  'atis-latch': () => ({ atis: true }),
  'api-request': p => ({ id: p.world.rng.hex(16), querySource: 'main', keep: 0, tail: [] }),
}

/** Attachments behind a prompt: many behind the first, later a reminder now and then. */
export function attachContext(p: Process): void {
  const { rng } = p.world
  const opening = p.state.points.length <= 1 && p.agent === null
  const types = opening ? p.style.opening : p.agent ? p.style.opening.slice(0, 2) : []
  for (const type of types) record(p, attachmentBody(type, { content: `about ${type}` }))
  if (p.style.reminders.length > 0 && rng.chance(0.3)) remind(p)
  if (p.hooks && rng.chance(0.5)) hook(p, 'UserPromptSubmit', rng.uuid())
}

/** A reminder in the chain. */
export function remind(p: Process): void {
  record(p, attachmentBody(p.world.rng.pick(p.style.reminders), { content: 'reminder' }))
}

/** What hooks leave at the tip: progress in 2.1.41, one or two attachments in newer ones, nothing before. */
export function hook(p: Process, event: string, toolUseID: string): void {
  const { rng } = p.world
  const about = { hookName: `${event}:Bash`, hookEvent: event, toolUseID }
  if (p.style.hooks === 'progress')
    record(p, progressBody('hook_progress', toolUseID, { ...about, command: 'check' }))
  if (p.style.hooks !== 'attachment') return
  record(p, attachmentBody('hook_success', { ...about, content: '', stdout: 'ok', exitCode: 0 }))
  const second = event === 'PreToolUse' ? 'hook_system_message' : 'hook_additional_context'
  if (rng.chance(0.5)) record(p, attachmentBody(second, { ...about, content: 'from the hook' }))
}

/** A shell command's progress: a chain of its own that ends nowhere, beside the result. */
export function showProgress(p: Process, toolUseID: string): void {
  const { rng } = p.world
  if (p.style.hooks !== 'progress' || !rng.chance(0.3)) return
  let parent: Node | null = p.state.tip
  for (let count = rng.between(1, 4); count > 0; count--) {
    const body = progressBody('bash_progress', toolUseID, { output: 'line', totalLines: count })
    parent = record(p, body, {}, { parent, isAside: true })
  }
}

/** An entry of an unknown type in the chain: what follows hangs on it (rule P2). */
export function mystify(p: Process): void {
  record(p, { type: 'future-entry', payload: { depth: p.world.rng.int(9) } })
}

/** The end of a turn: how long it took, and what the stop hooks did. */
export function closeTurn(p: Process): void {
  const { rng } = p.world
  if (p.agent) return
  if (p.hooks && p.style.hooks === 'attachment' && rng.chance(0.4)) {
    record(p, systemBody('stop_hook_summary', { hookCount: 1, hookInfos: [], hookErrors: [] }))
  }
  if (p.style.turnDuration && !p.headless)
    record(p, systemBody('turn_duration', { durationMs: rng.int(9000) }))
  if (rng.chance(0.4)) scatterNote(p)
}
