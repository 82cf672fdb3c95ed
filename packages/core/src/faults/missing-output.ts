import { entryId } from '../model/ids.js'
import { counted, type DiskFaultKind } from './fault.js'

/** D11: spilled outputs that are gone. */
export const missingOutput: DiskFaultKind = {
  id: 'missing-output',
  rule: 'D11',
  title: 'spilled outputs missing',
  meaning:
    'The output of a tool was too long for its row and was written to a file of its own. That file is gone.',
  cost: 'The model can no longer read the rest of the output.',
  remedy: '`dagline restore` brings the output back where the archive has it; otherwise it is gone.',
  fix: 'dagline restore SESSION',
  find: ({ survey: { spilled, disk } }) => {
    const gone = disk === null ? [] : spilled.filter(({ path }) => !disk.hasOutput(path))
    const [first] = gone
    if (first === undefined) return []
    const message = `${counted(gone.length, 'output')} in a file of its own cannot be found; the first is ${first.path.split(/[/\\]/).at(-1)}.`
    return [{ severity: 'info', node: entryId(first.node), row: first.row, message, count: gone.length }]
  },
}
