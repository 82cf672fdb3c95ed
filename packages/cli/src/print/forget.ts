/** What is forgotten of the archive, as text and as JSON. */
import type { ForgetReport } from '@dagline/app'
import { cleanLine } from '@dagline/core/content'
import { bytes, plural, shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import type { ForgetJson } from '../json/changes.js'
import type { Printable } from '../json/fields.js'
import { type Column, tableLines } from './table.js'

type ForgottenFile = ForgetReport['files'][number]

/** What goes and what stays, before it is done. */
export function* forgetLines(console: Console, report: ForgetReport): Generator<string> {
  const { sessions, files, versions, held, only } = report
  if (held.length > 0)
    yield `${plural(held.length, 'session')} held, not forgotten: ${held.map(shortId).join(', ')}`
  if (sessions.length === 0) {
    yield 'No session to forget.'
    return
  }
  yield* tableLines(files, columns(console), console)
  yield ''
  yield `Forgets ${plural(sessions.length, 'session')}: ${plural(files.length, 'file')} in ${plural(versions, 'version')}, ${bytes(report.bytes)}.`
  yield `${bytes(report.erased)} that nothing else in the archive has are erased. This cannot be undone.${sharedText(report)}`
  if (only.length > 0)
    yield console.style.bad(
      `${plural(only.length, 'session exists', 'sessions exist')} in the archive only: nothing is left afterwards.`,
    )
}

function sharedText({ shared, sharedWith }: ForgetReport): string {
  if (shared === 0) return ''
  const names = sharedWith.slice(0, MOST_NAMED).map(shortId).join(', ')
  const more = sharedWith.length > MOST_NAMED ? ` and ${sharedWith.length - MOST_NAMED} more` : ''
  return ` ${bytes(shared)} stay, because other files have the same rows${names === '' ? '' : ` (${names}${more})`}.`
}

const MOST_NAMED = 5

function columns({ style }: Console): readonly Column<ForgottenFile>[] {
  return [
    { title: 'session', text: ({ session }) => shortId(session ?? ''), paint: style.id },
    { title: 'versions', text: ({ versions }) => String(versions), align: 'right' },
    { title: 'size', text: file => bytes(file.bytes), align: 'right' },
    { title: 'file', text: ({ path }) => cleanLine(path), flexible: true },
  ]
}

export function forgetFacts(report: ForgetReport): Printable<ForgetJson> {
  const { path, isMade, sessions, files, held, only, sharedWith, traces, index } = report
  return {
    archive: path,
    made: isMade,
    sessions,
    files: {
      list: files.map(file => ({
        session: file.session,
        root: file.root,
        file: file.path,
        bytes: file.bytes,
        versions: file.versions,
      })),
    },
    versions: report.versions,
    bytes: report.bytes,
    erased: report.erased,
    shared: report.shared,
    sharedWith,
    archivedOnly: only,
    held,
    traces,
    index,
  }
}
