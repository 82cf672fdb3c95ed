/** What a check of the policy found, as text, as annotations of GitHub Actions, and as SARIF 2.1.0. */
import nodePath, { type PlatformPath } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PolicyPart, PolicyReport, Violation } from '@dagline/app'
import { plural } from '@dagline/core/format'
import type { Style } from './style.js'

interface Rule {
  readonly id: string
  readonly title: string
  /** What to do about it. */
  readonly help: string
}

/** The rules of SARIF, one for each part of the policy. */
const RULES: Readonly<Record<PolicyPart, Rule>> = {
  secrets: {
    id: 'secret',
    title: 'A secret in a transcript',
    help: 'Revoke the secret and create a new one. `dagline export --format jsonl --redact` writes a copy without it.',
  },
  resume: {
    id: 'resume-loss',
    title: 'A session that loses entries on resume',
    help: 'Run `dagline doctor FILE` for the cause, and `dagline repair FILE` to repair it.',
  },
  unknown: {
    id: 'unknown-record',
    title: 'A record of an unknown type',
    help: 'A newer Claude Code wrote it. Update dagline, or run `dagline census` to see what is unknown.',
  },
}

/** One line for each violation, then the sum. */
export function* policyLines({ files, violations }: PolicyReport, style: Style): Generator<string> {
  for (const violation of violations)
    yield `${shownPath(violation)}${rowOf(violation)}: ${style.bad(RULES[violation.part].id)}: ${violation.message}`
  const checked = `${plural(files, 'transcript')} checked`
  if (violations.length === 0) yield style.good(`${checked}, the policy holds.`)
  else yield `${checked}, ${plural(violations.length, 'violation')} of the policy.`
}

function rowOf({ row }: Violation): string {
  return row === null ? '' : `:${row}`
}

/** The path from the working directory, with `/`; whole where it is elsewhere. */
function shownPath({ file }: Pick<Violation, 'file'>): string {
  return pathInside(file, process.cwd(), nodePath) ?? file.split(nodePath.sep).join('/')
}

/** The path of a file from a folder, with `/`; null where it is elsewhere. */
function pathInside(file: string, folder: string, path: PlatformPath): string | null {
  const inside = path.relative(folder, file)
  return inside.startsWith('..') || path.isAbsolute(inside) ? null : inside.split(path.sep).join('/')
}

/** Commands of GitHub Actions that mark the rows in a pull request. */
export function annotations({ violations }: PolicyReport): readonly string[] {
  return violations.map(violation => {
    const { part, row, message } = violation
    const line = row === null ? '' : `,line=${row}`
    const { title, help } = RULES[part]
    const place = `file=${property(shownPath(violation))}${line},title=${property(title)}`
    return `::error ${place}::${data(`${message} ${help}`)}`
  })
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** A log in the Static Analysis Results Interchange Format. */
export function sarif({ violations }: PolicyReport, version: string): string {
  const rules = Object.values(RULES)
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { ...DRIVER, version, rules: rules.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results: violations.map(violation => ({
          ruleId: RULES[violation.part].id,
          ruleIndex: rules.indexOf(RULES[violation.part]),
          level: 'error',
          message: { text: violation.message },
          locations: [{ physicalLocation: placeOf(violation) }],
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

const DRIVER = { name: 'dagline', informationUri: 'https://github.com/dagline/dagline' }

function ruleOf({ id, title, help }: Rule): object {
  return {
    id,
    shortDescription: { text: title },
    help: { text: help },
    defaultConfiguration: { level: 'error' },
  }
}

function placeOf({ file, row }: Violation): object {
  const artifactLocation = { uri: uriOf(file, process.cwd(), nodePath) }
  return row === null ? { artifactLocation } : { artifactLocation, region: { startLine: row } }
}

/** The address of a file: relative to the folder where it is below it. `path` has the rules of the system. */
export function uriOf(file: string, folder: string, path: PlatformPath): string {
  const inside = pathInside(file, folder, path)
  if (inside !== null) return inside.split('/').map(encodeURIComponent).join('/')
  return pathToFileURL(file, { windows: path === path.win32 }).href
}
