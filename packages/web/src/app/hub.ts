/** HU60: the page of a hub: who is logged in, whose sessions there are, and which of them are shown. */
import { portableName } from '@dagline/core/platform'
import { type HubMe, hubMachineOf } from '@dagline/core/protocol'
import { type ReadonlySignal, signal } from '@preact/signals'
import { errorMessage, get } from './api.js'
import { onChanges } from './live.js'
import { navigate, route } from './route.js'
import { YOU } from './typist.js'

const state = signal<HubMe | null>(null)

/** Who is logged in; null at home, and until the hub has answered. */
export const me: ReadonlySignal<HubMe | null> = state

/** Milliseconds between two such questions, however often sessions change. */
const PAUSE = 10_000

/** Finds out who is logged in, and again when sessions changed: they may be of somebody new. */
export function startHub(): void {
  let isPlanned = false
  void load()
  onChanges(sessions => {
    // The hub tells of anything where persons came or went.
    if (sessions.length === 0) void load()
    else if (!isPlanned) {
      isPlanned = true
      setTimeout(() => {
        isPlanned = false
        void load()
      }, PAUSE)
    }
  })
}

async function load(): Promise<void> {
  const answer = await get<HubMe>('/api/hub/me').catch(() => null)
  if (answer !== null && JSON.stringify(answer) !== JSON.stringify(state.peek())) state.value = answer
}

/** Whose a session of a list is, and from which machine: `ann · laptop`. Null at home. */
export function originText({
  owner,
  project,
}: {
  readonly owner: number | null
  readonly project: string
}): string | null {
  const known = me.value
  if (known === null || owner === null) return null
  const name = known.persons.find(({ id }) => id === owner)?.name ?? 'somebody'
  const machine = machineName(known, project)
  return [owner === known.person ? 'you' : name, machine].filter(part => part !== null).join(' · ')
}

/** Who typed in a session: `You` at home and in sessions of one's own, else a colleague. */
export function ownerName(owner: number | null): string {
  const known = me.value
  if (known === null || owner === null || owner === known.person) return YOU
  return known.persons.find(({ id }) => id === owner)?.name ?? 'Somebody'
}

/** Folders name machines as file names do. */
function machineName({ machines }: HubMe, project: string): string | null {
  const part = hubMachineOf(project)
  return machines.find(name => portableName(name) === part) ?? part
}

/** What the address limits the page to; empty texts for no limit. */
export function hubFilters(): { readonly person: string; readonly machine: string } {
  const { query } = route.value
  return { person: query.get('hubPerson') ?? '', machine: query.get('hubMachine') ?? '' }
}

/** Limits the page, or shows all again where a text is empty. */
export function setHubFilters(filters: { readonly person?: string; readonly machine?: string }): void {
  const { person, machine } = { ...hubFilters(), ...filters }
  const { path, query } = route.peek()
  const next = new URLSearchParams(query)
  next.set('hubPerson', person)
  next.set('hubMachine', machine)
  navigate(`${path}?${next}`)
}

/** Ends the login of this browser. Returns a sentence where that failed. */
export async function logOut(): Promise<string | null> {
  try {
    await fetch('/logout', { method: 'POST' })
    location.assign('/login')
    return null
  } catch (error) {
    return errorMessage(error)
  }
}

/** Where to log in, to come back here. */
export function loginAddress(): string {
  return `/login?to=${encodeURIComponent(location.pathname + location.search)}`
}
