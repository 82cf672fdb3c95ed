/** What was asked of an export. */
import { REDACT_WHAT, type RedactWhat } from '@dagline/core'
import { Refusal } from '../console.js'
import { type Options, textIn } from '../options.js'

export const FORMATS = ['html', 'md', 'json', 'jsonl', 'parquet'] as const
export type Format = (typeof FORMATS)[number]

export interface ExportOptions {
  readonly format: Format
  /** A file or folder; `-` for stdout; null for a name made from the session's id. */
  readonly out: string | null
  readonly project: string | null
  /** All sessions of a tree, or of the project, in one file. */
  readonly tree: boolean
  /** `live`, `all`, or the id of a branch or agent. */
  readonly branch: string
  /** Agents nested deeper than this are left out; 0 for none. */
  readonly depth: number
  readonly tools: boolean
  /** What is replaced; null for nothing. */
  readonly redact: readonly RedactWhat[] | null
  /** Names of people to replace, beside those that are known. */
  readonly names: readonly string[]
  readonly allowSecrets: boolean
  readonly force: boolean
}

/** The options as the command line gave them. */
export function exportOptions(options: Options): ExportOptions {
  const format = FORMATS.find(name => name === options['format']) ?? 'html'
  const branch = textIn(options, 'branch')
  return {
    format,
    out: textIn(options, 'out'),
    project: textIn(options, 'project'),
    tree: options['tree'] === true,
    branch: branch ?? (format === 'md' ? 'live' : 'all'),
    depth: options['agents'] === false ? 0 : depthOf(textIn(options, 'depth')),
    tools: toolsOf(options, format),
    redact: redactOf(options['redact']),
    names: Array.isArray(options['name']) ? options['name'].map(String) : [],
    allowSecrets: options['allowSecrets'] === true,
    force: options['force'] === true,
  }
}

function depthOf(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new Refusal(`${text} is no depth: give a number, 0 for no agents at all.`)
}

function toolsOf(options: Options, format: Format): boolean {
  if (options['tools'] !== false) return true
  if (format === 'jsonl')
    throw new Refusal(
      'A transcript without its tool calls would not be one: use --no-tools with another format.',
    )
  return false
}

/** `--redact` alone replaces secrets; a list says what. Secrets are always among it. */
function redactOf(value: unknown): readonly RedactWhat[] | null {
  if (value === undefined || value === false) return null
  const words = typeof value === 'string' ? value.split(',').map(word => word.trim()) : []
  const odd = words.find(word => !REDACT_WHAT.some(known => known === word))
  if (odd !== undefined)
    throw new Refusal(`--redact knows no ${odd}: give a list of ${REDACT_WHAT.join(', ')}.`)
  return REDACT_WHAT.filter(what => what === 'secrets' || words.includes(what))
}
