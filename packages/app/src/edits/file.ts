/** The file of an entry that is edited. */
import type { FileRecord } from '@dagline/core'
import { UserError } from '../user-error.js'
import type { EditedProject } from './source.js'

/** The file that a node stands in. */
export function fileAt({ loaded }: EditedProject, node: number): FileRecord {
  const path = loaded.graph.node(node).file
  const file = loaded.graph.files().find(({ facts }) => facts.path === path)
  if (file === undefined) throw new UserError(`${path} is not among the files that were read: try again.`)
  return file
}
