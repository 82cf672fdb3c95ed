import { isConversation } from '../graph/live.js'
import * as t from '../graph/table.js'
import { counted, type FaultKind, findingAt, type Patient } from './fault.js'

/** D5: the last row is no message, or a local command, and hangs on an older entry. */
export const lateTwig: FaultKind = {
  id: 'late-twig',
  title: 'late hook, notice or command',
  meaning:
    'The last row is a hook, a notice, progress or a local command that hangs on an older entry than the last.',
  cost: 'A resume takes it for the end of the conversation and loses what was said since.',
  fix: 'dagline checkout SESSION',
  find: patient => {
    const { loaded, lost } = patient
    if (loaded.stop !== null || !isTwig(patient, loaded.leaf) || !isLate(patient)) return []
    const what = `A resume goes on from here and loses ${counted(lost.length, 'message')}.`
    return [findingAt(patient, loaded.leaf, 'error', what)]
  },
}

function isTwig({ state: { table } }: Patient, leaf: number): boolean {
  if (leaf === t.none) return false
  return !isConversation(table, leaf) || COMMANDS.has(t.byte(table.says, leaf))
}

/** Whether something that is lost was written after the entry that it hangs on: at the end of all there is nothing such. */
function isLate(patient: Patient): boolean {
  const { table } = patient.state
  let node = patient.loaded.leaf
  for (let left = table.size; isTwig(patient, node) && left > 0; left--) node = t.int(table.parent, node)
  const row = node === t.none ? 0 : t.int(table.row, node)
  return patient.lost.some(lost => t.int(table.row, lost) > row)
}

/** 1.0.x hangs every local command of a process on its one caveat, however much was said in between. */
const COMMANDS: ReadonlySet<number> = new Set([t.SaysCaveat, t.SaysCommand, t.SaysOutput])
