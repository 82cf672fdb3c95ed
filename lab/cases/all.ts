/** Every source of cases, in the order of the tables. */
import { broken } from './broken.ts'
import type { CaseSource } from './case.ts'
import { corrupted } from './corrupted.ts'
import { edited } from './edited.ts'
import { generated } from './generated.ts'
import { given, recorded } from './recorded.ts'
import { written } from './written.ts'

export const SOURCES: readonly CaseSource[] = [recorded, broken, corrupted, generated, edited, written, given]
