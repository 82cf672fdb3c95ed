/** Every session of the recordings, as it was written. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type CaseSource, caseOf, type LabCase } from './case.ts'

const SESSION = /^[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl$/

/** The recordings that come with the repository. */
export const RECORDINGS = 'fixtures/recordings'

export const recorded: CaseSource = {
  name: 'recorded',
  cases: wants => (wants('intact') ? sessionsUnder(RECORDINGS, 'intact') : []),
}

const OTHERS = 'sessions of others'

/** The sessions of other folders: `DAGLINE_LAB_SESSIONS` names them. */
export const given: CaseSource = {
  name: 'given',
  cases: wants => {
    const folder = process.env['DAGLINE_LAB_SESSIONS'] ?? ''
    return folder === '' || !wants(OTHERS) ? [] : sessionsUnder(folder, OTHERS)
  },
}

const LARGEST = 4_000_000

function* sessionsUnder(root: string, kind: string): Generator<LabCase> {
  const paths = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }).sort() : []
  for (const path of paths) {
    if (!SESSION.test(basename(path)) || path.includes('subagents')) continue
    const full = join(root, path)
    const { size } = statSync(full)
    if (size === 0 || size > LARGEST) continue
    const folder = full.replace(/\.jsonl$/, '')
    const made = caseOf(kind, path, basename(path, '.jsonl'), readFileSync(full, 'utf8'))
    yield existsSync(folder) ? { ...made, folder } : made
  }
}
