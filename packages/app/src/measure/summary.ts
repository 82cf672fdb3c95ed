/** A project in a few figures: what `graph --summary` prints, and nothing that it does not. */

import { buildGraph, type Diagnostic, type Totals } from '@dagline/core'
import { addFields } from '@dagline/core/measure'
import { findRoots, nothingFound, type ProjectLocation, projectLocations } from '../files/projects.js'
import type { ProjectFacts } from '../graphs/facts.js'
import { describeProject } from '../graphs/facts.js'
import { allDiagnostics, loadProject, type Meter } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { pathsOf } from '../locate/ref.js'

/** Diagnostics of one rule and severity, counted. */
export interface RuleCount {
  readonly rule: string
  readonly severity: Diagnostic['severity']
  readonly count: number
}

interface ProjectSummary {
  readonly totals: Totals
  readonly rules: readonly RuleCount[]
}

/** Reads a project and sums it up. */
export function summarise(location: ProjectLocation, meter?: Meter): ProjectSummary {
  const loaded = loadProject(location, meter)
  return { totals: loaded.graph.totals(), rules: countRules(allDiagnostics(loaded)) }
}

/** Counts diagnostics by rule and severity. */
function countRules(diagnostics: readonly Diagnostic[]): readonly RuleCount[] {
  return addRules(diagnostics.map(({ rule, severity }) => ({ rule, severity, count: 1 })))
}

/** Adds counts of the same rule and severity up. */
function addRules(counts: readonly RuleCount[]): readonly RuleCount[] {
  const sums = new Map<string, RuleCount>()
  for (const { rule, severity, count } of counts) {
    const key = `${rule} ${severity}`
    sums.set(key, { rule, severity, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()]
}

/** The sums of several projects; of none, those of an empty graph. */
export function addTotals(all: readonly Totals[]): Totals {
  return all.reduce<Totals>(addFields, buildGraph([]).totals())
}

/** Projects that were described or summed up. */
export interface GraphSummary<T> {
  /** Of each project, in their order. */
  readonly projects: readonly T[]
  readonly totals: Totals
  /** What was odd, counted by rule: the gravest first. */
  readonly rules: readonly RuleCount[]
  /** What discovery found odd. */
  readonly found: readonly Diagnostic[]
}

/** Describes all of the projects of some paths. */
export async function describeAll(paths: readonly string[], host: Host): Promise<GraphSummary<ProjectFacts>> {
  const { locations, found } = locationsFor(paths, host)
  const projects = await runOnProjects('describeProject', describeProject, locations, host)
  return { projects, totals: addTotals(projects.map(({ totals }) => totals)), rules: [], found }
}

/** Sums the projects of some paths up. */
export async function summariseAll(paths: readonly string[], host: Host): Promise<GraphSummary<never>> {
  const { locations, found } = locationsFor(paths, host)
  const projects = await runOnProjects('summarise', summarise, locations, host)
  const rules = addRules([...countRules(found), ...projects.flatMap(summary => summary.rules)])
  const totals = addTotals(projects.map(summary => summary.totals))
  return { projects: [], totals, rules: [...rules].sort(bySeverity), found }
}

function locationsFor(
  paths: readonly string[],
  host: Host,
): { readonly locations: readonly ProjectLocation[]; readonly found: readonly Diagnostic[] } {
  const roots = findRoots(pathsOf(paths, host), host)
  const locations = projectLocations(roots)
  if (locations.length === 0) host.note(nothingFound(paths, host))
  return { locations, found: roots.flatMap(({ diagnostics }) => diagnostics) }
}

const SEVERITIES: readonly Diagnostic['severity'][] = ['error', 'warning', 'info']

function bySeverity(a: RuleCount, b: RuleCount): number {
  const rank = ({ severity }: RuleCount): number => SEVERITIES.indexOf(severity)
  return rank(a) - rank(b) || b.count - a.count || (a.rule < b.rule ? -1 : 1)
}
