/** What a compaction dropped, as text and as JSON. */
import type { Dropped, SummarizedEntry } from '@dagline/app'
import { epochLabel } from '@dagline/core'
import { cleanLine, cleanText } from '@dagline/core/content'
import { count, dayAndTime, isoTime, plural, shortId } from '@dagline/core/format'
import type { Console } from '../console.js'
import type { DroppedEntryJson, DroppedJson } from '../json/comparison.js'
import { fit, fitEnd, wrap } from './width.js'

/** What was dropped, what was kept, and the summary. */
export function* droppedLines(console: Console, dropped: Dropped): Generator<string> {
  const { style, width } = console
  const { epoch, counts, prompts, files, kept, summary } = dropped
  yield `${style.strong(epochLabel(epoch))}  ${style.faint(`${shortId(dropped.session)}, entry ${shortId(dropped.boundary)}`)}`
  yield `Dropped: ${plural(counts.messages, 'message')}, ${plural(counts.calls, 'tool call')}, ${plural(counts.results, 'tool result')}${tokensText(dropped)}.`
  yield* otherLines(console, dropped)
  yield* section(console, `Prompts dropped (${prompts.length})`, entryLines(console, prompts))
  const paths = files.map(file => {
    const end = `  ${file.calls}×${file.isKept ? ', also in kept entries' : ''}`
    return `  ${fitEnd(cleanLine(file.path), width - 2 - end.length)}${style.faint(end)}`
  })
  yield* section(console, `Files of dropped calls (${files.length})`, paths)
  yield* section(console, `Entries kept (${kept.length})`, entryLines(console, kept))
  const text =
    summary === null ? [] : wrap(cleanText(summary.text).trim(), width - 2).map(line => `  ${line}`)
  yield* section(console, 'Summary', text)
  if (summary === null) yield style.bad('There is no summary: the compaction did not finish.')
}

export function droppedFacts(dropped: Dropped): DroppedJson {
  const { boundary, compactions, session, line, epoch, counts, prompts, files, kept, summary } = dropped
  const entry = ({ node, time, kind, text }: SummarizedEntry): DroppedEntryJson => ({
    node,
    time: isoTime(time),
    kind,
    text,
  })
  return {
    boundary,
    compactions,
    session,
    line,
    trigger: epoch.trigger,
    preTokens: epoch.preTokens,
    postTokens: epoch.postTokens,
    durationMs: epoch.durationMs,
    dropped: { ...counts, prompts: prompts.map(entry), files },
    kept: kept.map(entry),
    summary,
  }
}

/** Which one of several it is, and how to see the others. */
function* otherLines({ style, width }: Console, { boundary, compactions }: Dropped): Generator<string> {
  const others = compactions.filter(each => each !== boundary)
  if (others.length === 0) return
  const nth = compactions.indexOf(boundary) + 1
  const commands = others.map(each => `\`dagline diff --compaction ${shortId(each)}\``).join(', ')
  const text = `This is compaction ${nth} of ${compactions.length}. Run ${commands} for the ${others.length === 1 ? 'other' : 'others'}.`
  for (const line of wrap(text, width)) yield style.faint(line)
}

function tokensText({ epoch: { preTokens, postTokens } }: Dropped): string {
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

function* entryLines({ style, width }: Console, entries: readonly SummarizedEntry[]): Generator<string> {
  for (const { node, time, kind, text } of entries) {
    const start = `${shortId(node)}  ${dayAndTime(time)}  ${kind}`
    yield `  ${style.id(shortId(node))}  ${style.faint(`${dayAndTime(time)}  ${kind}`)}  ${fit(text, width - start.length - 4)}`
  }
}
