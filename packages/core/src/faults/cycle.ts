import { cycleCuts, entryBefore, isInFile, none, rowOf } from '../graph/nodes.js'
import { type LinkFinding, relinkFound } from './broken-links.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D3: parents that lead in a cycle. */
export const cycle: FaultKind<LinkFinding> = {
  id: 'cycle',
  rule: 'D3',
  title: 'cycle of parents',
  meaning: 'The parents of an entry lead back to it: the file was merged or edited by hand.',
  cost: 'Releases up to 2.0.x never end a resume; later ones lose what comes before the cycle.',
  remedy: 'The repair cuts the cycle once and links the entry to the one that was written before it.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, loaded, lost } = context
    const isCut = loaded.stop !== null && loaded.stop.why !== 'missing' && lost.length > 0
    const cost = isCut ? `a resume loses ${counted(lost.length, 'message')}` : 'newer releases can handle it'
    const message = `Its parents lead back to it: ${cost}.`
    const here = cycleCuts(graph).filter(node => isInFile(graph, node, file))
    return here.map(at => {
      const above = entryBefore(graph, at)
      const target =
        above === none
          ? 'nothing, as the first entry'
          : `the entry written before it, on row ${rowOf(graph, above)}`
      const why = `Its parents lead back to it; it goes on from ${target}.`
      return { ...findingAt(context, at, isCut ? 'error' : 'warning', message), at, above, why }
    })
  },
  stages: ['links'],
  repair: relinkFound,
}
