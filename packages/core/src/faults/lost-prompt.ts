import { type FaultKind, fromDiagnostics } from './fault.js'

/** D11: typed, queued, never delivered. */
export const lostPrompt: FaultKind = {
  id: 'lost-prompt',
  title: 'lost prompts',
  meaning: 'Text was typed while the model worked, queued, and never delivered.',
  cost: 'Nobody has answered it. The text is in the message: it can be sent again.',
  fix: null,
  find: context => fromDiagnostics(context, ['dag/lost-input'], () => 'warning'),
}
