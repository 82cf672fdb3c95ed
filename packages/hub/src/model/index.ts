/** The words of the hub: who asks, who may see what, and where a transcript came from. */

/** What a person may do. An auditor sees figures and no texts; an admin manages persons, and may delete. */
export type Role = 'reader' | 'member' | 'auditor' | 'admin'

/** What the token of a device allows. */
export type Scope = 'push' | 'read' | 'admin'

/** A team, or a company: every key in the database begins with its number. */
export type TenantId = number

/** Numbers are unique within a tenant. */
export type PersonId = number
export type MachineId = number
export type ProjectId = number

/**
 * Those who may see a file: the owner alone, or the owner and everyone the session or its project is shared with. Every
 * row of the index carries the number of its audience, so that sharing changes rows, and reading compares numbers.
 */
export type AudienceId = number

/** Who sends a request, as its token or its session of the page says. */
export interface Caller {
  readonly tenant: TenantId
  readonly person: PersonId
  readonly name: string
  readonly role: Role
  readonly scopes: ReadonlySet<Scope>
  /** HU62: whether this login or token may share the person's own sessions. */
  readonly mayShare: boolean
  /** The device whose token it is; null in the page. */
  readonly device: number | null
}
