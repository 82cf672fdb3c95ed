/** What every index does, whatever it is made of. The same cases run on the one in SQLite and on the plain model. */
import { describe } from 'vitest'
import type { IndexStore } from '../src/db/index-store.js'
import { answersAreGiven } from './index-contract-answers.js'
import { factsAreKept } from './index-contract-facts.js'
import { verdictsAreKept } from './index-contract-verdicts.js'

/** Runs the cases. */
export function indexContract(name: string, open: () => IndexStore): void {
  describe(`${name}: facts`, () => factsAreKept(open))
  describe(`${name}: verdicts`, () => verdictsAreKept(open))
  describe(`${name}: answers`, () => answersAreGiven(open))
}
