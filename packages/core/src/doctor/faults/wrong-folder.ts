import { type FaultKind, findingInFile } from './fault.js'

/** D10: a transcript that lies where Claude Code does not look for it. */
export const wrongFolder: FaultKind = {
  id: 'wrong-folder',
  title: 'in the wrong project folder',
  meaning:
    'The project folder is that of another path than any that the session worked in: the project was moved.',
  cost: '`claude --continue` and the session picker do not find it; releases before 2.1.3xx do not resume it at all.',
  fix: 'dagline mv OLD NEW',
  find: ({ extras: { disk, folders } }) => {
    const folder = disk?.folder ?? null
    if (folder === null || folders.size === 0) return []
    if ([...folders].some(path => encoded(path) === folder)) return []
    const [path] = folders
    return [findingInFile('warning', `It lies in ${folder}, but was written in ${path}.`)]
  },
}

/** How Claude Code names the folder of a path. */
function encoded(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, '-')
}
