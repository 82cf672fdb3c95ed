/** Commits, and the sessions behind them. */
import { describeAdded } from '@dagline/core/blame'
import { cleanLine } from '@dagline/core/content'
import { dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import type { CommitSession, CommitSessions } from '@dagline/core/protocol'
import type { Console } from '../console.js'
import type { CommitSessionsJson } from '../json/blame.js'
import { promptFacts } from './blame.js'
import { fit } from './width.js'

/** The fields of a commit in `commits --json`. */
export function commitFacts({ sessions, ...commit }: CommitSessions): CommitSessionsJson {
  return {
    ...commit,
    time: isoTime(commit.time),
    sessions: sessions.map(({ prompts, ...session }) => ({
      ref: session.session,
      ...session,
      prompts: prompts.map(({ lines, ...prompt }) => ({ ...promptFacts(prompt), lines })),
    })),
  }
}

/** A commit: what it added, and who wrote it. */
export function* commitLines(console: Console, commit: CommitSessions): Generator<string> {
  const { style } = console
  const { hash, author, time, subject, sessions } = commit
  yield `${style.id(shortId(hash))} ${style.strong(cleanLine(subject))}  ${style.faint(`${cleanLine(author)}, ${dayAndTime(time)}`)}`
  yield style.faint(`  ${describeAdded(commit)}`)
  if (sessions.length === 0) yield '  no session'
  for (const session of sessions) yield* sessionLines(console, session)
  yield ''
}

function* sessionLines({ style, width }: Console, session: CommitSession): Generator<string> {
  const { lines, files, prompts, committed, title } = session
  const wrote = `${plural(lines, 'line')} in ${plural(files.length, 'file')}`
  const did = [
    ...(lines === 0 ? [] : [style.faint(wrote)]),
    ...(committed === null ? [] : [style.good('made the commit')]),
  ]
  yield `  ${style.id(shortId(session.session))} ${cleanLine(title ?? '')}  ${did.join(', ')}`
  for (const { node, text, lines: own } of prompts) {
    const count = own === 0 ? '' : ` (${plural(own, 'line')})`
    yield `    ${style.id(shortId(node))} ${fit(cleanLine(text), width - 24)}${style.faint(count)}`
  }
}
