/** HU41: what a hub answers to each operation, as its clients read it. */
import * as z from 'zod'
import type { HubAuditRow } from '../access/audit.js'

/** A session whose files were looked at. */
interface SessionAnswer {
  readonly session: string
  readonly files: number
}

export interface HubHold {
  readonly id: number
  readonly session: string | null
  /** Numbers of a person and of a project, and their names. */
  readonly owner: number | null
  readonly project: number | null
  readonly ownerName: string | null
  readonly projectName: string | null
  readonly reason: string
}

export interface HubPerson {
  readonly name: string
  readonly role: string
  readonly isDisabled: boolean
}

export interface HubDevice {
  readonly device: number
  readonly person: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly made: number
  readonly expires: number
  readonly seen: number | null
  readonly isRevoked: boolean
}

/** The answer to each kind of operation. */
export interface Answers {
  readonly share: SessionAnswer
  readonly unshare: SessionAnswer
  readonly delete: SessionAnswer
  readonly policy: { readonly files: number }
  readonly hold: { readonly id: number; readonly session: string | null }
  readonly unhold: object
  readonly holds: { readonly holds: readonly HubHold[] }
  readonly person: HubPerson
  readonly disable: object
  readonly persons: { readonly persons: readonly HubPerson[] }
  readonly token: { readonly token: string }
  readonly revoke: object
  readonly devices: { readonly devices: readonly HubDevice[] }
  readonly audit: { readonly rows: readonly HubAuditRow[] }
}

const sessionAnswer = z.object({ session: z.string(), files: z.number() })
const nothing = z.object({})
const text = z.string().nullable()
const number = z.number().nullable()
const person = z.object({ name: z.string(), role: z.string(), isDisabled: z.boolean() })

const hold = z.object({
  ...{ id: z.number(), session: text, owner: number, project: number, reason: z.string() },
  ...{ ownerName: text, projectName: text },
})

const device = z.object({
  ...{ device: z.number(), person: z.string(), name: z.string(), scopes: z.array(z.string()) },
  ...{ made: z.number(), expires: z.number(), seen: number, isRevoked: z.boolean() },
})

const auditRow = z.object({
  ...{ at: z.number(), person: z.string(), device: number, action: z.string() },
  ...{ owner: text, session: text, detail: text },
})

export const ANSWERS: { readonly [Kind in keyof Answers]: z.ZodType<Answers[Kind]> } = {
  share: sessionAnswer,
  unshare: sessionAnswer,
  delete: sessionAnswer,
  policy: z.object({ files: z.number() }),
  hold: z.object({ id: z.number(), session: text }),
  unhold: nothing,
  holds: z.object({ holds: z.array(hold) }),
  person,
  disable: nothing,
  persons: z.object({ persons: z.array(person) }),
  token: z.object({ token: z.string() }),
  revoke: nothing,
  devices: z.object({ devices: z.array(device) }),
  audit: z.object({ rows: z.array(auditRow) }),
}
