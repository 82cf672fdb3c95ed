import { type FaultKind, fromDiagnostics } from './fault.js'

/** D11: agents whose transcript is gone. */
export const missingAgent: FaultKind = {
  id: 'missing-agent',
  rule: 'D11',
  title: 'subagent transcripts missing',
  meaning: 'A result names a subagent whose transcript is gone: deleted, or not copied with the session.',
  cost: 'What the subagent did cannot be read, and it cannot be continued. Its answer is in the result.',
  remedy: '`dagline restore` brings the transcript back where the archive has it; otherwise it is gone.',
  fix: 'dagline restore SESSION',
  find: context => fromDiagnostics(context, ['dag/missing-agent-file'], () => 'info'),
}
