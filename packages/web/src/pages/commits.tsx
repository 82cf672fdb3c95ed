/** The page of a commit: the sessions and prompts behind it. */

import { describeAdded } from '@dagline/core/blame'
import { plural, shortId } from '@dagline/core/format'
import type { CommitSession, CommitSessions } from '@dagline/core/protocol'
import type { JSX } from 'preact'
import { pathWith } from '../app/api.js'
import { route, sessionPath, useTitle } from '../app/route.js'
import { Badge, When } from '../parts/figures.js'
import { useLoad } from '../parts/load.js'
import { Empty, Failure, Spinner } from '../parts/waiting.js'
import './blame.css'

/** The page of a commit that a session made: `?session=ID&rev=HASH`. */
export function CommitsPage(): JSX.Element {
  const { query } = route.value
  const [session, rev] = [query.get('session') ?? '', query.get('rev') ?? '']
  useTitle(`Commit ${rev}`)
  const isAsked = session !== '' && rev !== ''
  const { value, error, reload } = useLoad<readonly CommitSessions[]>(
    isAsked ? pathWith('/api/commits', { session, rev }) : null,
  )
  if (!isAsked)
    return (
      <Empty isPage title="No commit">
        <p>Open a session, and choose a commit beside the call that made it.</p>
        <p>
          <a href="/">All sessions</a>
        </p>
      </Empty>
    )
  if (value === null) return error === null ? <Spinner /> : <Failure error={error} retry={reload} />
  return (
    <div class="report">
      {value.map(commit => (
        <CommitView key={commit.hash} commit={commit} />
      ))}
    </div>
  )
}

function CommitView({ commit }: { readonly commit: CommitSessions }): JSX.Element {
  const { hash, subject, author, time, sessions } = commit
  return (
    <>
      <header class="report-head">
        <h1>{subject}</h1>
        <p>
          <code>{shortId(hash)}</code> by {author}, <When time={time} />
        </p>
        <p>{describeAdded(commit)}.</p>
      </header>
      {sessions.length === 0 ? <p>No session is behind this commit.</p> : null}
      <ul class="blame-absent">
        {sessions.map(session => (
          <SessionBehind key={session.session} session={session} />
        ))}
      </ul>
    </>
  )
}

function SessionBehind({ session }: { readonly session: CommitSession }): JSX.Element {
  const { title, lines, files, prompts, committed } = session
  return (
    <li>
      <a class="blame-prompt" href={sessionPath(session.session)}>
        {title ?? shortId(session.session)}
      </a>
      <span class="faint">
        {plural(lines, 'line')} in {plural(files.length, 'file')}
      </span>
      {committed === null ? null : (
        <a href={sessionPath(session.session, committed)}>
          <Badge tone="good">made the commit</Badge>
        </a>
      )}
      <ul>
        {prompts.map(({ node, text, lines: own }) => (
          <li key={node}>
            <a href={sessionPath(session.session, node)}>{text}</a>
            <span class="faint">{own === 0 ? '' : plural(own, 'line')}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}
