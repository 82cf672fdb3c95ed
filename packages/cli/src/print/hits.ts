/** H6: search hits as a person reads them: by session, each with its place, its labels and the words marked. */

import type { Hit, Labels, SearchResult } from '@dagline/app'
import { cleanLine, cleanText } from '@dagline/core/content'
import { dayAndTime, plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import { statusLabels } from '@dagline/core/view'
import type { Console } from '../console.js'
import { labelWords } from './names.js'

/** The hits, grouped by session in the order of their newest hit. */
export function* hitLines(console: Console, { total, isComplete, hits }: SearchResult): Generator<string> {
  if (hits.length === 0) return
  for (const [session, group] of groupBy(hits, hit => hit.session ?? hit.path)) {
    const [first] = group
    if (first === undefined) continue
    const given = cleanLine(labelWords(console.history.labels().get(session)))
    const called = given === '' ? '' : ` ${console.style.strong(given)}`
    yield `${console.style.strong(cleanLine(first.project))} ${console.style.id(shortId(session))}${called}${archived(group)}`
    for (const hit of group) yield* linesOf(console, hit)
    yield ''
  }
  const more = isComplete ? plural(total, 'text') : `at least ${plural(total, 'text')}`
  yield console.style.faint(
    hits.length < total || !isComplete ? `${hits.length} of ${more}; --limit shows more.` : `${more}.`,
  )
}

/** Where no hit of a session stands in a file on disk. */
function archived(hits: readonly Hit[]): string {
  return hits.every(({ isArchived }) => isArchived) ? ' (archived only)' : ''
}

function* linesOf(console: Console, hit: Hit): Generator<string> {
  const { style } = console
  const ref = hit.node === null ? `row ${hit.row}` : shortId(hit.node)
  const given = givenTo(console.history.labels(), hit)
  const labels = [...labelsOf(hit), ...given].map(label =>
    label === 'live' ? style.good(label) : style.faint(label),
  )
  const what = hit.tool === null ? hit.field : `${hit.tool} ${hit.field}`
  yield `  ${style.id(ref)}  ${style.faint(dayAndTime(hit.time))}  ${what}  ${labels.join(', ')}`
  yield `    ${marked(hit, style.strong)}`
}

/** What the user calls the branch and the entry of a hit. */
function givenTo(labels: Labels, { line, node }: Hit): readonly string[] {
  const words = [line?.name ?? '', node ?? ''].map(id => cleanLine(labelWords(labels.get(id))))
  return words.filter(word => word !== '')
}

/** What a reader must know before trusting what was found. */
function labelsOf(hit: Hit): readonly string[] {
  const { line, compacted, became, failed } = hit
  const labels: string[] = []
  if (became === 'lost') labels.push('queued, never delivered')
  if (became === 'recalled') labels.push('queued, taken back')
  labels.push(...statusLabels(hit.live, line?.branchStatus ?? null))
  if (line?.agent != null) labels.push(`subagent ${line.agentName ?? line.agent}`)
  if (compacted > 0) labels.push('before a compaction')
  if (failed) labels.push('error')
  return labels
}

/** The snippet with its marks; signs that would move the cursor are taken out piece by piece. */
function marked({ snippet, marks }: Hit, strong: (text: string) => string): string {
  let text = ''
  let at = 0
  for (const [start, end] of marks) {
    text += plain(snippet.slice(at, start)) + strong(plain(snippet.slice(start, end)))
    at = end
  }
  return text + plain(snippet.slice(at))
}

function plain(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}
