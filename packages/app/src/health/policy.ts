/** D27: transcripts against a policy, for checks in CI: no secrets, no loss on resume, no unknown types of records. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasResumeProblem } from '@dagline/core/faults'
import { plural } from '@dagline/core/format'
import { isKnownType, typeName } from '@dagline/core/parse'
import { createRedactor, type Redactor } from '@dagline/core/redact'
import { parseTranscript } from '@dagline/store'
import { findProjects, nothingFound, type ProjectLocation } from '../files/projects.js'
import { meterOf } from '../graphs/project.js'
import { runOnProjects } from '../graphs/run.js'
import type { Host } from '../host/host.js'
import { UserError } from '../host/user-error.js'
import { pathsOf } from '../locate/ref.js'
import { examineProject } from './examine.js'

/** The parts of the policy. */
export const POLICY = ['secrets', 'resume', 'unknown'] as const
/** A part of the policy. */
export type PolicyPart = (typeof POLICY)[number]

/** What breaks the policy, and where. It never holds the secret. */
export interface Violation {
  readonly part: PolicyPart
  /** The file, with its folder. */
  readonly file: string
  /** The row or line; null where the whole file is meant. */
  readonly row: number | null
  readonly message: string
}

/** What a check found, in the order of files and rows. */
export interface PolicyReport {
  readonly files: number
  readonly violations: readonly Violation[]
}

/** Checks all transcripts below some paths. Throws `UserError` where there are none: a check of nothing must not pass. */
export async function checkPolicy(
  paths: readonly string[],
  parts: ReadonlySet<PolicyPart>,
  host: Host,
): Promise<PolicyReport> {
  const given = pathsOf(paths, host)
  const locations = findProjects(given, host)
  if (locations.length === 0) throw new UserError(nothingFound(given, host))
  const found = parts.has('resume') ? await resumeLosses(locations, host) : []
  for (const location of locations) found.push(...scanProject(location, parts, host))
  const files = locations.reduce((sum, { project }) => sum + project.files.length, 0)
  return { files, violations: found.sort(byLocation) }
}

function byLocation(a: Violation, b: Violation): number {
  return a.file === b.file ? (a.row ?? 0) - (b.row ?? 0) : a.file < b.file ? -1 : 1
}

/** D20: sessions of which a resume loses something, or which the API would refuse. */
async function resumeLosses(locations: readonly ProjectLocation[], host: Host): Promise<Violation[]> {
  const results = await runOnProjects('examineProject', examineProject, locations, host)
  return locations.flatMap(({ root }, at) =>
    (results[at] ?? []).filter(hasResumeProblem).map(({ file, coverage, faults }) => {
      const cause = faults.find(({ effect }) => effect !== 'none')
      const { now, possible } = coverage
      const effect =
        now < possible
          ? `A resume loads ${now} of ${plural(possible, 'entry', 'entries')}.`
          : 'The API would refuse what a resume sends.'
      const message = cause === undefined ? effect : `${effect} ${cause.message}`
      return { part: 'resume', file: resolve(root, file), row: cause?.row ?? null, message }
    }),
  )
}

/** Reads the files of a project once more, for what stands in single rows. */
function scanProject(
  { root, project }: ProjectLocation,
  parts: ReadonlySet<PolicyPart>,
  host: Host,
): readonly Violation[] {
  if (!parts.has('secrets') && !parts.has('unknown')) return []
  // Placeholders are never written, so that their hashes do not matter.
  const redactor = createRedactor({ what: ['secrets'], hash: () => '000000' })
  const found: Violation[] = []
  const meter = meterOf(host)
  for (const { path } of project.files) {
    const file = resolve(root, path)
    const { finish, diagnostics } = parseTranscript(root, path, () => {}, {
      see: (json, { source: { row } }) => {
        if (parts.has('secrets')) found.push(...secretsIn(json, { redactor, file, row }))
        const type = typeName(json)
        if (parts.has('unknown') && !isKnownType(type))
          found.push({
            part: 'unknown',
            file,
            row,
            message: `The type of this record is not known: ${type}.`,
          })
      },
    })
    finish()
    meter.unread(root, diagnostics)
  }
  meter.done()
  if (parts.has('secrets'))
    for (const { path } of project.toolResults) found.push(...secretsInText(join(root, path), redactor, host))
  return found
}

interface Location {
  readonly redactor: Redactor
  readonly file: string
  readonly row: number
}

function secretsIn(value: unknown, { redactor, file, row }: Location): readonly Violation[] {
  const kinds = new Set(redactor.learn(value).map(({ kind }) => kind))
  return Array.from(kinds, kind => ({ part: 'secrets', file, row, message: `A likely secret: ${kind}.` }))
}

/** Outputs of tools that were too long for the transcript stand in files of their own. */
function secretsInText(file: string, redactor: Redactor, host: Host): readonly Violation[] {
  const lines = readOutput(file, host).split('\n')
  return lines.flatMap((text, at) => secretsIn(text, { redactor, file, row: at + 1 }))
}

function readOutput(file: string, host: Host): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    host.note(`${file} could not be read: ${error instanceof Error ? error.message : error}`)
    host.fail()
    return ''
  }
}
