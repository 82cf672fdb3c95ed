/** Every session of the recordings, as it was written. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { advised } from './advised.ts'
import { asItIs, type CaseSource, type FoundSession, foundSession } from './case.ts'

const SESSION = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/

/** The recordings that come with the repository. */
export const RECORDINGS = 'fixtures/recordings'

export const recorded: CaseSource = {
  name: 'recorded',
  cases: () => recordedSessions().flatMap(found => [asItIs(found), advised(found)]),
}

/** All recorded sessions, by path. */
export function recordedSessions(): readonly FoundSession[] {
  return sessionsUnder(RECORDINGS, 'intact recording')
}

/** The sessions of other folders: `DAGLINE_LAB_SESSIONS` names them. */
export const given: CaseSource = {
  name: 'given',
  cases: () => givenSessions().flatMap(found => [asItIs(found), advised(found)]),
}

function givenSessions(): readonly FoundSession[] {
  const folder = process.env['DAGLINE_LAB_SESSIONS'] ?? ''
  return folder === '' ? [] : sessionsUnder(folder, 'session of others')
}

const LARGEST = 4_000_000

function sessionsUnder(root: string, kind: string): readonly FoundSession[] {
  const paths = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }).sort() : []
  return paths.flatMap(path => {
    if (!SESSION.test(basename(path)) || path.includes('subagents')) return []
    const full = join(root, path)
    const { size } = statSync(full)
    if (size === 0 || size > LARGEST) return []
    const folder = full.replace(/\.jsonl$/, '')
    const found = foundSession(kind, shortOf(path), basename(path, '.jsonl'), readFileSync(full, 'utf8'))
    return [existsSync(folder) ? { ...found, folder } : found]
  })
}

/** `2.1.325/s13_rewind 79cad093` for `2.1.325/s13_rewind/projects/-work/79cad093-....jsonl`. */
function shortOf(path: string): string {
  const parts = path.split(/[\\/]/)
  const at = parts.indexOf('projects')
  return `${parts.slice(0, at < 0 ? -1 : at).join('/')} ${basename(path).slice(0, 8)}`
}
