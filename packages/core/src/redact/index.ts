/** Secrets and personal data in texts: finding and replacing them. */

export type { Found } from './anchors.js'
export { findAcross, findSecrets, findWritten, PLACEHOLDER } from './find.js'
export {
  createRedactor,
  type FoundSecret,
  REDACT_WHAT,
  type RedactOptions,
  type Redactor,
  type RedactWhat,
} from './redactor.js'
