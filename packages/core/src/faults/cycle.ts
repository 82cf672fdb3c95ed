import { cycleCuts, isInFile } from '../graph/nodes.js'
import { repairBrokenLinks } from './broken-links.js'
import { counted, type FaultKind, faultAt } from './fault.js'

/** D3: parents that lead in a circle. */
export const cycle: FaultKind = {
  id: 'cycle',
  title: 'circle of parents',
  meaning: 'The parents of an entry lead back to it: the file was merged or edited by hand.',
  cost: 'Releases up to 2.0.x hang for ever on resume; later ones lose what comes before the circle.',
  fix: 'dagline repair SESSION',
  find: context => {
    const { graph, file, loaded, lost } = context
    const here = cycleCuts(graph).filter(node => isInFile(graph, node, file))
    return here.map(node => {
      const isCut = loaded.stop !== null && loaded.stop.why !== 'missing' && lost.length > 0
      const cost = isCut ? `a resume loses ${counted(lost.length, 'message')}` : 'newer releases get over it'
      return faultAt(context, node, isCut ? 'error' : 'warning', `Its parents lead back to it: ${cost}.`)
    })
  },
  repairs: [{ stage: 'links', change: repairBrokenLinks }],
}
