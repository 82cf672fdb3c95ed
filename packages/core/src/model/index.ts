/** Small helpers that the packages of dagline share. */

export { CONTEXT_CATEGORIES, type ContextCategory, type ContextPiece, type TextKind } from './context.js'
export { withEllipsis } from './ellipsis.js'
export { never } from './entry.js'
export type { EditFate, FileChange, OriginEvidence, Replacement } from './file-change.js'
export { groupBy, lazily, pushTo, sumCosts, sumOf } from './group.js'
export { jsonIn } from './json.js'
export { commandLine, plainPrompt } from './prompt-words.js'
export { shellWord } from './shell.js'
export { isProjectFolder, projectFolder } from './source.js'
