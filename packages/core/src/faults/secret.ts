import { groupBy } from '../model/group.js'
import { counted, type FaultKind, findingInFile } from './fault.js'

/** D12: secrets in plain text. */
export const secret: FaultKind = {
  id: 'secret',
  rule: 'D12',
  title: 'secrets in plain text',
  meaning: 'Keys, tokens or passwords stand in the transcript as they were read or typed.',
  cost: 'Anyone who gets the file can read them: backups, exports, shared sessions. Replace them where they are in use.',
  remedy: '`dagline export --redact` writes a copy without them. The transcript itself stays as it is.',
  fix: 'dagline export SESSION --redact',
  find: ({ survey: { secrets } }) =>
    Array.from(
      groupBy(secrets, ({ kind }) => kind),
      ([kind, places]) => {
        const rows = new Set(places.map(({ row }) => row))
        const message = `${counted(places.length, kind)} on ${counted(rows.size, 'row')}.`
        return { ...findingInFile('warning', message, places.length), row: places[0]?.row ?? null }
      },
    ),
}
