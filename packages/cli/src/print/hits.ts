/** H6: search hits by session, each with its location, its labels and the words marked. */
import type { Hit, Labels, ScanResult, SearchResult } from '@dagline/app'
import { cleanLine, cleanText } from '@dagline/core/content'
import { count, dayAndTime, plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import { statusLabels } from '@dagline/core/view'
import type { Console } from '../console.js'
import { labelWords } from './names.js'

/** The hits, grouped by session in the order of their first hit. */
export function* hitLines(
  console: Console,
  { total, isComplete, note, hits }: SearchResult,
): Generator<string> {
  if (hits.length === 0) return
  const { style, history } = console
  if (note !== null) yield* [style.faint(cleanLine(note)), '']
  for (const [session, group] of groupBy(hits, hit => hit.session ?? hit.path)) {
    const [first] = group
    if (first === undefined) continue
    const given = cleanLine(labelWords(history.labels().get(session)))
    const name = given === '' ? '' : ` ${style.strong(given)}`
    const archived = group.every(({ isArchived }) => isArchived) ? ' (archived only)' : ''
    yield `${style.strong(cleanLine(first.project))} ${style.id(shortId(session))}${name}${archived}`
    for (const hit of group) yield* linesOf(console, hit)
    yield ''
  }
  const all = `${isComplete ? '' : 'at least '}${plural(total, 'match', 'matches')}`
  yield style.faint(
    hits.length < total || !isComplete ? `${hits.length} of ${all}; --limit shows more.` : `${all}.`,
  )
}

/** H12: what was found in files that are not indexed yet, and how many of them were searched. */
export function* scannedLines(console: Console, scan: ScanResult | null): Generator<string> {
  if (scan === null) return
  const { style } = console
  const { files, of, hits } = scan
  for (const [session, group] of groupBy(hits, hit => hit.session ?? hit.path)) {
    yield `${style.strong(cleanLine(group[0]?.project ?? ''))} ${style.id(shortId(session))} (not indexed yet)`
    for (const hit of group) {
      const ref = hit.node === null ? `row ${hit.row}` : shortId(hit.node)
      const what = hit.tool === null ? hit.field : `${hit.tool} ${hit.field}`
      yield `  ${style.id(ref)}  ${style.faint(dayAndTime(hit.time))}  ${what}`
      yield `    ${marked(hit, style.strong)}`
    }
    yield ''
  }
  const where = `${count(files)} of ${plural(of, 'file')} that are not indexed yet`
  const found = `${plural(hits.length, 'match', 'matches')} in ${where}: whether they are live is not known.`
  yield style.faint(`${hits.length === 0 ? `No match in ${where}.` : found} \`dagline sync\` indexes them.`)
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

/** Names and tags of the branch and of the entry of a hit. */
function givenTo(labels: Labels, { line, node }: Hit): readonly string[] {
  const words = [line?.name ?? '', node ?? ''].map(id => cleanLine(labelWords(labels.get(id))))
  return words.filter(word => word !== '')
}

/** What a reader must know before trusting what was found. */
function labelsOf(hit: Hit): readonly string[] {
  const { line, compacted, became, failed } = hit
  const labels: string[] = []
  if (became === 'lost') labels.push('queued, never delivered')
  if (became === 'recalled') labels.push('queued, recalled')
  labels.push(...statusLabels(hit.live, line?.branchStatus ?? null))
  if (line?.agent != null) labels.push(`subagent ${line.agentName ?? line.agent}`)
  if (compacted > 0) labels.push('before a compaction')
  if (failed) labels.push('error')
  return labels
}

/** The snippet with its marks. Control characters are removed piece by piece, since marks are positions. */
function marked(
  { snippet, marks }: Pick<Hit, 'snippet' | 'marks'>,
  strong: (text: string) => string,
): string {
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
