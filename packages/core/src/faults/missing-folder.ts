import { shellWord } from '../model/shell.js'
import { isProjectFolder } from '../model/source.js'
import { type DiskFaultKind, findingInFile } from './fault.js'

/** D25: a session whose working directory is gone: the project was moved, renamed or deleted. */
export const missingFolder: DiskFaultKind = {
  id: 'missing-folder',
  rule: 'D25',
  title: 'working directory gone',
  meaning:
    'The directory that the session worked in does not exist any more: it was moved, renamed or deleted.',
  cost: 'From the new place, `claude --continue` and the session picker do not find the session.',
  remedy: '`dagline mv OLD NEW` moves the sessions of the project with it; `dagline undo` undoes it.',
  fix: null,
  find: ({ survey: { disk, folders } }) => {
    const name = disk?.folder?.split(/[/\\]/).at(-1) ?? null
    const path = [...folders].find(folder => name !== null && isProjectFolder(name, folder))
    if (disk === null || path === undefined || disk.hasFolder(path)) return []
    const [place, ...others] = disk.newPlacesOf(path)
    if (place === undefined) {
      // Where not even the folder above is there, the transcript comes from another machine.
      const message = `${path} is gone. If it was moved, run \`dagline mv\` with its old and its new path.`
      return disk.hasFolder(path.replace(/[/\\][^/\\]*$/, '')) ? [findingInFile('info', message)] : []
    }
    if (others.length > 0) {
      const places = [place, ...others].slice(0, MOST_NAMED).join(', ')
      return [findingInFile('warning', `${path} is gone. It may be one of ${places} now.`)]
    }
    const found = findingInFile('warning', `${path} is gone. It seems to be ${place} now.`)
    return [{ ...found, fix: `dagline mv ${shellWord(path)} ${shellWord(place)}` }]
  },
}

/** The most places that the message names. */
const MOST_NAMED = 3
