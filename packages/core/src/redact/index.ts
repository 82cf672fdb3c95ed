/** Secrets and personal data in texts: finding and replacing them. */

export type { Found } from './anchors.js'
export { findSecrets } from './find.js'
export {
  createRedactor,
  REDACT_WHAT,
  type RedactOptions,
  type Redactor,
  type RedactWhat,
} from './redactor.js'
