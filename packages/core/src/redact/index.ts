/** Secrets and personal data in texts: finding and replacing them. */

export { findSecrets } from './find.js'
export type { Found } from './found.js'
export {
  createRedactor,
  type KindCount,
  REDACT_WHAT,
  type RedactOptions,
  type Redactor,
  type RedactWhat,
} from './redactor.js'
