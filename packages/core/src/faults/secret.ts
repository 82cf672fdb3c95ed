import { groupBy } from '../model/group.js'
import type { SecretPlace } from '../resume/survey.js'
import { counted, type FaultKind, type Finding } from './fault.js'

/** D12: secrets in plain text. */
export const secret: FaultKind = {
  id: 'secret',
  title: 'secrets in plain text',
  meaning: 'Keys, tokens or passwords stand in the transcript as they were read or typed.',
  cost: 'Whoever gets the file has them: backups, exports, shared sessions. Replace them where they are in use.',
  fix: 'dagline export SESSION --redact',
  find: ({ survey: { secrets } }) => [...groupBy(secrets, ({ kind }) => kind)].map(describe),
}

function describe([kind, places]: readonly [string, readonly SecretPlace[]]): Finding {
  const rows = new Set(places.map(({ row }) => row)).size
  const message = `${counted(places.length, kind)} on ${counted(rows, 'row')}.`
  return { severity: 'warning', node: null, row: places[0]?.row ?? null, message, count: places.length }
}
