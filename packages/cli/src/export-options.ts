/** The options of `export`, as the command line gave them. */
import { type ExportOptions, FORMATS, type Format, UserError } from '@dagline/app'
import { REDACT_WHAT, type RedactWhat } from '@dagline/core/redact'
import { type Options, textIn } from './options.js'

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
  throw new UserError(`${text} is no depth: give a number, 0 for no agents at all.`)
}

function toolsOf(options: Options, format: Format): boolean {
  if (options['tools'] !== false) return true
  if (format === 'jsonl')
    throw new UserError(
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
    throw new UserError(`--redact knows no ${odd}: give a list of ${REDACT_WHAT.join(', ')}.`)
  return REDACT_WHAT.filter(what => what === 'secrets' || words.includes(what))
}
