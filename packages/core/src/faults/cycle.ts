import { cycleCuts, isInFile } from '../graph/nodes.js'
import { counted, type FaultKind, findingAt } from './fault.js'

/** D3: parents that lead in a circle. */
export const cycle: FaultKind = {
  id: 'cycle',
  title: 'circle of parents',
  meaning: 'The parents of an entry lead back to it: the file was merged or edited by hand.',
  cost: 'Releases up to 2.0.x hang for ever on resume; later ones lose what comes before the circle.',
  fix: 'dagline repair SESSION',
  find: patient => {
    const { graph, file, loaded, lost } = patient
    const here = cycleCuts(graph).filter(node => isInFile(graph, node, file))
    return here.map(node => {
      const isCut = loaded.stop !== null && loaded.stop.why !== 'missing' && lost.length > 0
      const cost = isCut ? `a resume loses ${counted(lost.length, 'message')}` : 'newer releases get over it'
      return findingAt(patient, node, isCut ? 'error' : 'warning', `Its parents lead back to it: ${cost}.`)
    })
  },
}
