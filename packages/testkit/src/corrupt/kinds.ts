/** All corruptions, by the names that they have in tables. All were met in real files, or made with an editor. */
import { COMPACTIONS } from './compactions.js'
import { CONTENTS } from './contents.js'
import type { Corruptions } from './corruption.js'
import { DAMAGE } from './damage.js'
import { ENDS } from './ends.js'
import { LINKS } from './links.js'

export const CORRUPTIONS: Corruptions = {
  ...LINKS,
  ...DAMAGE,
  ...CONTENTS,
  ...ENDS,
  ...COMPACTIONS,
}
