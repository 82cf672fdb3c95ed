/** The last look: a finished export is opened again and searched. */
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { type FoundSecret, findWritten, PLACEHOLDER, type Redactor } from '@dagline/core/redact'
import type { Format } from './options.js'
import { searchAgain } from './second-search.js'

/** What a last look finds. */
export interface LastLook {
  /** What is still there. */
  readonly left: readonly FoundSecret[]
  /** The placeholders, each as often as it stands there. */
  readonly placeholders: readonly string[]
}

/** Looks through a finished file. */
export async function lookThrough(path: string, format: Format, redactor: Redactor): Promise<LastLook> {
  const parts = [...partsOf(readFileSync(path, 'utf8'), format)]
  return await lookIn(
    parts,
    parts.flatMap(part => leftIn(part, format, redactor)),
  )
}

/** Characters of tables that are searched together: all of them need not be in memory. */
const TOGETHER = 4_000_000

/** Looks through the texts of tables, before they are compressed. */
export async function lookThroughTexts(all: Iterable<string>, redactor: Redactor): Promise<LastLook> {
  const looks: LastLook[] = []
  let [texts, size]: [string[], number] = [[], 0]
  const take = async (): Promise<void> => {
    looks.push(
      await lookIn(
        texts,
        texts.flatMap(text => redactor.learn(text)),
      ),
    )
    texts = []
    size = 0
  }
  for (const text of all) {
    texts.push(text)
    size += text.length
    if (size > TOGETHER) await take()
  }
  await take()
  return {
    left: looks.flatMap(({ left }) => left),
    placeholders: looks.flatMap(({ placeholders }) => placeholders),
  }
}

async function lookIn(parts: readonly string[], left: readonly FoundSecret[]): Promise<LastLook> {
  // One text of many parts: the other search has a cost for each call.
  const others = await searchAgain(parts.join('\n\n'))
  return { left: [...left, ...others], placeholders: parts.flatMap(part => part.match(PLACEHOLDER) ?? []) }
}

/** Data is searched as data; and as the text that it is in the file, for secrets that only show there. */
function leftIn(part: string, format: Format, redactor: Redactor): readonly FoundSecret[] {
  if (format === 'md') return redactor.learn(part)
  const found = redactor.learn(dataIn(part))
  if (found.length > 0) return found
  return findWritten(part).map(({ kind, start, end }) => ({ kind, text: part.slice(start, end) }))
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
  return format === 'jsonl' || format === 'otel' ? text.split('\n') : [text]
}

/** The title, and what the elements with data hold. */
function* unpacked(html: string): Generator<string> {
  yield /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''
  for (const [, packed = ''] of html.matchAll(/<script type="text\/plain"[^>]*>([A-Za-z0-9+/=]*)<\/script>/g))
    yield inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')
}
