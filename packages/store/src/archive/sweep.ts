/**
 * Claude Code's own cleaning: at its start it deletes transcripts whose modification time lies more than
 * `cleanupPeriodDays` back, 30 days unless set (anthropics/claude-code#62272, #62959, #90866). Evidence against it
 * would be an old transcript that survives a start.
 */
import { join, sep } from 'node:path'
import type { SessionId } from '@dagline/core'
import type { Fields } from '@dagline/core/files'
import type { FoundRoot } from '../files/discover.js'
import { readFields } from '../files/sidecars.js'
import { realRoot } from './only.js'

/** A session that Claude Code is about to delete. */
export interface SweptSession {
  readonly session: SessionId
  readonly root: string
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly bytes: number
  readonly mtime: number
  /** From when on a start of Claude Code deletes it, in milliseconds since 1970. */
  readonly due: number
}

const DAY = 24 * 60 * 60 * 1000
const USUAL_DAYS = 30

/** The sessions that are deleted within the next days, those first that are due first; those overdue included. */
export function sweptWithin(roots: readonly FoundRoot[], days: number, now: number): readonly SweptSession[] {
  const swept = roots.flatMap(found => {
    const period = sweepDays(found.root)
    return period === null
      ? []
      : sessionsOf(found).map(session => ({ ...session, due: session.mtime + period * DAY }))
  })
  return swept.filter(({ due }) => due <= now + days * DAY).sort((a, b) => a.due - b.due)
}

function sessionsOf({ root, projects }: FoundRoot): Omit<SweptSession, 'due'>[] {
  return projects
    .flatMap(({ files }) => files)
    .flatMap(({ kind, session, path, bytes, mtime }) =>
      kind === 'session' && session !== null ? [{ session, root, path, bytes, mtime }] : [],
    )
}

/** After how many days sessions below a root are deleted; null where Claude Code does not clean there. */
export function sweepDays(root: string): number | null {
  const folders = realRoot(root).split(sep)
  const at = folders.lastIndexOf('projects')
  if (at < 1) return null
  const config = folders.slice(0, at).join(sep)
  return daysIn(settingsOf(config === '' ? sep : config)) ?? USUAL_DAYS
}

/** Settings that cannot be read count as none. */
function settingsOf(config: string): Fields | null {
  try {
    return readFields(join(config, 'settings.json'))
  } catch {
    return null
  }
}

function daysIn(settings: Fields | null): number | null {
  const value = settings?.get('cleanupPeriodDays')
  const days = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof days === 'number' && days >= 0 ? days : null
}
