/** Sessions after `dagline repair`, whether or not the doctor asks for it. */
import { edit } from '../harness/dagline.ts'
import type { FoundSession, LabCase, LabSession, Making, NoSession } from './case.ts'

const REPAIR = ['repair', 'SESSION', '--yes', '--accept-loss']

/** The case of a session that is repaired: what the command promises is checked. */
export function repaired(found: FoundSession): LabCase {
  return { asks: 'repair', kind: found.kind, name: found.name, make: () => repairWith(found, REPAIR) }
}

async function repairWith(found: FoundSession, words: readonly string[]): Promise<Making> {
  const made = partOf(await edit(found, words), 0)
  const isEmpty = !/"type":"(?:user|assistant|human)"/.test(found.text)
  // It is refused with a sentence, and rightly.
  return 'why' in made && isEmpty ? { ...made, why: 'nothing to do' } : made
}

/** The case of one that is mended in its place. */
export function repairedInPlace(found: FoundSession): LabCase {
  const make = (): Promise<Making> => repairWith(found, [...REPAIR, '--in-place'])
  return { asks: 'edit', kind: 'repaired in place', name: `${found.name}, ${found.kind}`, make }
}

/** One of the sessions that a command has made. */
export function partOf(sessions: readonly LabSession[] | NoSession, part: number): Making {
  if ('why' in sessions) return sessions
  return sessions[part] ?? { why: 'refused', sentence: 'no session was made' }
}
