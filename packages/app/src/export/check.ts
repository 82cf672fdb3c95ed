/** The last look: a finished export is opened again and searched. */
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { createRedactor, findSecrets, type Redactor } from '@dagline/core/redact'
import type { ExportOptions, Format } from './options.js'
import { type TableRows, textsIn } from './parquet.js'

/** What a last look finds. */
export interface LastLook {
  /** The kinds of what is still there. */
  readonly left: readonly string[]
  /** The placeholders, each as often as it stands there. */
  readonly placeholders: readonly string[]
}

/** Looks through a finished file. */
export function lookThrough(path: string, options: ExportOptions, names: readonly string[]): LastLook {
  const text = readFileSync(path, 'utf8')
  const searcher = searcherFor(options, names)
  const parts = [...partsOf(text, options.format)]
  return {
    left: parts.flatMap(part => leftIn(part, options.format, searcher)),
    placeholders: parts.flatMap(placeholdersIn),
  }
}

/** Looks through tables, before they are compressed. */
export function lookThroughTables(
  tables: Iterable<TableRows>,
  options: ExportOptions,
  names: readonly string[],
): LastLook {
  const searcher = searcherFor(options, names)
  const look = { left: [] as string[], placeholders: [] as string[] }
  for (const text of textsIn(tables)) {
    look.left.push(...searcher.learn(text))
    look.placeholders.push(...placeholdersIn(text))
  }
  return look
}

function searcherFor({ redact }: ExportOptions, names: readonly string[]): Redactor {
  return createRedactor({ what: redact ?? ['secrets'], names })
}

function placeholdersIn(text: string): readonly string[] {
  return text.match(/\[redacted:[a-z0-9-]+-\d+\]/g) ?? []
}

/** Data is searched as data; and as the text that it is in the file, for secrets that only show there. */
function leftIn(part: string, format: Format, searcher: Redactor): readonly string[] {
  if (format === 'md') return searcher.learn(part)
  const found = searcher.learn(dataIn(part))
  return found.length > 0 ? found : findSecrets(part).map(({ kind }) => kind)
}

function dataIn(part: string): unknown {
  try {
    return JSON.parse(part)
  } catch {
    return part
  }
}

/** The file in parts that can be read by themselves. */
function partsOf(text: string, format: Format): Iterable<string> {
  if (format === 'html') return unpacked(text)
  return format === 'jsonl' ? text.split('\n') : [text]
}

/** The title, and what the elements with data hold. */
function* unpacked(html: string): Generator<string> {
  yield /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''
  for (const [, packed = ''] of html.matchAll(/<script type="text\/plain"[^>]*>([A-Za-z0-9+/=]*)<\/script>/g))
    yield inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')
}
