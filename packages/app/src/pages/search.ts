/** Search for the page: as `dagline search`, and while one types. */

import { type SearchHit, type SearchPage, speakerOf } from '@dagline/core/protocol'
import { type Hit, type SessionFact, search } from '@dagline/store'
import type { LiveContext } from '../live/context.js'
import { patternIn, type SearchFilter, textFilter } from '../search/search.js'
import { sessionName } from './projects.js'

/** What to search for, and which of the hits are shown. */
export interface SearchPageOptions extends SearchFilter {
  readonly q: string
  readonly limit: number
  readonly below: number
}

/** `below` counts hits that were given: the newest come first, and further ones are behind them. */
export function searchPage(context: LiveContext, query: SearchPageOptions): SearchPage {
  const start = performance.now()
  const { q, limit, below } = query
  const { hits } = search(context.index(), context.ranges, {
    text: q,
    isUnfinished: true,
    filter: { ...textFilter(query), roots: context.rootIds() },
    limit: below + limit + 1,
    ...patternIn(query),
  })
  const facts = new Map(context.sessions().map(fact => [fact.session, fact]))
  return {
    hits: hits.slice(below, below + limit).map(hit => shownHit(hit, facts.get(hit.session ?? ''))),
    below: hits.length > below + limit ? below + limit : null,
    took: performance.now() - start,
  }
}

function shownHit(hit: Hit, fact: SessionFact | undefined): SearchHit {
  const { node, session, project, time, tool, line } = hit
  return {
    node,
    session,
    title: sessionName(fact),
    project,
    cwd: fact?.cwd ?? null,
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
      archived: hit.isArchived,
    },
  }
}

/** The text between marks and the marks themselves, in turns. */
function piecesOf({ snippet, marks }: Hit): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of marks) {
    pieces.push(snippet.slice(at, start), snippet.slice(start, end))
    at = end
  }
  return [...pieces, snippet.slice(at)]
}
