/**
 * What the page of a hub asks beside the routes of every viewer.
 *
 *   GET  /api/hub/me                   HubMe            who is logged in, and whose sessions the person sees
 *   GET  /api/hub/sessions/:id         HubSession       whose a session is, and who may see it
 *   POST /api/hub/do                   {}               shares or hides a session of one's own
 */

/** Parameters of the address that limit the page to a person and to machines of a name. */
export const HUB_FILTERS = ['hubPerson', 'hubMachine'] as const

/** Who is logged in to a hub, and whose sessions that person sees. */
export interface HubMe {
  readonly name: string
  readonly role: 'reader' | 'member' | 'auditor' | 'admin'
  readonly scopes: readonly string[]
  /** The number of the person. */
  readonly person: number
  readonly team: string
  /** Persons of whom the person sees sessions. */
  readonly persons: readonly HubOwner[]
  /** The names of their machines. */
  readonly machines: readonly string[]
}

/** A person of a hub. */
export interface HubOwner {
  readonly id: number
  readonly name: string
}

/** Who may see a session, beside its owner. */
export interface HubReaders {
  /** `policy`: the session itself has no share, and the policy of its project decides. */
  readonly by: 'owner' | 'policy'
  readonly everyone: boolean
  readonly persons: readonly string[]
}

/** A session on a hub. */
export interface HubSession {
  readonly session: string
  readonly owner: HubOwner
  readonly machine: string
  readonly isOwn: boolean
  /** Null for the session of somebody else. */
  readonly readers: HubReaders | null
  /** Whether this login may share it. The owner may always hide it. */
  readonly mayShare: boolean
  /** The address of the hub, for commands. */
  readonly hub: string
}

/** The machine that a folder of a hub is of, as part of a file name: `-home-ann-shop@laptop`. Null for any other folder. */
export function hubMachineOf(folder: string): string | null {
  return /.*@([^@/]+)(?:\/|$)/s.exec(folder)?.[1] ?? null
}
