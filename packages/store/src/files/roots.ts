/** Where Claude Code keeps its projects on this machine. */
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { isFolder } from './walk.js'

/**
 * The projects roots: `projects` in each folder that `CLAUDE_CONFIG_DIR` lists (separated as in PATH, or by commas),
 * else in `~/.claude`. They need not exist.
 */
export function defaultRoots(
  env: Readonly<NodeJS.ProcessEnv> = process.env,
  home: string = homedir(),
): string[] {
  const folders = configFolders(env['CLAUDE_CONFIG_DIR'] ?? '')
  const chosen = folders.length > 0 ? folders : [join(home, '.claude')]
  return [...new Set(chosen)].map(folder => join(folder, 'projects'))
}

function configFolders(text: string): string[] {
  // A folder's name may hold the separators; then it exists as it is written.
  if (isFolder(text)) return [text]
  return text
    .split(',')
    .flatMap(part => (isFolder(part.trim()) ? [part] : part.split(delimiter)))
    .map(part => part.trim())
    .filter(part => part !== '')
}
