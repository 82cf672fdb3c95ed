import { type FaultKind, fromDiagnostics } from './fault.js'

/** D11: typed, queued, never delivered. */
export const lostPrompt: FaultKind = {
  id: 'lost-prompt',
  rule: 'D11',
  title: 'lost prompts',
  meaning: 'Text was typed while the model worked, queued, and never delivered.',
  cost: 'Nobody has answered it. The text is in the message: it can be sent again.',
  remedy: 'Nothing is to be repaired. Send the text again if it still matters.',
  fix: null,
  find: context => fromDiagnostics(context, ['dag/lost-input'], () => 'warning'),
}
