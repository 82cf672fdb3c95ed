/** A project in a few figures: what `graph --summary` prints, and nothing that it does not. */
import type { Diagnostic, Totals } from '@dagline/core'
import type { Place } from '../locate/places.js'
import { allDiagnostics, loadProject, type Meter } from './project.js'

/** Diagnostics of one rule and severity, counted. */
export interface RuleCount {
  readonly rule: string
  readonly severity: Diagnostic['severity']
  readonly count: number
}

export interface ProjectSummary {
  readonly totals: Totals
  readonly rules: readonly RuleCount[]
}

/** Reads a project and sums it up. */
export function summarise(place: Place, meter?: Meter): ProjectSummary {
  const loaded = loadProject(place, meter)
  return { totals: loaded.graph.totals(), rules: countRules(allDiagnostics(loaded)) }
}

/** Counts diagnostics by rule and severity. */
export function countRules(diagnostics: readonly Diagnostic[]): readonly RuleCount[] {
  return addRules(diagnostics.map(({ rule, severity }) => ({ rule, severity, count: 1 })))
}

/** Adds counts of the same rule and severity up. */
export function addRules(counts: readonly RuleCount[]): readonly RuleCount[] {
  const sums = new Map<string, RuleCount>()
  for (const { rule, severity, count } of counts) {
    const key = `${rule} ${severity}`
    sums.set(key, { rule, severity, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()]
}

const NAMES = [
  'files',
  'bytes',
  'rows',
  'entries',
  'blank',
  'damaged',
  'continuation',
  'joined',
  'pieces',
  'nodes',
  'placed',
  'folded',
  'forks',
  'rewinds',
] as const satisfies readonly (keyof Totals)[]

/** The sums of several projects. */
export function addTotals(all: readonly Totals[]): Totals {
  const sums = {
    files: 0,
    bytes: 0,
    rows: 0,
    entries: 0,
    blank: 0,
    damaged: 0,
    continuation: 0,
    joined: 0,
    pieces: 0,
    nodes: 0,
    placed: 0,
    folded: 0,
    forks: 0,
    rewinds: 0,
  }
  for (const totals of all) for (const name of NAMES) sums[name] += totals[name]
  return sums
}
