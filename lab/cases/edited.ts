/**
 * What dagline itself writes: broken recordings after `repair`, and recordings after `checkout`, `trim` and the others that
 * make sessions. Each is resumed, and what is sent must be what dagline promised.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRowText, textIn } from '../harness/json.ts'
import { brokenSessions } from './broken.ts'
import type { CaseSource, LabCase } from './case.ts'
import { recorded } from './recorded.ts'

const COMMAND = 'packages/cli/dist/dagline.js'

/** Recordings that every writing command is tried on. */
const EVERY = 6

const ENDS = ['hook at the end', 'killed after a rewind']

export const edited: CaseSource = {
  name: 'edited',
  *cases(wants) {
    for (const made of brokenSessions(kind => wants(`repaired: ${kind}`), 1))
      yield* after('repair', made, ['--yes'], `repaired: ${made.kind}`)
    // Faults of the end, which a repair of rows does not reach.
    for (const made of brokenSessions(kind => ENDS.includes(kind) && wants(`checked out: ${kind}`), 1))
      yield* after('checkout', made, [], `checked out: ${made.kind}`)
    for (const [nth, made] of [...recorded.cases(() => true, true)].entries()) {
      if (nth % EVERY !== 0) continue
      if (wants('checked out')) yield* after('checkout', made, [], 'checked out')
      if (wants('trimmed')) yield* after('trim', made, ['--outputs'], 'trimmed')
    }
  },
}

/** The session that a command makes of another; none where there is nothing to do, or it refuses. */
function* after(command: string, made: LabCase, words: readonly string[], kind: string): Generator<LabCase> {
  const root = mkdtempSync(join(tmpdir(), 'dagline-lab-edit-'))
  try {
    const folder = join(root, 'projects', '-lab')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${made.session}.jsonl`), made.text)
    const told = run([command, join(folder, `${made.session}.jsonl`), ...words, '--json'], root)
    const session = textIn(told, 'session')
    if (session === null || session === made.session) return
    const text = readFileSync(join(folder, `${session}.jsonl`), 'utf8')
    yield { kind, name: made.name, session, text, folder: null, promise: uuidsIn(told?.['live']) }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function run(words: readonly string[], root: string): ReturnType<typeof parseRowText> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, XDG_DATA_HOME: root, XDG_CACHE_HOME: root }
  const { stdout } = spawnSync(process.execPath, [COMMAND, ...words], { encoding: 'utf8', env })
  return parseRowText(stdout)
}

function uuidsIn(live: unknown): readonly string[] {
  return Array.isArray(live) ? live.map(String) : []
}
