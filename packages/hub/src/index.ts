/** Everything that the command uses of the hub. */

export type { HubAuditRow } from './access/audit.js'
export { ROLES } from './access/people.js'
export { SCOPES } from './access/tokens.js'
export { judgeOnce, runJudge } from './judge/run.js'
export type { HeldProject } from './push/choose.js'
export {
  checkAddress,
  findHub,
  isDatabase,
  openPushing,
  type PushStatus,
  shownAddress,
} from './push/client.js'
export type { FetchedFile } from './push/fetch.js'
export { keepHubToken } from './push/machine.js'
export type { PushReport } from './push/push.js'
export { openHubHistory } from './remote/history.js'
export type { HubDevice, HubHold, HubPerson } from './serve/answers.js'
export { askHub } from './serve/ask.js'
export { serveHub } from './serve/hub.js'
