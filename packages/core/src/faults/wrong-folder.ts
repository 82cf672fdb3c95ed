import { shellWord } from '../model/shell.js'
import { isProjectFolder } from '../model/source.js'
import { type DiskFaultKind, findingInFile } from './fault.js'

/** D10: a transcript that lies where Claude Code does not look for it. */
export const wrongFolder: DiskFaultKind = {
  id: 'wrong-folder',
  rule: 'D10',
  title: 'in the wrong project folder',
  meaning:
    'The project folder is that of another path than any that the session worked in: it was copied or moved by hand.',
  cost: 'From where it was written, `claude --continue` and the session picker do not find it; older releases do not resume it at all.',
  remedy: '`dagline mv` moves the transcript to the folder of the path that it was written in.',
  fix: null,
  find: ({ survey: { disk, folders } }) => {
    const folder = disk?.folder ?? null
    if (disk === null || folder === null || folders.size === 0) return []
    if ([...folders].some(path => isProjectFolder(folder.split(/[/\\]/).at(-1) ?? '', path))) return []
    const [first = ''] = folders
    const path = [...folders].find(disk.hasFolder)
    if (path === undefined)
      return [findingInFile('info', `It lies in ${folder}, and was written in ${first}, which is gone.`)]
    const found = findingInFile('warning', `It lies in ${folder}, but was written in ${path}.`)
    return [{ ...found, fix: `dagline mv ${shellWord(folder)} ${shellWord(path)}` }]
  },
}
