/** Hits in the order they are shown: by session, the one with the best hit first. */
import type { SearchHit } from '@dagline/core'

export interface HitGroup {
  readonly session: string | null
  readonly title: string | null
  readonly project: string
  readonly cwd: string | null
  readonly hits: readonly SearchHit[]
}

/** Puts hits of a session together, sessions in the order in which they first appear. */
export function groupHits(hits: readonly SearchHit[]): readonly HitGroup[] {
  const groups = new Map<string, HitGroup & { readonly hits: SearchHit[] }>()
  for (const hit of hits) {
    const key = hit.session ?? `project ${hit.project}`
    const group = groups.get(key)
    const { session, title, project, cwd } = hit
    if (group === undefined) groups.set(key, { session, title, project, cwd, hits: [hit] })
    else group.hits.push(hit)
  }
  return [...groups.values()]
}

/** Where a hit opens; null where it belongs to no session. */
export function hitPath({ session, node }: Pick<SearchHit, 'session' | 'node'>): string | null {
  if (session === null) return null
  const path = `/s/${encodeURIComponent(session)}`
  return node === null ? path : `${path}#${encodeURIComponent(node)}`
}
