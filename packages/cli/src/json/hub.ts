/** Outputs of `dagline hub`. */

/** A project whose sessions stay on this machine. */
export interface HeldProjectJson {
  /** The working directory, or the name of the folder of its transcripts. */
  readonly project: string
  /** Its git remote; null where none is known. */
  readonly remote: string | null
  /** Why: `denied`, `not-allowed`, or `unknown-remote` where its remote is not known and one is denied. */
  readonly reason: 'denied' | 'not-allowed' | 'unknown-remote'
  /** Sessions. */
  readonly sessions: number
  /** Bytes of their files. */
  readonly bytes: number
}

/** A file that stays although its session may leave. */
export interface HeldFileJson {
  /** The path. */
  readonly path: string
  /** Why. */
  readonly reason: string
}

/** What was pushed, or would be. */
export interface HubPushJson {
  /** `push`. */
  readonly action: 'push'
  /** Nothing was sent. */
  readonly dryRun: boolean
  /** Sessions that may leave. */
  readonly allowed: number
  /** Those of them that had something new. */
  readonly sessions: number
  /** Files that had something new. */
  readonly files: number
  /** Bytes that were new. */
  readonly bytes: number
  /** Compressed bytes that were sent. */
  readonly sent: number
  /** Names, tags and notes that were sent: all of them where something is new, else 0. */
  readonly labels: number
  /** How many likely secrets were replaced, by kind. */
  readonly redacted: Readonly<Record<string, number>>
  /** Projects whose sessions stay. */
  readonly held: readonly HeldProjectJson[]
  /** Files that stay although their sessions may leave. */
  readonly heldFiles: readonly HeldFileJson[]
  /** Ids of sessions of this machine that were deleted on the hub. */
  readonly deleted: readonly string[]
}

/** How a hub and this machine stand to each other. */
export interface HubStatusJson {
  /** `status`. */
  readonly action: 'status'
  /** The address of the hub. */
  readonly hub: string
  /** The name of this machine. */
  readonly machine: string
  /** Files of this machine on the hub. */
  readonly files: number
  /** Transcripts of sessions among them. */
  readonly sessions: number
  /** Their bytes. */
  readonly bytes: number
  /** What a push would send. */
  readonly waiting: {
    /** Files. */
    readonly files: number
    /** Sessions that they belong to. */
    readonly sessions: number
    /** Bytes that are new. */
    readonly bytes: number
  }
  /** Projects whose sessions stay. */
  readonly held: readonly HeldProjectJson[]
  /** Files that stay although their sessions may leave. */
  readonly heldFiles: readonly HeldFileJson[]
  /** Ids of sessions of this machine that were deleted on the hub. */
  readonly deleted: readonly string[]
}

/** The address that was kept. */
export interface HubConnectJson {
  /** `connect`. */
  readonly action: 'connect'
  /** The address of the hub. */
  readonly hub: string
}

/** What was fetched. */
export interface HubFetchJson {
  /** `fetch`. */
  readonly action: 'fetch'
  /** Files, in order of their paths. */
  readonly files: readonly {
    /** Where it is now. */
    readonly path: string
    /** `written`, or `there` where a file of this name was there and stayed. */
    readonly outcome: 'written' | 'there'
    /** Its session; null where it belongs to none. */
    readonly session: string | null
    /** The machine that it came from. */
    readonly machine: string
    /** Its path there. */
    readonly from: string
    /** Its version, from 1. */
    readonly version: number
    /** Bytes. */
    readonly bytes: number
    /** Placeholders in it; with more than none it is a redacted copy. */
    readonly placeholders: number
  }[]
}

/** What was judged. */
export interface HubJudgeJson {
  /** `judge`. */
  readonly action: 'judge'
  /** Persons that had something new. */
  readonly persons: number
}

/** Where a hub is served. */
export interface HubServeJson {
  /** `serve`. */
  readonly action: 'serve'
  /** Its address. */
  readonly url: string
}

/** A session that was shared, hidden or deleted. */
export interface HubSessionJson {
  /** What was done. */
  readonly action: 'share' | 'unshare' | 'delete'
  /** The id of the session. */
  readonly session: string
  /** Files of it. */
  readonly files: number
}

/** A policy that was set. */
export interface HubPolicyJson {
  /** `policy`. */
  readonly action: 'policy'
  /** The project, as it was given. */
  readonly project: string
  /** Everyone in the team sees what is pushed into it. */
  readonly everyone: boolean
  /** Days after the last push for which sessions are kept: null for ever, nothing where it was not changed. */
  readonly days?: number | null
  /** Files that others see, or see no longer. */
  readonly files: number
}

/** A hold that was set or ended. */
export interface HubHoldJson {
  /** `hold`. */
  readonly action: 'hold'
  /** Its number. */
  readonly hold: number
  /** It was ended. */
  readonly isEnded: boolean
}

/** Holds. */
export interface HubHoldsJson {
  /** `hold`. */
  readonly action: 'hold'
  /** Holds, in order of their numbers. */
  readonly holds: readonly {
    /** Its number. */
    readonly id: number
    /** The session that it keeps; null for all. */
    readonly session: string | null
    /** The number of the person whose sessions it keeps; null for all. */
    readonly owner: number | null
    /** The name of that person. */
    readonly ownerName: string | null
    /** The number of the project whose sessions it keeps; null for all. */
    readonly project: number | null
    /** The name of that project. */
    readonly projectName: string | null
    /** Why. */
    readonly reason: string
  }[]
}

/** Persons: all of them, or the one that was added or changed. */
export interface HubUsersJson {
  /** `users`. */
  readonly action: 'users'
  /** Persons, by name. */
  readonly persons: readonly {
    /** The name. */
    readonly name: string
    /** `reader`, `member`, `auditor` or `admin`; null where access was removed just now. */
    readonly role: string | null
    /** The person has no access any more. */
    readonly isDisabled: boolean
  }[]
}

/** A token that was made. */
export interface HubTokenJson {
  /** `tokens`. */
  readonly action: 'tokens'
  /** The token. It is not shown again. */
  readonly token: string
}

/** A device whose token was ended. */
export interface HubRevokedJson {
  /** `tokens`. */
  readonly action: 'tokens'
  /** Its number. */
  readonly revoked: number
}

/** Devices. */
export interface HubDevicesJson {
  /** `tokens`. */
  readonly action: 'tokens'
  /** Devices, the newest first. */
  readonly devices: readonly {
    /** Its number. */
    readonly device: number
    /** The name of its person. */
    readonly person: string
    /** Its name. */
    readonly name: string
    /** What its token is good for: `push`, `read`, `admin`. */
    readonly scopes: readonly string[]
    /** When its token was made. */
    readonly made: string | null
    /** When its token expires. */
    readonly expires: string | null
    /** When its token was last used; null for never. */
    readonly seen: string | null
    /** Its token was ended. */
    readonly isRevoked: boolean
  }[]
}

/** The record of who read, shared, held and deleted what. */
export interface HubAuditJson {
  /** `audit`. */
  readonly action: 'audit'
  /** Rows, the newest first. */
  readonly rows: readonly {
    /** When. */
    readonly at: string | null
    /** Who: a name; 0 where a command did it straight on the database, `policy` for the retention of a project. */
    readonly person: string
    /** The number of the device; null for none. */
    readonly device: number | null
    /** What was done: `read`, `search`, `share`, `delete` and others. */
    readonly action: string
    /** Whose session it was; null for none. */
    readonly owner: string | null
    /** The session; null for none. */
    readonly session: string | null
    /** More about it; null for none. */
    readonly detail: string | null
  }[]
}

/** What `dagline hub` prints, by its action. */
export type HubJson =
  | HubPushJson
  | HubStatusJson
  | HubConnectJson
  | HubFetchJson
  | HubJudgeJson
  | HubServeJson
  | HubSessionJson
  | HubPolicyJson
  | HubHoldJson
  | HubHoldsJson
  | HubUsersJson
  | HubTokenJson
  | HubRevokedJson
  | HubDevicesJson
  | HubAuditJson
