/** HU65: why a hub shows no sessions, and what to do. */
import type { JSX } from 'preact'
import { hubFilters, me, setHubFilters } from '../app/hub.js'
import { Empty, Spinner } from './waiting.js'

export function NothingShared(): JSX.Element {
  const known = me.value
  const { person, machine } = hubFilters()
  if (known === null) return <Spinner />
  if (person !== '' || machine !== '')
    return (
      <Empty title="No sessions of these">
        <p>You see no session of this person and machine.</p>
        <button type="button" class="button" onClick={() => setHubFilters({ person: '', machine: '' })}>
          Show all sessions
        </button>
      </Empty>
    )
  if (known.role === 'auditor')
    return (
      <Empty title="No sessions for auditors">
        <p>
          You see what the team used, and no texts of others. <a href="/usage">Usage of the team</a>
        </p>
      </Empty>
    )
  if (known.role === 'reader')
    return (
      <Empty title="Nothing is shared with you yet">
        <p>
          Sessions appear here once somebody shares them: ask a colleague to run{' '}
          <code>dagline hub share SESSION {known.name}</code>, or to choose Share on the page of the session.
        </p>
      </Empty>
    )
  return (
    <Empty title="No sessions yet">
      <p>
        Nothing of yours is on the hub, and nothing is shared with you. On the machine with your sessions,
        name the projects that may leave it, look at what would be sent, and push:
      </p>
      <pre class="commands">
        {`dagline hub connect ${location.origin}
dagline config set push github.com/acme
dagline hub push --dry-run
dagline hub push --watch`}
      </pre>
    </Empty>
  )
}
