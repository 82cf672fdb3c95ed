/** X41: the page of waste, by the names of sessions. */
import type { WastePage } from '@dagline/core/protocol'
import type { SessionFact } from '@dagline/store'
import { sessionName } from './projects.js'

/** The page with the titles of its sessions. */
export function withTitles(page: WastePage, facts: readonly SessionFact[]): WastePage {
  const titles = new Map(facts.map(fact => [fact.session as string, sessionName(fact)]))
  return {
    ...page,
    items: page.items.map(item => ({ ...item, title: titles.get(item.session) ?? null })),
  }
}
