/** H6: search hits by session, each with its location, its labels and the words marked. */
import {
  type Hit,
  type HitContext,
  hitLabels,
  type Labels,
  type ScanResult,
  type SearchedSession,
  type SearchResult,
} from '@dagline/app'
import { cleanLine, cleanText } from '@dagline/core/content'
import { count, dayAndTime, plural, shortId } from '@dagline/core/format'
import { groupBy } from '@dagline/core/model'
import { speakerOf } from '@dagline/core/protocol'
import type { Console } from '../console.js'
import { projectName, SHORT_PROJECT } from '../list.js'
import { labelledTitle, labelWords } from './names.js'
import { fit, fitEnd, widthOf } from './width.js'

/** The hits, grouped by session in the order of their first hit. */
export function* hitLines(
  console: Console,
  { total, isComplete, note, hits, around, sessions }: SearchResult,
): Generator<string> {
  if (hits.length === 0) return
  const { style } = console
  if (note !== null) yield* [style.faint(cleanLine(note)), '']
  const contexts = new Map(hits.map((hit, at) => [hit, around[at]]))
  const known = new Map(sessions.map(each => [each.session, each]))
  for (const [session, group] of groupBy(hits, hit => hit.session ?? hit.path)) {
    const [first] = group
    if (first === undefined) continue
    const isArchived = group.every(each => each.isArchived)
    yield sessionLine(console, { session, project: first.project, known: known.get(session), isArchived })
    for (const [at, hit] of group.entries()) {
      if (at > 0 && around.length > 0) yield ''
      yield* linesInContext(console, hit, contexts.get(hit))
    }
    yield ''
  }
  const all = `${isComplete ? '' : 'at least '}${plural(total, 'match', 'matches')}`
  yield style.faint(
    hits.length < total || !isComplete ? `${hits.length} of ${all}; --limit shows more.` : `${all}.`,
  )
}

interface Heading {
  readonly session: string
  readonly project: string
  readonly known: SearchedSession | undefined
  readonly isArchived: boolean
}

/** `019c5be1  Why does the checkout test fail?  dev/shop`: the session above its hits. */
function sessionLine(
  { style, history, width }: Console,
  { session, project, known, isArchived }: Heading,
): string {
  const label = history.labels().get(session)
  const given = known === undefined ? labelWords(label) : labelledTitle(label, known.title ?? '(no title)')
  const title = `${isArchived ? '(archived) ' : ''}${cleanLine(given)}`
  const start = shortId(session)
  const most = Math.max(SHORT_PROJECT, Math.floor((width - start.length) / 3))
  const end = fitEnd(projectName({ cwd: known?.cwd ?? null, project }), most)
  const room = width - start.length - widthOf(end) - 4
  const middle = title === '' || room < LEAST_TITLE ? '' : `${style.strong(fit(title, room))}  `
  return `${style.id(start)}  ${middle}${style.faint(end)}`
}

/** With less room a title says nothing. */
const LEAST_TITLE = 10

/** H12: what was found in files that are not indexed yet, and how many of them were searched. */
export function* scannedLines(console: Console, scan: ScanResult | null): Generator<string> {
  if (scan === null || scan.hits.length === 0) return
  const { style } = console
  const { files, of, hits } = scan
  for (const [session, group] of groupBy(hits, hit => hit.session ?? hit.path)) {
    yield `${style.id(shortId(session))}  ${style.strong('(not indexed yet)')}  ${style.faint(cleanLine(group[0]?.project ?? ''))}`
    for (const hit of group) {
      const ref = hit.node === null ? `row ${hit.row}` : shortId(hit.node)
      const what = hit.tool === null ? hit.field : `${hit.tool} ${hit.field}`
      yield `  ${style.id(ref)}  ${style.faint(dayAndTime(hit.time))}  ${what}`
      yield `    ${markedLine(console, hit)}`
    }
    yield ''
  }
  const found = `${plural(hits.length, 'match', 'matches')} in ${count(files)} of ${plural(of, 'file')} that are not indexed yet`
  yield style.faint(`${found}: whether they are live is not known. \`dagline sync\` indexes them.`)
}

/** H13: a hit between what was said and called before and after it. */
function* linesInContext(console: Console, hit: Hit, context: HitContext | undefined): Generator<string> {
  for (const each of context?.before ?? []) yield contextLine(console, each)
  yield* linesOf(console, hit)
  for (const each of context?.after ?? []) yield contextLine(console, each)
}

function contextLine(console: Console, { node, field, tool, line, snippet }: Hit): string {
  const { style } = console
  const speaker = tool ?? speakerOf(field, line?.agentName ?? null)
  const start = `  ${shortId(node ?? '')}  ${cleanLine(speaker)}: `
  return style.faint(fit(`${start}${plain(snippet)}`, console.width))
}

function* linesOf(console: Console, hit: Hit): Generator<string> {
  const { style } = console
  const ref = hit.node === null ? `row ${hit.row}` : shortId(hit.node)
  const given = givenTo(console.history.labels(), hit)
  const labels = [...hitLabels(hit), ...given].map(label =>
    label === 'live' ? style.good(label) : style.faint(label),
  )
  const what = hit.tool === null ? hit.field : `${hit.tool} ${hit.field}`
  yield `  ${style.id(ref)}  ${style.faint(dayAndTime(hit.time))}  ${what}  ${labels.join(', ')}`.trimEnd()
  yield `    ${markedLine(console, hit)}`
}

/** Names and tags of the branch and of the entry of a hit. */
function givenTo(labels: Labels, { line, node }: Hit): readonly string[] {
  const words = [line?.name ?? '', node ?? ''].map(id => cleanLine(labelWords(labels.get(id))))
  return words.filter(word => word !== '')
}

/** H6: the snippet on one line; where that is too narrow, the part of it around the first mark. */
function markedLine(console: Console, hit: Marked): string {
  return marked(fitMarked(hit, console.width - 4), console.style.strong)
}

/** The part of a snippet around its first mark that fits. It begins with a whole word where one begins near. */
export function fitMarked({ snippet, marks }: Marked, room: number): Marked {
  if (widthOf(snippet) <= room) return { snippet, marks }
  const first = marks[0]?.[0] ?? 0
  const near = Math.max(0, first - Math.floor(room / 3))
  const blank = near === 0 ? -1 : snippet.indexOf(' ', near)
  const start = blank >= 0 && blank < first ? blank + 1 : near
  const head = start === 0 ? '' : '…'
  const text = head + fit(snippet.slice(start), room - head.length)
  const shift = head.length - start
  const kept = marks.filter(([from, to]) => from >= start && to + shift < text.length)
  return { snippet: text, marks: kept.map(([from, to]) => [from + shift, to + shift]) }
}

type Marked = Pick<Hit, 'snippet' | 'marks'>

/** The snippet with its marks. Control characters are removed piece by piece, since marks are positions. */
function marked({ snippet, marks }: Marked, strong: (text: string) => string): string {
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
