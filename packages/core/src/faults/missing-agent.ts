import { type FaultKind, fromDiagnostics } from './fault.js'

/** D11: agents whose transcript is gone. */
export const missingAgent: FaultKind = {
  id: 'missing-agent',
  title: "agents' transcripts missing",
  meaning: 'A result names an agent whose transcript is not there: deleted, or not copied with the session.',
  cost: 'What the agent did cannot be read, and the agent cannot be continued; its answer is in the result.',
  fix: 'dagline restore SESSION',
  find: context => fromDiagnostics(context, ['dag/missing-agent-file'], () => 'info'),
}
