import { configureGlobal } from 'fast-check'
import './scripts/lib/resolve-once.ts'

const given = process.env['DAGLINE_SEED']

// Random tests are repeatable: the same seed every time, another one on request (`DAGLINE_SEED=random`).
configureGlobal({
  seed: given === 'random' ? Date.now() | 0 : Number(given ?? 20_260_101) | 0,
  numRuns: Number(process.env['DAGLINE_RUNS'] ?? 100),
})
