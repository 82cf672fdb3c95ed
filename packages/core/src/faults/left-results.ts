import { toolsOf, versionOf } from '../graph/nodes.js'
import { loadedBy } from '../resume/load.js'
import { compareVersions } from '../resume/releases.js'
import { counted, type FaultKind, findingInFile } from './fault.js'

/** The first release tried that puts results beside the chain back. */
const GATHERS = '2.1.101'

/** D5: parallel calls and results that the release which wrote the file does not load. */
export const leftResults: FaultKind = {
  id: 'left-results',
  rule: 'D5',
  title: 'parallel results left out',
  meaning:
    'Results of parallel calls hang beside the chain, and the release that wrote this file walks the chain alone.',
  cost: 'A resume with that release forgets those calls and their results.',
  remedy: 'Newer releases of Claude Code load them: the file needs no repair.',
  fix: 'claude update',
  find: ({ graph, file, loaded, survey }) => {
    const last = file.nodes.at(-1)
    const version = last === undefined ? '' : versionOf(graph, last)
    if (version === '' || compareVersions(version, GATHERS) >= 0) return []
    const then = new Set(loadedBy(graph, file.facts.path, { version, survey }).nodes)
    const left = loaded.nodes.filter(node => !then.has(node) && toolsOf(graph, node).length > 0)
    const message = `Release ${version} leaves out ${counted(left.length, 'call or result', 'calls and results')}.`
    return left.length === 0 ? [] : [findingInFile('info', message, left.length)]
  },
}
