/** Search for the page: as `dagline search`, and while one types. */

import { count, plural } from '@dagline/core/format'
import {
  type SearchHit,
  type SearchPage,
  type SearchSort,
  type SyncStatus,
  speakerOf,
} from '@dagline/core/protocol'
import { allPresent, discover, type Hit, type SessionFact, unindexedFiles } from '@dagline/store'
import type { LiveContext } from '../live/context.js'
import { canScan, type ScannedHit, type ScanResult, scanFiles } from '../search/scan.js'
import { type SearchFilter, searchSource, textFilter, withProjects } from '../search/search.js'
import { sessionName } from './projects.js'

/** What to search for, and which of the hits are shown. */
export interface SearchPageOptions extends SearchFilter {
  readonly q: string
  readonly sort?: SearchSort | undefined
  readonly limit: number
  readonly below: number
}

/** What a search reads. */
export interface SearchContext
  extends Pick<LiveContext, 'index' | 'ranges' | 'rootIds' | 'roots' | 'sessions' | 'isPushed' | 'ownerOf'> {
  /** How far the index is. */
  readonly status: () => SyncStatus
}

/** `below` counts hits that were given: further ones are behind them, in the same order. */
export async function searchPage(
  context: SearchContext,
  asked: SearchPageOptions,
  signal?: AbortSignal,
): Promise<SearchPage> {
  const start = performance.now()
  const { q, sort, limit, below } = asked
  const source = { index: context.index(), ranges: context.ranges, roots: context.rootIds() }
  const query = withProjects({ ...source, isPushed: context.isPushed }, asked)
  const wanted = { filter: query, sort, offset: below, limit: limit + 1, signal }
  const answer = await searchSource(source, q, wanted)
  const scan = answer.hits.length > limit || below > 0 ? null : await scanRest(context, query, signal)
  const scanned = scan?.hits.map(shownScanned) ?? []
  // H10: other words count only where no text has the ones that were typed.
  const isReplaced = answer.replaced.length > 0 && scanned.length > 0
  const hits = isReplaced ? [] : answer.hits.slice(0, limit)
  const notes = [isReplaced ? null : answer.note, scan === null ? null : scanNote(scan)]
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  return {
    hits: [...hits.map(hit => shownHit(context, hit, facts.get(hit.session ?? ''))), ...scanned],
    total: answer.total + scanned.length,
    isComplete: answer.isComplete,
    note: notes.filter(note => note !== null).join(' ') || null,
    warning: answer.warning,
    below: answer.hits.length > limit ? below + limit : null,
    took: performance.now() - start,
  }
}

/** H12: fewer bytes are indexed in a moment. */
const WORTH_SCANNING = 16 * 1024 * 1024
/** How long the files that are not indexed are searched, in milliseconds. */
const LONGEST_SCAN = 2000

/** H12: searches the files that are not indexed yet; null while nearly all are. */
async function scanRest(
  context: SearchContext,
  query: SearchPageOptions,
  signal: AbortSignal | undefined,
): Promise<ScanResult | null> {
  const { state, bytes, bytesDone } = context.status()
  const filter = textFilter(query)
  const isBehind = state === 'running' && bytes - bytesDone > WORTH_SCANNING
  if (context.isPushed || !isBehind || (query.regex ?? '') !== '' || !canScan(query.q, filter)) return null
  const files = discover(context.roots).flatMap(found =>
    unindexedFiles(context.index(), found.root, allPresent(found, undefined)),
  )
  const end = performance.now() + LONGEST_SCAN
  const isStopped = (): boolean => signal?.aborted === true || performance.now() > end
  return await scanFiles(
    files,
    { text: query.q, filter, limit: query.limit, known: new Set() },
    { isStopped },
  )
}

function scanNote({ files, of }: ScanResult): string {
  return `${count(files)} of ${plural(of, 'file')} that are not indexed yet were searched, too.`
}

function shownScanned({ node, session, project, time, field, tool, snippet, marks }: ScannedHit): SearchHit {
  const actor = speakerOf(field, null)
  const pieces = piecesOf({ snippet, marks })
  return {
    node,
    session,
    title: null,
    project,
    cwd: null,
    owner: null,
    time,
    actor,
    tool,
    snippet: pieces,
    label: null,
  }
}

function shownHit({ isPushed, ownerOf }: SearchContext, hit: Hit, fact: SessionFact | undefined): SearchHit {
  const { node, session, project, time, tool, line } = hit
  return {
    node,
    session,
    title: sessionName(fact),
    project,
    cwd: fact?.cwd ?? null,
    owner: fact === undefined ? null : ownerOf(fact),
    time,
    actor: speakerOf(hit.field, hit.line?.agentName ?? null),
    tool,
    snippet: piecesOf(hit),
    label: {
      live: hit.live,
      branch: line?.kind === 'branch' ? line.name : null,
      status: line?.branchStatus ?? null,
      agent: line?.agentName ?? line?.agent ?? null,
      compacted: hit.compacted,
      queue: hit.became,
      archived: hit.isArchived && !isPushed,
    },
  }
}

/** The text between marks and the marks themselves, in turns. */
function piecesOf({ snippet, marks }: Pick<Hit, 'snippet' | 'marks'>): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of marks) {
    pieces.push(snippet.slice(at, start), snippet.slice(start, end))
    at = end
  }
  return [...pieces, snippet.slice(at)]
}
