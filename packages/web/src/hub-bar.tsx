/** HU60: the line above the pages of a hub: whose sessions are shown, and who is logged in. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hubFilters, logOut, me, setHubFilters } from './app/hub.js'
import { type Page, route } from './app/route.js'
import { Choice } from './parts/choice.js'

/** Pages that a person and a machine narrow. */
const NARROWED: ReadonlySet<Page['kind']> = new Set(['home', 'now', 'search', 'usage', 'agents', 'health'])

export function HubBar(): JSX.Element | null {
  const known = me.value
  const [problem, setProblem] = useState<string | null>(null)
  if (known === null) return null
  return (
    <div class="hub-bar">
      {NARROWED.has(route.value.page.kind) ? <HubFilters /> : null}
      <span class="top-gap" />
      <span class="hub-who" title={`Team ${known.team}`}>
        {known.name} · {known.role}
      </span>
      <button type="button" class="plain-button" onClick={() => void logOut().then(setProblem)}>
        Log out
      </button>
      {problem === null ? null : <span role="alert">{problem}</span>}
    </div>
  )
}

function HubFilters(): JSX.Element | null {
  const known = me.value
  const { person, machine } = hubFilters()
  if (known === null) return null
  const isOne = known.persons.length < 2 && known.machines.length < 2
  if (isOne && person === '' && machine === '') return null
  const persons = known.persons.map(
    ({ id, name }) => [`${id}`, id === known.person ? `${name} (you)` : name] as const,
  )
  const machines = known.machines.map(name => [name, name] as const)
  return (
    <fieldset class="chips" aria-label="Whose sessions">
      <Choice
        label="Person"
        value={person}
        options={withChosen([['', 'all'], ...persons], person)}
        onChange={chosen => setHubFilters({ person: chosen })}
      />
      <Choice
        label="Machine"
        value={machine}
        options={withChosen([['', 'all'], ...machines], machine)}
        onChange={chosen => setHubFilters({ machine: chosen })}
      />
    </fieldset>
  )
}

type Options = readonly (readonly [value: string, name: string])[]

/** An address may name somebody whose sessions are shown no more. */
function withChosen(options: Options, chosen: string): Options {
  return options.some(([value]) => value === chosen) ? options : [...options, [chosen, 'nobody known']]
}
