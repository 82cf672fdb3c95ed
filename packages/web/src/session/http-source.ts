/** A session behind the server. */
import type { GivenLabel, RowContent, SearchPage, SheetUpdate, Why } from '@dagline/core'
import { get, getText, pathWith } from '../api.js'
import { sheetPath, takeSheet } from './ahead.js'
import type { SessionSource } from './source.js'

/** Hits that are asked for at once, and in all; more within one session nobody walks through. */
const HITS = 200
const MOST_HITS = 1000

/** The session of an id, asked for over HTTP. `onChange` says when to ask again. */
export function httpSource(session: string, onChange: SessionSource['onChange']): SessionSource {
  const path = sheetPath(session)
  // The address may hold a prefix; searching wants the whole id.
  let id = session
  const node = (uuid: string): string => `/api/nodes/${encodeURIComponent(uuid)}`
  return {
    isServed: true,
    chunkRows: 64,
    sheet: async () => {
      const sheet = await takeSheet(session)
      id = sheet.session.id
      return sheet
    },
    update: known => get<SheetUpdate>(pathWith(path, { known })),
    contents: (from, to) => get<readonly RowContent[]>(pathWith(`${path}/contents`, { from: `${from}`, to })),
    why: uuid => get<Why>(`${node(uuid)}/why`),
    raw: uuid => getText(`${node(uuid)}/raw`),
    labels: () => get<readonly GivenLabel[]>(`${path}/labels`),
    wholeText: (uuid, block) => getText(pathWith(`${node(uuid)}/text`, { block: `${block}` })),
    search: words => searchSession(words, id),
    onChange,
  }
}

async function searchSession(words: string, session: string): Promise<readonly string[]> {
  const nodes: string[] = []
  let below: number | null = 0
  while (below !== null && below < MOST_HITS) {
    const query: string = pathWith('/api/search', { q: words, session, limit: HITS, below: `${below}` })
    const page: SearchPage = await get<SearchPage>(query)
    nodes.push(...page.hits.flatMap(hit => hit.node ?? []))
    below = page.below
  }
  return nodes
}
