import { type FaultKind, fromDiagnostics } from './fault.js'

/** D11: agents whose transcript is gone. */
export const missingAgent: FaultKind = {
  id: 'missing-agent',
  rule: 'D11',
  title: "agents' transcripts missing",
  meaning: 'A result names an agent whose transcript is not there: deleted, or not copied with the session.',
  cost: 'What the agent did cannot be read, and the agent cannot be continued; its answer is in the result.',
  remedy: '`dagline restore` brings the transcript back where the archive has it; otherwise it is gone.',
  fix: 'dagline restore SESSION',
  find: context => fromDiagnostics(context, ['dag/missing-agent-file'], () => 'info'),
}
