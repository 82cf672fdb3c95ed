import type { Json } from '../base/json.js'
import type { Rng } from '../base/rng.js'

/** A way to corrupt a session at one of its rows. */
interface Corruption {
  /** Whether a row can be corrupted so. */
  readonly picks: (json: Json, at: number, rows: readonly string[]) => boolean
  /** The text of the corrupted file. */
  readonly breaks: (rows: string[], at: number, rng: Rng) => string
}

/** Corruptions by their names. */
export type Corruptions = Readonly<Record<string, Corruption>>

/** A uuid that no entry has. */
export const ABSENT = '00000000-dead-4bad-8bad-000000000000'
