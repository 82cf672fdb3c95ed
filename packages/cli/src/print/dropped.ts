/** What a compaction dropped, for people and for machines. */

import type { Dropped, SummarizedEntry } from '@dagline/app'
import { epochLabel } from '@dagline/core'
import { cleanLine, cleanText } from '@dagline/core/content'
import { count, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import { fit, wrap } from './width.js'

/** The lines of it: what is gone, what was kept, and the summary. */
export function* droppedLines(console: Console, dropped: Dropped): Generator<string> {
  const { style, width } = console
  const { epoch, counts, prompts, files, kept, summary } = dropped
  yield `${style.strong(epochLabel(epoch))}  ${style.faint(`${shortId(dropped.session)}, entry ${shortId(dropped.boundary)}`)}`
  yield `Gone: ${plural(counts.messages, 'message')}, ${plural(counts.calls, 'tool call')}, ${plural(counts.results, 'result')}${tokensGone(dropped)}.`
  yield* section(console, `What was asked (${prompts.length})`, saidLines(console, prompts))
  const paths = files.map(file => {
    const end = `  ${file.calls}×${file.isKept ? ', also in what was kept' : ''}`
    return `  ${fit(cleanLine(file.path), width - 2 - end.length)}${style.faint(end)}`
  })
  yield* section(console, `Files (${files.length})`, paths)
  yield* section(console, `What was kept as it was (${kept.length})`, saidLines(console, kept))
  const words =
    summary === null ? [] : wrap(cleanText(summary.text).trim(), width - 2).map(line => `  ${line}`)
  yield* section(console, 'The summary', words)
  if (summary === null) yield style.bad('There is no summary: the compaction was not finished.')
}

/** The same as JSON. */
export function droppedFacts(dropped: Dropped): readonly (readonly [string, unknown])[] {
  const { boundary, session, line, epoch, counts, files, summary } = dropped
  const told = ({ node, time, kind, text }: SummarizedEntry): object => ({
    node,
    time: isoTime(time),
    kind,
    text,
  })
  return [
    ['dagline', 1],
    ['boundary', boundary],
    ['session', session],
    ['line', line],
    ['trigger', epoch.trigger],
    ['preTokens', epoch.preTokens],
    ['postTokens', epoch.postTokens],
    ['durationMs', epoch.durationMs],
    ['dropped', { ...counts, prompts: dropped.prompts.map(told), files }],
    ['kept', dropped.kept.map(told)],
    ['summary', summary],
  ]
}

function tokensGone({ epoch: { preTokens, postTokens } }: Dropped): string {
  if (preTokens === null || preTokens <= 0) return ''
  if (postTokens === null || postTokens <= 0) return `; ${count(preTokens)} tokens before`
  return `; ${count(preTokens)} tokens became ${count(postTokens)}`
}

function* section({ style }: Console, title: string, lines: Iterable<string>): Generator<string> {
  const all = [...lines]
  if (all.length === 0) return
  yield ''
  yield style.strong(title)
  yield* all
}

function* saidLines({ style, width }: Console, entries: readonly SummarizedEntry[]): Generator<string> {
  for (const { node, time, kind, text } of entries) {
    const start = `${shortId(node)}  ${dayAndTime(time)}  ${kind}`
    yield `  ${style.id(shortId(node))}  ${style.faint(`${dayAndTime(time)}  ${kind}`)}  ${fit(text, width - start.length - 4)}`
  }
}
