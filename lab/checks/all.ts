import type { Cli } from '../harness/cli.ts'
import type { Check } from './check.ts'
import { checkFolder } from './folder.ts'
import { checkMoves } from './move.ts'
import { checkTypes } from './types.ts'

/** All checks with one release. */
export async function checksFor(cli: Cli): Promise<readonly Check[]> {
  return [...(await checkFolder(cli)), ...(await checkMoves(cli)), ...checkTypes(cli)]
}
